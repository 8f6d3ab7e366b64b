within Linkage.Drives;
model Force "Force on a flange"
  Interfaces.TranslationalFlange flange "Flange driven"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  input Units.Force f "Force on the flange";
equation
  flange.f = -f;
  annotation(
    Icon(graphics = {
      Line(points = {{-80, 0}, {84, 0}}, color = {190, 60, 30}, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 8, thickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Give the input in a modification: <code>Drives.Force motor(f = 2*sin(time))</code>.</p>
</html>"));
end Force;
