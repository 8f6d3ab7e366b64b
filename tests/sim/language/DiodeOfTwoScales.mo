// MLS appendix B: what a relation compares is a volt on one side of zero and a thousand amperes on the
// other; it changes where it crosses zero, not before
// simulate: --stop 1.2 --tolerance 1e-9
// methods: ida dopri5 esdirk
// ends: n 3 0
// ends: q 2911.70124446 0.001
model DiodeOfTwoScales
  parameter Real R = 1e-3, pi = 3.141592653589793;
  Real s "current or voltage", v, i, u, q(start = 0, fixed = true);
  Boolean off = s < 0;
  Integer n(start = 0, fixed = true);
equation
  u = 9*sin(2*pi*time - 1);
  u = v + R*i;
  v = s*(if off then 1 else 0);
  i = s*(if off then 0 else 1);
  der(q) = i;
  when change(off) then
    n = pre(n) + 1;
  end when;
end DiodeOfTwoScales;
