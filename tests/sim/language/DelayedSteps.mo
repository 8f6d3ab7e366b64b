// MLS 3.7.2, 3.7.4.1: what is delayed jumps between events, up and down to whole numbers, and there it
// is an event
// simulate: --stop 1.05 --interval 0.5
// methods: ida dopri5 esdirk
// ends: n 10 0
// ends: at_step 1.037 1e-9
// ends: area 3.05 1e-9
// ends: late 0 0
model DelayedSteps
  Integer x(start=1, fixed=true), y, n(start=0,fixed=true);
  Real xr, d, area(start = 0, fixed = true);
  discrete Real at_step(start = 0, fixed = true), fifth(start = 0, fixed = true);
  Integer late "the step to 5 is seen by a relation, too";
equation
  when sample(0.1, 0.1) then
    x = if pre(x) >= 5 then 1 else pre(x) + 1;
  end when;
  xr = pre(x);
  d = delay(xr, 0.037);
  y = integer(d);
  when change(y) then
    n = pre(n) + 1;
    at_step = time;
  end when;
  der(area) = y;
  when d >= 5 then
    fifth = time;
  end when;
  late = if time > 0.5 and noEvent(abs(fifth - 0.437) > 1e-9 and abs(fifth - 0.937) > 1e-9) then 1 else 0;
end DelayedSteps;
