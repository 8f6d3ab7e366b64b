// MLS 8.6: start with fixed, initial equations, parameters that initialisation determines
// simulate: --stop 1 --tolerance 1e-9
// zero: error[1] 1e-6
// zero: error[2] 1e-6
// zero: error[3] 1e-6
model InitialEquations
  Real x(start = 2, fixed = true);
  Real y;
  Real z(start = 1);
  parameter Real p(fixed = false);
  Real error[3];
initial equation
  y = 3*x;
  der(z) = 4;
  p = x + 1;
equation
  der(x) = -x;
  der(y) = -2*y;
  der(z) = 8 - 2*z;
  error[1] = x - 2*exp(-time);
  error[2] = y - 6*exp(-2*time);
  error[3] = z - (4 - 2*exp(-2*time)) + (p - 3);
end InitialEquations;
