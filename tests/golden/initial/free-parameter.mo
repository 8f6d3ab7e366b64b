// A parameter with fixed = false is an unknown of the initial system (MLS 8.6), here of a nonlinear
// equation; x starts where its derivative is zero.
model FreeParameter
  parameter Real k(fixed = false, start = 1);
  Real x(start = 0.5);
equation
  der(x) = 1 - k*x;
initial equation
  der(x) = 0;
  k*k*k + k = 10;
end FreeParameter;
