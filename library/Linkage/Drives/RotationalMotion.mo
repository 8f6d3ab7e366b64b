within Linkage.Drives;
model RotationalMotion "Flange that moves as it is told"
  Interfaces.RotationalFlange flange "Flange driven"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  input Units.Angle phi "Angle of the flange";
equation
  flange.phi = phi;
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-60, -50}, {40, 50}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Line(points = {{-45, -20}, {-20, -20}, {-10, 20}, {25, 20}}, color = {38, 58, 92},
        thickness = 0.5),
      Line(points = {{40, 0}, {90, 0}}, color = {38, 58, 92}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Give the input in a modification: <code>Drives.RotationalMotion motor(phi = 150*time)</code>. The
torque is what the motion takes.</p>
</html>"));
end RotationalMotion;
