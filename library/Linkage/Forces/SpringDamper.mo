within Linkage.Forces;
model SpringDamper "Massless spring and damper along the line between two frames' origins"
  extends Interfaces.TwoFrames;
  parameter Units.Stiffness c = 1 "Stiffness";
  parameter Units.Damping d = 0 "Damping";
  parameter Units.Length s_0 = 0 "Length without force";
  Units.Length s(min = 0) "Distance of the origins";
  Units.Velocity v "Speed at which the distance grows";
  Units.Force f "Force, positive for tension";
  Units.Energy V "Energy in the spring";
protected
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in the world frame";
  Units.Cosine e[3] "Direction from frame_a to frame_b, resolved in the world frame";
equation
  r_rel = frame_b.m.r - frame_a.m.r;
  s = sqrt(r_rel*r_rel);
  e = r_rel/s;
  v = (frame_b.m.T*e)*frame_b.m.v - (frame_a.m.T*e)*frame_a.m.v;
  f = c*(s - s_0) + d*v;
  V = 0.5*c*(s - s_0)^2;

  frame_a.f = -frame_a.m.T*(e*f);
  frame_b.f = frame_b.m.T*(e*f);
  frame_a.t = zeros(3);
  frame_b.t = zeros(3);
  annotation(
    __rung(look(coil(a = frame_a, b = frame_b, c = c, d = d))),
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
<p>The two origins must not meet: the line between them then has no direction.</p>
</html>"));
end SpringDamper;
