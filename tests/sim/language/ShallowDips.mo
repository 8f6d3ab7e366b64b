// methods: esdirk dopri5 ida cvode
// ends: n 1 0
// ends: m 1 0
// ends: k 1 0
model ShallowDips "a relation that holds where its zero-crossing function hardly falls below zero"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = cos(y);
  when (x-0.512345)^2 < 1e-12 then
    n = pre(n) + 1;
  end when;
  when abs(x-0.512345) < 1e-6 then
    m = pre(m) + 1;
  end when;
  when (y-0.4)^2 < 1e-13 then
    k = pre(k) + 1;
  end when;
end ShallowDips;
