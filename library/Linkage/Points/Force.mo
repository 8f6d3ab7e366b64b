within Linkage.Points;
model Force "Force on a point"
  Place place "Point acted on"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  input Units.Force f[3] "Force on the point, resolved in the world frame";
equation
  place.f = -f;
  annotation(
    __rung(look(arrow(frame = place, f = place.f))),
    Icon(graphics = {
      Line(points = {{-90, 0}, {80, 0}}, arrow = {Arrow.None, Arrow.Filled}, thickness = 1),
      Text(extent = {{-100, 80}, {100, 40}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Give the input in a modification: <code>Points.Force push(f = {sin(time), 0, 0})</code>.</p>
</html>"));
end Force;
