// simulate: --stop 2 --tolerance 1e-8
// zero: tried 1e-8
// zero: solved 1e-8
// moves: h 0.3
model AliasedRates "A factor of zero that may stay (damping), of a derivative that is an alias and nothing else reads"
  parameter Real C = 0, damping = 0;
  Real w(start = 0, fixed = true), s(start = 0, fixed = true), z = sin(time) + w, same = z, third = same, f, v(start = 0), other = v;
  Real h = damping*der(third) + s;
  Real tried = h - s, solved = v - (s - w)/2;
equation
  der(w) = sin(time) - w;
  der(s) = f;
  C*der(other) + 2*v = s - w;
  f = z - s;
end AliasedRates;
