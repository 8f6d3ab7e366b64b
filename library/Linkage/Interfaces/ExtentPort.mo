within Linkage.Interfaces;
connector ExtentPort "A length that a constraint holds, and the force of that constraint"
  Extent e "Length";
  flow Units.Force f "Force of the constraint";
  annotation(Icon(graphics = {
    Polygon(points = {{-100, 0}, {0, 100}, {100, 0}, {0, -100}}, lineColor = {38, 58, 92},
      fillColor = {230, 190, 90}, fillPattern = FillPattern.Solid)}));
end ExtentPort;
