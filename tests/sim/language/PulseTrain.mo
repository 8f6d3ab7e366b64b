// simulate: --stop 10 --interval 10
// methods: esdirk dopri5 ida cvode
// ends: y 4.501618938 1e-3
// ends: z 4.501618938 1e-3
model PulseTrain
  "Ten pulses of equal height that a branch without an event makes, within a few steps"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = noEvent(if sin(2*3.141592653589793*x) > 0.9999 then 100 else 0);
  der(z) = noEvent(if sin(2*3.141592653589793*time) > 0.9999 then 100 else 0);
end PulseTrain;
