// simulate: --stop 1
// methods: ida dopri5 esdirk
// zero: error 1e-6
// zero: beyond 1e-9
// moves: y 0.05
model HomotopyStart "MLS 3.7.4.4: of three solutions the one that the simplified problem leads to"
  Real x(start = 0, fixed = true), y, h, error, beyond;
  Real v, u;
equation
  der(x) = y;
  0 = homotopy((y - 1)*(y - 2)*(y - 3 - time/10), y - 3.2);
  error = x - 3*time - time^2/20;
  // a comparator with feedback, by relations: both ends are solutions, the lower one is meant
  u = v/2 + 0.1*(1 - x);
  v = homotopy(smooth(0, if 1000*u > 1 then 1 else if 1000*u < -1 then -1 else 1000*u), -1);
  // parts of homotopy() inside of another, and of what is known
  h = homotopy(2*homotopy(y, 0) + homotopy(x, 1), 7);
  beyond = abs(h - 2*y - x) + abs(v + 1);
end HomotopyStart;
