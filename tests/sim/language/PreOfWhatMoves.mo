// pre() of a continuous variable is its left limit at the event (MLS 3.7.5), of a delayed one as well, not the
// value behind a jump there; at the start it is the value at the start.
// simulate: --stop 1 --tolerance 1e-8 --audit
// methods: ida esdirk dopri5
// ends: left 0.25 0
// ends: sum 1.25 1e-6
// ends: late 0.25 0
// ends: first 0.25 0
// ends: v 0.25 0
model PreOfWhatMoves
  Real z = if time > 0.5 then 1 else 0.25;
  Real delayed = delay(z, 0.2);
  Real x(start = 0, fixed = true), y = 2*x + z, v(start = 0, fixed = true);
  discrete Real left, sum, late, first;
equation
  der(x) = 1;
  der(v) = 0;
  when time > 0.5 then
    left = pre(z);
    sum = pre(y);
    reinit(v, pre(z));
  end when;
  when time > 0.7 then
    late = pre(delayed);
  end when;
  when initial() then
    first = pre(z);
  end when;
end PreOfWhatMoves;
