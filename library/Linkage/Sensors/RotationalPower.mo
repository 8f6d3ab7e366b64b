within Linkage.Sensors;
model RotationalPower "Torque and power that pass from flange_a to flange_b"
  Interfaces.RotationalFlange flange_a "From here"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "To here"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  output Units.Torque tau "Torque on what is behind flange_b";
  output Units.Power P "Power that passes to it";
equation
  flange_a.phi = flange_b.phi;
  flange_a.tau + flange_b.tau = 0;
  tau = flange_a.tau;
  P = tau*der(flange_a.phi);
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{-100, 0}, {100, 0}}),
      Text(extent = {{-60, 50}, {60, 5}}, textString = "tau P"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html><p>Stands between a drive and the flange of a joint.</p></html>"));
end RotationalPower;
