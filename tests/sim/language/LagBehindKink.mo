// simulate: --stop 1 --interval 1e-4 --tolerance 1e-6
// methods: esdirk ida cvode
// zero: error 2e-6
// moves: x 1
model LagBehindKink "Behind a kink a lag is off its slow solution by 400 tolerances, and decays within a step"
  parameter Real T = 2e-4, kink = 0.5999;
  Real x(start = -2*T, fixed = true);
  Real u = if time < kink then 2*time else 2*kink;
  Real exact = noEvent(if time < kink then 2*time - 2*T else 2*kink - 2*T*exp(-(time - kink)/T));
  Real error = x - exact;
equation
  T*der(x) = u - x;
end LagBehindKink;
