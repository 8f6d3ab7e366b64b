within Linkage.Sensors;
model TranslationalMotion "Position, velocity and acceleration of a flange"
  Interfaces.TranslationalFlange flange "Flange looked at"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  output Units.Length s "Position";
  output Units.Velocity v "Derivative of s";
  output Units.Acceleration a "Derivative of v";
equation
  s = flange.s;
  v = der(s);
  a = der(v);
  flange.f = 0;
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{-100, 0}, {-70, 0}}),
      Text(extent = {{-60, 30}, {60, -30}}, textString = "s v a"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html><p>For controllers: connect it where the drive is.</p></html>"));
end TranslationalMotion;
