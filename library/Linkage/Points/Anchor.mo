within Linkage.Points;
model Anchor "Point that does not move"
  Place place "Where it is" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  parameter Units.Length r[3] = {0, 0, 0} "Position, resolved in the world frame";
equation
  place.r = r;
  annotation(
    __rung(look(anchor(frame = place))),
    Icon(graphics = {
      Polygon(points = {{0, 20}, {-60, -60}, {60, -60}, {0, 20}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p><code>place.f</code> less its sign is what the mechanism does to the ground.</p>
</html>"));
end Anchor;
