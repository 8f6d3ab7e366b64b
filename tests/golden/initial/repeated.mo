// Both conditions say the same of one state: one is solved, the other becomes an assertion.
model Repeated
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = 2*x;
initial equation
  y = 2;
end Repeated;
