within Linkage.Points;
connector Place "A point in space"
  Units.Length r[3] "Position, resolved in the world frame";
  flow Units.Force f[3] "Force into the component, resolved in the world frame";
  annotation(Icon(graphics = {
    Ellipse(extent = {{-60, -60}, {60, 60}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
      fillPattern = FillPattern.Solid)}));
end Place;
