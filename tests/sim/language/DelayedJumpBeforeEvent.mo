// MLS 3.7.4.1: a delayed value jumps at the beginning of a step that ends in another event
// simulate: --stop 3.6 --interval 0.2
// methods: dopri5 esdirk ida
// zero: error 1e-6
// moves: ticks 3
// moves: falls 2
model DelayedJumpBeforeEvent
  Real x(start = 0, fixed = true) "A sawtooth";
  Real y = delay(x, 0.25);
  Boolean high = y >= 0.5;
  Integer ticks(start = 0, fixed = true) "Events just behind the jumps of y, each 1 s";
  Integer falls(start = 0, fixed = true);
  Real above(start = 0, fixed = true) "How long y was high";
  Real error = above - (if time < 0.75 then 0 else if time < 1.25 then time - 0.75 else if time < 1.75 then 0.5 else
    if time < 2.25 then time - 1.25 else if time < 2.75 then 1 else if time < 3.25 then time - 1.75 else 1.5);
equation
  der(x) = 1;
  der(above) = if high then 1 else 0;
  when sample(1, 1) then
    reinit(x, 0);
  end when;
  when sample(1.255, 1) then
    ticks = pre(ticks) + 1;
  end when;
  when not high then
    falls = pre(falls) + 1;
  end when;
end DelayedJumpBeforeEvent;
