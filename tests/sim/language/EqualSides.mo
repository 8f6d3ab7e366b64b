// simulate: --stop 6 --tolerance 1e-11
// methods: ida esdirk cvode
// ends: i 0.0004999950000499995 1e-9
// agree: n 0
model EqualSides "A relation whose sides an equation makes equal is nothing but rounding, and no events"
  parameter Real G = 1e-5;
  Real i(start = 0, fixed = true), v;
  Boolean quenched(start = true, fixed = true);
  Integer n(start = 0, fixed = true) "how often it was not so";
equation
  quenched = abs(i) <= abs(v)*G or pre(quenched);
  when not quenched then
    n = pre(n) + 1;
  end when;
  i = G*v;
  10*der(i) = 50 - i - v;
end EqualSides;
