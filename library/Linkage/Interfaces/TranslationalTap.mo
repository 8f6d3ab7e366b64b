within Linkage.Interfaces;
model TranslationalTap "A joint's own end of its drive flange, which may be absent"
  input Units.Length s "Position of the joint";
  Units.Force f "Force of the drive on the joint; zero where nothing is connected";
  TranslationalFlange flange "To the joint's conditional flange";
equation
  flange.s = s;
  flange.f = f;
  annotation(Icon(graphics = {
    Polygon(points = {{-60, 60}, {60, 0}, {-60, -60}}, lineColor = {38, 58, 92},
      fillColor = {70, 150, 100}, fillPattern = FillPattern.Solid)}));
end TranslationalTap;
