within Linkage.Drives;
model TranslationalSpringDamper "Linear spring and damper in parallel between two flanges"
  Interfaces.TranslationalFlange flange_a "First end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.TranslationalFlange flange_b "Second end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Stiffness c = 1 "Stiffness";
  parameter Units.Damping d = 0 "Damping";
  parameter Units.Length s_rel_0 = 0 "s_rel without force";
  Units.Length s_rel "Position of flange_b against flange_a";
  Units.Velocity v_rel "Derivative of s_rel";
  Units.Force f "Force of spring and damper, positive where it pulls s_rel back";
  Units.Energy V "Energy in the spring";
equation
  s_rel = flange_b.s - flange_a.s;
  v_rel = der(s_rel);
  f = c*(s_rel - s_rel_0) + d*v_rel;
  V = 0.5*c*(s_rel - s_rel_0)^2;
  flange_b.f = f;
  flange_a.f = -f;
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
<p>The force is <code>c*(s_rel - s_rel_0) + d*v_rel</code>, with the distance from
<code>flange_a</code> to <code>flange_b</code>. On the flange of a joint and a <a
href=\"modelica://Linkage.Drives.TranslationalFixed\">TranslationalFixed</a> it is a spring in the
joint.</p>
</html>"));
end TranslationalSpringDamper;
