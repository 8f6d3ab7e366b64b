// A switch with an arc opens twice. While it is closed nothing reads the relation that quenches the arc, which has been
// true since the first time; when it opens again the relation is as it was before, false, and the arc burns once more.
// simulate: --stop 2 --tolerance 1e-8
// methods: gear ida esdirk
// zero: error 1e-5
// ends: n 2 1e-12
model ArcTwice "A coil of 0.1 H and 1 Ohm at 50 V, an arc of 60 V"
  parameter Real G = 1e-5, R_on = 1e-5;
  Real i(start = 0, fixed = true), v;
  Boolean off = time - floor(time) >= 0.5, quenched(start = true, fixed = true);
  discrete Integer n(start = 0, fixed = true) "arcs quenched";
  // of the current when it opens, and while the arc burns
  Real first = 50/(1 + R_on)*(1 - exp(-5*(1 + R_on))), since = time - noEvent(floor(time)) - 0.5;
  Real error = noEvent(if since > 0 and since < 0.17 then i + 10 - (first + 10)*exp(-10*since) else 0);
equation
  quenched = off and (abs(i) <= abs(v)*G or pre(quenched));
  if off then
    if quenched then
      i = G*v;
    else
      v = 60*sign(i);
    end if;
  else
    v = R_on*i;
  end if;
  0.1*der(i) = 50 - i - v;
  when off and quenched then
    n = pre(n) + 1;
  end when;
end ArcTwice;
