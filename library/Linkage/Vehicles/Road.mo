within Linkage.Vehicles;
partial model Road "Height of a road at one place"
  input Units.Length x "Where, forwards";
  input Units.Length y "Where, to the left";
  Units.Length h "Height";
  Real h_x(unit = "1") "How the height grows with x";
  Real h_y(unit = "1") "How the height grows with y";
  annotation(Icon(graphics = {
    Line(points = {{-100, -40}, {-40, -40}, {0, 20}, {40, -40}, {100, -40}}, smooth = Smooth.Bezier,
      thickness = 1),
    Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}));
end Road;
