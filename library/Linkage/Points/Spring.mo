within Linkage.Points;
model Spring "Spring and damper between two points"
  extends TwoPlaces;
  parameter Units.Stiffness c = 1 "Stiffness";
  parameter Units.Damping d = 0 "Damping";
  parameter Units.Length l_0 = 0 "Length without force";
  Units.Length l(min = 0) "Distance of the points";
  Units.Force f "Force, positive for tension";
  Units.Energy V "Energy in the spring";
equation
  l = sqrt(r_rel*r_rel);
  f = c*(l - l_0) + d*(r_rel*der(r_rel))/l;
  V = 0.5*c*(l - l_0)^2;
  place_b.f = r_rel/l*f;
  place_a.f + place_b.f = zeros(3);
  annotation(
    __rung(look(coil(a = place_a, b = place_b, c = c, d = d))),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, 0}, {-50, 30}, {-30, -30}, {-10, 30}, {10, -30}, {30, 30},
        {50, -30}, {60, 0}, {90, 0}}),
      Text(extent = {{-100, 80}, {100, 40}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The points must not meet: the line between them then has no direction.</p>
</html>"));
end Spring;
