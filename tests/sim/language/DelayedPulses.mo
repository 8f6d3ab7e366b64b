// simulate: --stop 10
// methods: esdirk dopri5 ida cvode
// ends: y 1 2e-5
// ends: z 1 2e-5
// ends: w 1 2e-5
// ends: v 2 4e-5
// ends: n 1 0
model DelayedPulses
  "MLS 3.7.4.1: a pulse of a delayed expression, short against the steps, is recorded and met later"
  constant Real width = 1e-3, area = width*1.7724538509055159;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true),
    w(start = 0, fixed = true), v(start = 0, fixed = true);
  Real p = exp(-((x - 5)/width)^2);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = delay(p, 2)/area;
  der(z) = delay(exp(-((time - 3)/width)^2), 1.7)/area;
  // time - lag = 0.8*time - 0.2
  der(w) = 0.8*delay(p, 0.2*x + 0.2, 3)/area;
  der(v) = delay(p, 1)/area + delay(exp(-((x - 2)/width)^2), 2.5)/area;
  when delay(p, 3.3) > 0.5 then
    n = pre(n) + 1;
  end when;
end DelayedPulses;
