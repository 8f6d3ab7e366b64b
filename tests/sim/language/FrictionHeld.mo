// simulate: --stop 2 --tolerance 1e-9
// zero: error_force 1e-7
// zero: error_v 1e-6
// ends: sticks 0 0
// moves: v 0.3
model FrictionHeld "a mass starts held by dry friction, and is asked not to accelerate, which friction says too"
  constant Real f0 = 1;
  Real v(start = 0, fixed = true), a, force(start = 0), friction, s "path along the characteristic";
  Boolean starts(start = false, fixed = true), slides(start = false, fixed = true), sticks;
  Real error_force = force - time, error_v = v - max(0, time - 1)^2/2;
initial equation
  der(v) = 0; // what is said of `force` is nothing: it is 0 as guessed
equation
  der(v) = a;
  der(force) = 1;
  a = force - friction;
  starts = not pre(slides) and s > f0;
  sticks = not (pre(slides) or starts);
  slides = pre(slides) or v > 0;
  a = if sticks then 0 else s - f0;
  friction = if sticks then s else f0;
end FrictionHeld;
