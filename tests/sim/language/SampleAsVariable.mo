// simulate: --stop 0.045
// methods: esdirk ida dopri5
// ends: n 5 1e-12
// ends: late 4 1e-12
// ends: x 0.27 1e-6
model SampleAsVariable "Clauses read a sample by Boolean variables, which are false again behind it"
  parameter Real period = 0.01;
  Boolean trigger, other, first(start = false, fixed = true);
  discrete Real t0(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), late(start = 0, fixed = true);
  Real x(start = 0, fixed = true), y;
equation
  late = if other and not pre(other) then pre(late) + 1 else pre(late);
  other = trigger and time > period/2;
  trigger = sample(0, period);
  when trigger then
    first = time <= period/2;
    t0 = time;
    n = pre(n) + 1;
  end when;
  y = if time < t0 + 0.3*period then 1 elseif time < t0 + 0.4*period then 2 else 3;
  der(x) = y*n;
end SampleAsVariable;
