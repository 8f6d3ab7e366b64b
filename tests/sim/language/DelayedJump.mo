// A jump that comes delayed makes an event: its row before has what was before, and the audit finds
// nothing else.
// simulate: --stop 1 --tolerance 1e-8 --audit
// methods: ida esdirk dopri5
// ends: x 1 1e-7
// ends: right 1 0
model DelayedJump
  Real x(start = 0, fixed = true), y, z, jump = if time > 0.5 then 1 else 0;
  discrete Real right(start = 7, fixed = true);
equation
  y = delay(jump, 0.25);
  z = if y > 0.5 then 2 + y else y;
  when y > 0.5 then
    right = y;
  end when;
  der(x) = y + z;
end DelayedJump;
