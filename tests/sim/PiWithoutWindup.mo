// simulate: --stop 1 --tolerance 1e-8
// zero: error 1e-7
// moves: i 0.0024
// methods: dopri5 esdirk ida
model PiWithoutWindup
  "An integral that rests at a limit by a relation of its own derivative, from the start on"
  parameter Real top = 0.1;
  Real u = 0.4 - time;
  Real i(start = 0, fixed = true), s, y;
  Boolean rests;
  // u = 0.1 and s = top at t = 0.3; s = -top at t = 0.5
  Real tau = max(0, min(time - 0.3, 0.2));
  Real error = i - 0.5*(0.1*tau - tau^2/2);
equation
  s = i + u;
  y = if s > top then top else if s < -top then -top else s;
  der(i) = if rests then 0 else 0.5*u;
  rests = abs(top - y) <= 1e-15 and der(i) > 0 or abs(-top - y) <= 1e-15 and der(i) < 0;
end PiWithoutWindup;
