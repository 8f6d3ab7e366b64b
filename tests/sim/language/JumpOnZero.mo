// simulate: --stop 1.5
// methods: ida esdirk dopri5
// zero: wrong 0
// moves: x 0.9
model JumpOnZero "A relation that jumps where a state passes zero, at the very time of an event, is itself behind it"
  Real x(start = -1, fixed = true);
  discrete Real d(start = -0.03, fixed = true);
  Boolean c = tanh(d) > sign(x);
  // an event is where it is but for rounding
  Real wrong = noEvent(if abs(x) < 1e-6 or abs(x) > 0.499 or (c and x < 0) or (not c and x > 0) then 0 else 1);
equation
  der(x) = 2.5;
  when sample(0.1, 0.1) then
    d = -0.03;
  end when;
  when x > 0.5 then
    reinit(x, -0.5);
  end when;
end JumpOnZero;
