within Linkage.Interfaces;
model ExtentTap "One side of a constraint of lengths"
  input Units.Length s "Length on this side";
  ExtentPort port "To the other side";
  Units.Force f = port.f "Force of the constraint, which works on s";
equation
  Connections.root(port.e);
  port.e.s = s;
  annotation(Icon(graphics = {
    Polygon(points = {{-60, 60}, {60, 0}, {-60, -60}}, lineColor = {38, 58, 92},
      fillColor = {230, 190, 90}, fillPattern = FillPattern.Solid)}));
end ExtentTap;
