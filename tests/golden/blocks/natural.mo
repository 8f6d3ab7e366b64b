// Pairs are those solved by adding and subtracting where that can be; the rest is a loop in a and b.
model Natural
  Real x(start = 1, fixed = true), a, b, c;
equation
  der(x) = c;
  c = a - b;
  3*a + x*b = 1;
  x*a - 2*b = 0;
end Natural;
