within Linkage.Points;
model Bar "Uniform slender bar: a link with mass"
  extends TwoPlaces;
  parameter Units.Length l(min = 0) = 1 "Length, not zero";
  parameter Units.Mass m = 1 "Mass";
  Link link(final l = l) "Its line";
  BarMass mass(final m = m) "Its mass";
  Units.Force f = link.f "Force of the link, positive for tension";
  Units.Energy E = mass.E "Total energy";
equation
  connect(place_a, link.place_a);
  connect(place_b, link.place_b);
  connect(place_a, mass.place_a);
  connect(place_b, mass.place_b);
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-90, -12}, {90, 12}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 80}, {100, 40}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Its ends are points of the mechanism, which may have no mass of their own. It has no
inertia about its own line.</p>
</html>"));
end Bar;
