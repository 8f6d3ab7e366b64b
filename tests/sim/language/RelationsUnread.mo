// Relations that nothing reads in the present discrete state make no events. On the branch i = G*v of a quenched arc
// both sides of its relation are equal, but for rounding and the error of Newton's method; a hysteresis waits for one of
// its limits; the body of a when-clause reads its relation at its events. At events all have the values of then: `same`
// counts the changes of a hysteresis whose limits are equal.
// simulate: --stop 10 --tolerance 1e-8
// methods: dopri5 ida esdirk
// zero: error 1e-7
// zero: wrong 1e-12
// moves: switches 3
// ends: n 11 1e-12
// ends: same 1 1e-12
model RelationsUnread
  parameter Real G = 1e-3, k = 2e5;
  Real v0 = 100*sin(3*time)*exp(-time/10);
  Real u = v0 + k*(G*v0)^3 + 5*tanh(G*v0);
  Real v, i, w, x(start = 0, fixed = true);
  Boolean off = time < 7, quenched(start = true, fixed = true);
  Real error = (v - v0)/100;
  Real z(start = 0, fixed = true), s(start = 0, fixed = true), c(start = 1, fixed = true);
  Boolean y(start = false, fixed = true), b(start = false, fixed = true);
  discrete Integer n(start = 0, fixed = true), switches(start = 0, fixed = true);
  discrete Integer same(start = 0, fixed = true);
  // y falls back with s: above 0.5, and below it while s decreases
  Real expected = noEvent(if s > 0.5 or s > -0.5 and c < 0 then 1 else 0);
  Real wrong = noEvent(if abs(abs(s) - 0.5) < 1e-6 then 0 else expected - (if y then 1 else 0));
equation
  // as an ideal switch with an arc has it
  quenched = off and (abs(i) <= abs(v)*G or pre(quenched));
  u = v + w;
  w = k*i^3 + 5*tanh(i);
  if off then
    if quenched then
      i = G*v;
    else
      v = 10*sign(i);
    end if;
  else
    v = i/G;
  end if;
  der(x) = v;
  // s = sin(time)
  der(s) = c;
  der(c) = -s;
  y = if pre(y) then s > -0.5 else s > 0.5;
  when change(y) then
    switches = pre(switches) + 1;
  end when;
  when sample(0.25, 0.5) then
    n = if s > 0.2 then pre(n) + 1 else pre(n);
  end when;
  der(z) = 1;
  b = if pre(b) then not z < 1 else z >= 1;
  when change(b) then
    same = pre(same) + 1;
  end when;
end RelationsUnread;
