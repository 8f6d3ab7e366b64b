// MLS 8.5: what is zero but for rounding crosses nothing
// simulate: --stop 10
// methods: ida dopri5 esdirk
// ends: n 0 0
// ends: x 0 1e-12
model AtRest
  parameter Real push = 0.1, pull = 0.3, more = 0.2;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if v > 0 then push + more - pull - 1e-3 else push + more - pull;
  when v > 0 then
    n = pre(n) + 1;
  end when;
end AtRest;
