// MLS appendix B: what an event puts to zero is zero, not what it was before
// simulate: --stop 2
// methods: ida dopri5 esdirk
// ends: idle 1.5 1e-9
// ends: off 2 0
model SetToZero
  discrete Real u(start = 0.5, fixed = true);
  Real x(start = 1, fixed = true), idle(start = 0, fixed = true);
  Boolean is_idle = u*x <= 0 "its right side moves";
  Integer off(start = 0, fixed = true);
equation
  when {time >= 0.5, time >= 1.25} then
    u = if time < 1 then 0 else -1;
  end when;
  der(x) = 0;
  der(idle) = if is_idle then 1 else 0;
  when {is_idle, u*x < 0} then
    off = pre(off) + 1;
  end when;
end SetToZero;
