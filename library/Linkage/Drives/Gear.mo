within Linkage.Drives;
model Gear "Ideal gear between two shafts"
  Interfaces.RotationalFlange flange_a "First shaft"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "Second shaft"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Real ratio(unit = "1") = 1
    "Angle of flange_a for each of flange_b; negative: they turn against each other";
equation
  flange_a.phi = ratio*flange_b.phi;
  ratio*flange_a.tau + flange_b.tau = 0;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-40, -70}, {-10, 70}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = {{10, -30}, {40, 30}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Line(points = {{-100, 0}, {-40, 0}}),
      Line(points = {{40, 0}, {100, 0}}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>No power is lost. The support of its housing is not in the model: the difference of the torques goes
to the ground
or, where a joint's flange is driven, to what carries the joint.</p>
</html>"));
end Gear;
