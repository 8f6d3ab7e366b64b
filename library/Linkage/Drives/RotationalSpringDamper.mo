within Linkage.Drives;
model RotationalSpringDamper "Linear spring and damper in parallel between two flanges"
  Interfaces.RotationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.RotationalStiffness c = 1 "Stiffness";
  parameter Units.RotationalDamping d = 0 "Damping";
  parameter Units.Angle phi_rel_0 = 0 "phi_rel without torque";
  Units.Angle phi_rel "Angle of flange_b against flange_a";
  Units.AngularVelocity w_rel "Derivative of phi_rel";
  Units.Torque tau "Torque of spring and damper, positive where it pulls phi_rel back";
  Units.Energy V "Energy in the spring";
equation
  phi_rel = flange_b.phi - flange_a.phi;
  w_rel = der(phi_rel);
  tau = c*(phi_rel - phi_rel_0) + d*w_rel;
  V = 0.5*c*(phi_rel - phi_rel_0)^2;
  flange_b.tau = tau;
  flange_a.tau = -tau;
  annotation(
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, 0}}, color = {38, 58, 92}),
      Line(points = {{-60, 30}, {-60, -30}}, color = {38, 58, 92}),
      Line(points = {{-60, 30}, {-48, 48}, {-24, 12}, {0, 48}, {24, 12}, {48, 48}, {60, 30}},
        color = {38, 58, 92}),
      Line(points = {{-60, -30}, {-10, -30}}, color = {38, 58, 92}),
      Line(points = {{-20, -12}, {30, -12}}, color = {38, 58, 92}),
      Line(points = {{-20, -48}, {30, -48}}, color = {38, 58, 92}),
      Line(points = {{30, -12}, {30, -48}}, color = {38, 58, 92}),
      Line(points = {{-10, -18}, {-10, -42}}, color = {38, 58, 92}, thickness = 1),
      Line(points = {{30, -30}, {60, -30}}, color = {38, 58, 92}),
      Line(points = {{60, 30}, {60, -30}}, color = {38, 58, 92}),
      Line(points = {{60, 0}, {90, 0}}, color = {38, 58, 92}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name"),
      Text(extent = {{-100, -65}, {100, -98}}, textString = "c=%c")}),
    Documentation(info = "<html>
<p>The torque is <code>c*(phi_rel - phi_rel_0) + d*w_rel</code>, with the angle from
<code>flange_a</code> to <code>flange_b</code>. On the flange of a joint and a <a
href=\"modelica://Linkage.Drives.RotationalFixed\">RotationalFixed</a> it is a spring in the
joint.</p>
</html>"));
end RotationalSpringDamper;
