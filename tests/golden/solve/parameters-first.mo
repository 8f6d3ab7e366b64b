// Two unknowns of a linear loop: the pivot with a coefficient of one goes first, what depends on
// parameters alone is computed once, and equal expressions are one.
model ParametersFirst
  parameter Real k = 2;
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = a + b;
  a + k*b = x;
  k*a - x*b = sin(x);
end ParametersFirst;
