// simulate: --set a=0.1
// zero: off 1e-9
// moves: f 0.1
model PivotOfSums "into a singular position, where a pivot is a sum of sums that are rounding"
  parameter Real a = 0.1, b = 3*a, e = 0.5;
  Real phi(start = 1.5, fixed = true), u, v, w, y, f, g;
  Real off = if time > 0.5 then abs(f - 2) + abs(g - 1) else 0;
equation
  der(phi) = 0;
  when time > 0.5 then
    reinit(phi, a*(1 + 1e-15));
  end when;
  u = cos(a)*cos(phi) + sin(a)*sin(phi);
  v = cos(b)*cos(3*phi) + sin(b)*sin(3*phi);
  w = cos(a)*sin(phi) - sin(a)*cos(phi);
  y = cos(b)*sin(3*phi) - sin(b)*cos(3*phi);
  (w + e*y)*f + (u + e*v)*g = 1 + e;
  (u - e*v)*f + (w + e*y)*g = 2*(1 - e);
end PivotOfSums;
