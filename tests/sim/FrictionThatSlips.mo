// simulate: --stop 20
// methods: cvode ida
// ends: v 5 1e-3
// ends: w 5 1e-3
// ends: held 0 1e-6
model FrictionThatSlips
  "Dry friction, steep against the tolerance: it sticks, until the force exceeds it"
  parameter Real e = 1e-9;
  Real v(start = 0, fixed = true), w(start = 0, fixed = true), held(start = 1, fixed = true);
  Real force = 0.1*time;
equation
  der(v) = force - tanh(v/e);
  der(w) = force - w/sqrt(w^2 + e^2);
  der(held) = 0.5*sin(time) - tanh(held/e);
end FrictionThatSlips;
