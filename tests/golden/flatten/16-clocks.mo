model Clocks "clocks, and what is done with them"
  Clock c = Clock(0.1);
  Clock fast = superSample(c, factor = 2);
  Real u = sin(time);
  Real y;
  Real x(start = 0);
  Real v[2];
  Real last;
  Real late = shiftSample(x, 1, 2);
  Integer n(start = 0);
  Boolean first;
  Boolean tick = sample(0, 1) "this one is an event";
equation
  y = sample(u, c);
  when c then
    x = previous(x) + y*interval(y);
    n = previous(n) + 1;
    first = firstTick(y);
  end when;
  v = {hold(x), subSample(shiftSample(x, 1, 2), 2)};
  last = backSample(late, 1, 2) + noClock(x);
end Clocks;
