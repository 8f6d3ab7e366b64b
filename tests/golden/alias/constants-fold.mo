// Constants go through products and sums until nothing changes; parameters stay, since they can be set.
model ConstantsFold
  parameter Real p = 4;
  Real a, b, c, d, x(start = 1, fixed = true);
equation
  a = 2;
  b = a*3;
  c = p;
  d = c*b;
  der(x) = d*x;
end ConstantsFold;
