within Linkage.Drives;
model RotationalFixed "Flange that does not move"
  Interfaces.RotationalFlange flange "Flange held in place"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Angle phi_0 = 0 "Angle of the flange";
equation
  flange.phi = phi_0;
  annotation(
    Icon(graphics = {
      Line(points = {{-60, -40}, {60, -40}}, color = {38, 58, 92}, thickness = 1),
      Line(points = {{-40, -40}, {-60, -60}}, color = {38, 58, 92}),
      Line(points = {{-10, -40}, {-30, -60}}, color = {38, 58, 92}),
      Line(points = {{20, -40}, {0, -60}}, color = {38, 58, 92}),
      Line(points = {{50, -40}, {30, -60}}, color = {38, 58, 92}),
      Line(points = {{0, -40}, {0, 0}, {90, 0}}, color = {38, 58, 92}),
      Ellipse(extent = {{-14, -14}, {14, 14}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The housing at the other end of a spring or a gear, for drives that act between a joint and
something at rest.</p>
</html>"));
end RotationalFixed;
