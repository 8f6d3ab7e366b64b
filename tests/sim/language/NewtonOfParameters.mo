// The Jacobian of nonlinear equations: functions of parameters have no slope, even asin(1)
// simulate: --stop 1 --tolerance 1e-9
// zero: error 1e-9
model NewtonOfParameters
  parameter Real one = 1;
  Real y(start = 1), x(start = 1, fixed = true);
  Real error;
equation
  y^3 + y*2*asin(1) + y*asin(one) = 2*asin(1) + asin(one) + x;
  der(x) = 0;
  error = y - 1;
end NewtonOfParameters;
