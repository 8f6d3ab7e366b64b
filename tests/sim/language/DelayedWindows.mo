// simulate: --tolerance 1e-6 --stop 9
// methods: esdirk dopri5 ida cvode
// ends: y 1 1e-4
// ends: z 3 1e-4
// ends: u 1 1e-4
// ends: w 0.5 1e-4
model DelayedWindows "MLS 3.7.4.1, 3.7.4.3: conditions of delayed expressions without events, short against a step"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true),
    u(start = 0, fixed = true), w(start = 0, fixed = true), d;
  Boolean late(start = false, fixed = true);
equation
  der(x) = 1;
  d = delay(x, 2);
  der(y) = if noEvent(d > 5 and d < 5.01) then 100.0 else 0.0;
  der(z) = if noEvent(delay(x, 1) > 5) then 1 else 0;
  der(u) = if noEvent(d + x > 4 and d + x < 4.02) then 100.0 else 0.0;
  // from the middle of the window on
  when x > 7.605 then
    late = true;
  end when;
  der(w) = if noEvent(late and d > 5.6 and d < 5.61) then 100.0 else 0.0;
end DelayedWindows;
