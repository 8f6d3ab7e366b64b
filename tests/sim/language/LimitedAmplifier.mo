// simulate: --stop 3 --tolerance 1e-7
// methods: esdirk dopri5 ida cvode
// zero: off 2e-6
// zero: along 1e-6
// moves: x 0.9
model LimitedAmplifier "An amplifier with feedback, whose solution stays at its limits: Newton's method goes to and fro over the kinks"
  parameter Real gain = 1e6;
  Real x(start = 0), y(start = 0, fixed = true), z(start = 0, fixed = true), u = 2*sin(5*time);
  Real off = x - max(-1, min(1, gain*u/(1 + gain))), along = y - z;
equation
  x = noEvent(if gain*(u - x) > 1 then 1 elseif gain*(u - x) < -1 then -1 else gain*(u - x));
  der(y) = x - y;
  der(z) = max(-1, min(1, gain*u/(1 + gain))) - z;
end LimitedAmplifier;
