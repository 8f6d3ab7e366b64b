model InitialEquations "What initialisation would have to solve for"
  Real x(start = 2, fixed = true);
  Real y;
  parameter Real p(fixed = false); // error S07: p
initial equation
  y = 3*x; // error S07: initial equations
  p = x + 1; // error S07: initial equations
equation
  der(x) = -x;
  der(y) = -2*y;
end InitialEquations;
