// MLS 8.3.5.3: events that coincide but for rounding are one, and the first branch goes.
// simulate: --stop 9 --interval 0.17
// methods: ida cvode esdirk dopri5
// ends: a 1 0
// ends: b 1 0
// ends: c 1 0
// ends: d 1 0
// ends: f 2 0
// ends: late 1 0
model EventsByRounding
  "states that pass their limits at the time at which another state does, a sample, or time itself"
  parameter Real r = 0.3;
  Real x(start = 0, fixed = true), y(start = -2, fixed = true), z(start = 5, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true),
    d(start = 0, fixed = true), f(start = 0, fixed = true), late(start = 0, fixed = true);
equation
  der(x) = r;
  der(y) = 3*r;
  der(z) = -5*r;
  when x >= 1 then
    a = pre(a) + 1;
  elsewhen time >= 1/r then
    a = pre(a) + 10;
  end when;
  when y >= 1 then
    b = pre(b) + 1;
  elsewhen x >= 1 then
    b = pre(b) + 10;
  end when;
  when x >= 1 then
    c = pre(c) + 1;
  elsewhen y >= 1 then
    c = pre(c) + 10;
  end when;
  when z <= 0 then
    d = pre(d) + 1;
  elsewhen {x >= 1, y >= 1} then
    d = pre(d) + 10;
  end when;
  when sample(1/r, 1/r) then
    f = pre(f) + 1;
  elsewhen x >= 1 then
    f = pre(f) + 10;
  elsewhen x >= 2 then
    f = pre(f) + 100;
  end when;
  // what comes near to zero without passing it changes nothing at the events of others
  when exp(-10*time) <= 0 then
    late = pre(late) + 10;
  elsewhen time >= 5 then
    late = pre(late) + 1;
  end when;
end EventsByRounding;
