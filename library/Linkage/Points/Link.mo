within Linkage.Points;
model Link "Rigid link without mass: keeps two points at one distance"
  extends TwoPlaces;
  parameter Units.Length l(min = 0) = 1 "Length, not zero";
  Units.Force f "Force, positive for tension";
protected
  // the gradient of the square by twice the length is a unit vector where the length is kept
  Interfaces.ExtentTap square(s = r_rel*r_rel/(2*l)) "Square of the distance by 2 l";
  Interfaces.ExtentTap wanted(s = l/2) "What it is to be";
equation
  connect(square.port, wanted.port);
  f = square.f;
  place_b.f = r_rel/l*f;
  place_a.f + place_b.f = zeros(3);
  annotation(
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, thickness = 1),
      Text(extent = {{-100, 80}, {100, 40}}, textString = "%name")}),
    Documentation(info = "<html>
<p>One constraint. Several links may say the same thing; what each of them carries is then the part
of least magnitude.</p>
</html>"));
end Link;
