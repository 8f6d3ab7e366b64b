within Linkage.Vehicles;
partial model Course "Where a driver wants to go"
  input Units.Length x "Where, forwards";
  Units.Length y "How far to the left there";
  annotation(Icon(graphics = {
    Line(points = {{-90, -40}, {-40, -40}, {0, 40}, {40, 40}, {90, -40}}, smooth = Smooth.Bezier,
      pattern = LinePattern.Dash, thickness = 1),
    Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}));
end Course;
