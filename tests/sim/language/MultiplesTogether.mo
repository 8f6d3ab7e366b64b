// A relation and a multiple of it pass zero at the same time, and change in one event, though each does so
// behind noise of its own.
// simulate: --stop 2 --step 0.001
// methods: rk4 trapezoid
// ends: alone 0 0
// ends: both 1 0
model MultiplesTogether
  Real x(start = -1, fixed = true);
  Integer alone(start = 0, fixed = true), both(start = 0, fixed = true);
  Boolean p = x > 0, q = 1000*x > 0;
equation
  der(x) = 0.7;
  when p <> q then
    alone = pre(alone) + 1;
  end when;
  when p and q then
    both = pre(both) + 1;
  end when;
end MultiplesTogether;
