// simulate: --stop 10
// methods: esdirk dopri5 ida cvode
// ends: n 1 0
// ends: m 1 0
// ends: k 1 0
// ends: p 1 0
// ends: none 0 0
// ends: flat 0 0
model DipsInLongSteps
  "Relations that hold for a moment of a long step, between values that are large against the dip"
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true),
    k(start = 0, fixed = true), p(start = 0, fixed = true), none(start = 0, fixed = true),
    flat(start = 0, fixed = true);
equation
  der(x) = 1;
  when (x - 2.1)*(x - 2.100001) < 0 then
    n = pre(n) + 1;
  end when;
  when (x - 7.1)*(x - 7.1000001) < 0 then
    m = pre(m) + 1;
  end when;
  when 1e6*(x - 5.3)*(x - 5.300001) < 0 then
    k = pre(k) + 1;
  end when;
  when (time - 3.3)*(x - 3.300001) < 0 then
    p = pre(p) + 1;
  end when;
  // it touches zero
  when (x - 4.4)^2 < 0 then
    none = pre(none) + 1;
  end when;
  // rounding alone dips below zero
  when log(exp(sin(x))) - sin(x) < 0 and x > 0.1 then
    flat = pre(flat) + 1;
  end when;
end DipsInLongSteps;
