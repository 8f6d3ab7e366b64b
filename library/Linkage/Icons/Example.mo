within Linkage.Icons;
partial model Example "A model to run as it stands"
  annotation(Icon(graphics = {
    Ellipse(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
      fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid),
    Polygon(points = {{-40, 60}, {65, 0}, {-40, -60}}, lineColor = {38, 58, 92},
      fillColor = {110, 170, 120}, fillPattern = FillPattern.Solid)}));
end Example;
