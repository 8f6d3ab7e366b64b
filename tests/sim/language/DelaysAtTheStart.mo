// MLS 3.7.4.1: what is not delayed is what it is, given in the model or as a parameter; before the
// start a delayed expression is what it is at the start, with its relations
// simulate: --stop 2 --tolerance 1e-8
// methods: esdirk ida
// zero: literal 1e-12
// zero: parametric 1e-9
// zero: history 1e-8
// zero: chain 1e-8
// zero: feedback 1e-6
// moves: x 0.5
model DelaysAtTheStart
  parameter Real none = 0;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
  Real literal = delay(x, 0) - x, parametric = delay(sin(x), none) - sin(x);
  Real level = if x > 0 then 3 else 1, late = delay(level, 0.5), later = delay(late + 1, 0.25);
  Real history = if noEvent(time < 1.9) then late - 3 else 0;
  Real chain = if noEvent(time < 1.9) then later - 4 else 0;
  Real feedback = y - exp(-time);
equation
  der(x) = -x;
  der(y) = -delay(y, none);
end DelaysAtTheStart;
