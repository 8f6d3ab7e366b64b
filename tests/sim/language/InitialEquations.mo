// MLS 8.6: initial equations, parameters with fixed = false, fixed starts of what is no state
// simulate: --stop 1 --tolerance 1e-9
// methods: dopri5 esdirk
// zero: error[1] 1e-8
// zero: error[2] 1e-8
// zero: error[3] 1e-8
// zero: error[4] 1e-9
// zero: error[5] 1e-8
// zero: error[6] 1e-8
// zero: error[7] 1e-9
// moves: z 0.1
model InitialEquations
  Real x(start = 2, fixed = true);
  Real y;
  parameter Real p(fixed = false);
  final parameter Real q = 2*p; // follows p
  Real steady(start = 5); // guess only: starts at rest
  Real a(start = -4, fixed = true), z; // fixed, but an alias of no state
  Real acceleration(start = 3, fixed = true), s(start = 1, fixed = true), v; // v is solved for
  parameter Real c(fixed = false, start = 1); // solved for nonlinearly
  Real t(start = 0, fixed = true);
  Real error[7];
initial equation
  y = 3*x;
  p = x + 1;
  der(steady) = 0;
  c^3 + c = 10 + v - v;
equation
  der(x) = -x;
  der(y) = -2*y;
  der(steady) = p - steady;
  a = -2*z;
  der(z) = z;
  der(s) = v;
  der(v) = acceleration;
  acceleration = -s - v;
  der(t) = 1;
  error[1] = y - 6*exp(-2*time);
  error[2] = p - 3 + (q - 6);
  error[3] = steady - 3;
  error[4] = z - 2*exp(time);
  // s'' = -s - s', s(0) = 1, s'(0) = -4
  error[5] = s - exp(-time/2)*(cos(sqrt(3)/2*time) - 7/sqrt(3)*sin(sqrt(3)/2*time));
  error[6] = c - 2;
  error[7] = t - time;
end InitialEquations;
