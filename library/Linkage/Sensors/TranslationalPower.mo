within Linkage.Sensors;
model TranslationalPower "Force and power that pass from flange_a to flange_b"
  Interfaces.TranslationalFlange flange_a "From here"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.TranslationalFlange flange_b "To here"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  output Units.Force f "Force on what is behind flange_b";
  output Units.Power P "Power that passes to it";
equation
  flange_a.s = flange_b.s;
  flange_a.f + flange_b.f = 0;
  f = flange_a.f;
  P = f*der(flange_a.s);
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{-100, 0}, {100, 0}}),
      Text(extent = {{-60, 50}, {60, 5}}, textString = "f P"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html><p>Stands between a drive and the flange of a joint.</p></html>"));
end TranslationalPower;
