within Linkage.Points;
model Anchor "Point that does not move"
  Place place "Where it is";
  parameter Units.Length r[3] = {0, 0, 0} "Position, resolved in the world frame";
equation
  place.r = r;
  annotation(
    Icon(graphics = {
      Polygon(points = {{0, 20}, {-60, -60}, {60, -60}, {0, 20}}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p><code>place.f</code> less its sign is what the mechanism does to the ground.</p>
</html>"));
end Anchor;
