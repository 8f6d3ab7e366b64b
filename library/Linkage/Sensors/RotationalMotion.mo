within Linkage.Sensors;
model RotationalMotion "Position, velocity and acceleration of a flange"
  Interfaces.RotationalFlange flange "Flange looked at"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  output Units.Angle phi "Position";
  output Units.AngularVelocity w "Derivative of phi";
  output Units.AngularAcceleration a "Derivative of w";
equation
  phi = flange.phi;
  w = der(phi);
  a = der(w);
  flange.tau = 0;
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{-100, 0}, {-70, 0}}),
      Text(extent = {{-60, 30}, {60, -30}}, textString = "phi w a"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html><p>For controllers: connect it where the drive is.</p></html>"));
end RotationalMotion;
