within Linkage.Interfaces;
model PivotTap "One side of a ball joint"
  Pivot point "Its middle";
  annotation(Icon(graphics = {
    Polygon(points = {{-60, 60}, {60, 0}, {-60, -60}}, lineColor = {38, 58, 92},
      fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));
end PivotTap;
