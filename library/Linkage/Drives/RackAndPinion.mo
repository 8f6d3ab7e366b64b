within Linkage.Drives;
model RackAndPinion "Ideal gear between a shaft and a rod"
  Interfaces.RotationalFlange pinion "The shaft"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.TranslationalFlange rack "The rod"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Length radius = 0.1
    "Way of the rack for each radian of the pinion; negative: the other way";
equation
  rack.s = radius*pinion.phi;
  radius*rack.f + pinion.tau = 0;
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-40, -20}, {40, 60}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-90, -40}, {90, -20}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info =
      "<html><p>Also a wheel that rolls on a rail, and a drum that takes up a rope.</p></html>"));
end RackAndPinion;
