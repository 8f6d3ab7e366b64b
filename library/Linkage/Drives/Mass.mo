within Linkage.Drives;
model Mass "Mass on a rod"
  Interfaces.TranslationalFlange flange_a "One end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.TranslationalFlange flange_b "Other end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Mass m = 1 "Mass";
  Units.Length s(stateSelect = StateSelect.default) "Position";
  Units.Velocity v "Derivative of s";
  Units.Acceleration a "Derivative of v";
  Units.Energy T "Kinetic energy";
equation
  s = flange_a.s;
  s = flange_b.s;
  v = der(s);
  a = der(v);
  m*a = flange_a.f + flange_b.f;
  T = 0.5*m*v^2;
  annotation(
    Icon(graphics = {
      Line(points = {{-100, 0}, {100, 0}}),
      Rectangle(extent = {{-50, -50}, {50, 50}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Of the parts that a drive moves before its motion reaches a joint: rotors, gear wheels, racks. It feels
neither
gravity nor the motion of the joint's bodies; a <code>Parts.Body</code> on the joint does.</p>
</html>"));
end Mass;
