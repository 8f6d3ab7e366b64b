// MLS 8.3.5.3, 8.6: at an event of two clocks a hold behind pre() passes on the value from before it
// simulate: --stop 3.35 --interval 0.01
// methods: dopri5 esdirk ida
// zero: error 1e-12
// moves: both 2
model HoldsInARow
  Real x = sin(10*time) "The signal";
  Real first(start = 0, fixed = true) "Samples of each 0.1 s";
  Real held = pre(first);
  Real second(start = 0, fixed = true) "Samples of the first hold, each 0.11 s";
  Integer n(start = -1, fixed = true), m(start = -1, fixed = true);
  Integer both(start = -1, fixed = true) "Events of both clocks: each 1.1 s";
  Real error(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    first = x;
    n = pre(n) + 1;
  end when;
  when sample(0, 0.11) then
    second = held;
    m = pre(m) + 1;
  end when;
  when {sample(0, 0.1), sample(0, 0.11)} then
    both = pre(both) + (if n > pre(n) and m > pre(m) then 1 else 0);
    error = if n > pre(n) and m > pre(m) and time > 0 then second - sin(10*(time - 0.1)) else 0;
  end when;
end HoldsInARow;
