within Linkage.Drives;
model TranslationalMotion "Flange that moves as it is told"
  Interfaces.TranslationalFlange flange "Flange driven"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  input Units.Length s "Position of the flange";
equation
  flange.s = s;
  annotation(
    Icon(graphics = {
      Line(points = {{-80, 0}, {80, 0}}, arrow = {Arrow.None, Arrow.Filled}, thickness = 1),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Give the input in a modification: <code>Drives.TranslationalMotion cylinder(s =
0.2*sin(time))</code>. The
force is what the motion takes.</p>
</html>"));
end TranslationalMotion;
