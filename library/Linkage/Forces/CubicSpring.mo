within Linkage.Forces;
model CubicSpring "Massless spring between two frames' origins that stiffens as it is deflected"
  extends Interfaces.TwoFrames;
  parameter Units.Stiffness c = 1 "Stiffness at its length without force";
  parameter Real c_3(unit = "N/m3") = 0 "Force by the cube of its deflection, added to that";
  parameter Units.Length s_0 = 0 "Length without force";
  Units.Length s(min = 0) "Distance of the origins";
  Units.Force f "Force, positive for tension";
  Units.Energy V "Energy in the spring";
protected
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in the world frame";
  Units.Cosine e[3] "Direction from frame_a to frame_b, resolved in the world frame";
equation
  r_rel = frame_b.m.r - frame_a.m.r;
  s = sqrt(r_rel*r_rel);
  e = r_rel/s;
  f = c*(s - s_0) + c_3*(s - s_0)^3;
  V = 0.5*c*(s - s_0)^2 + 0.25*c_3*(s - s_0)^4;

  frame_a.f = -frame_a.m.T*(e*f);
  frame_b.f = frame_b.m.T*(e*f);
  frame_a.t = zeros(3);
  frame_b.t = zeros(3);
  annotation(
    __rung(look(coil(a = frame_a, b = frame_b, c = c, d = 0))),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, 0}}, color = {38, 58, 92}),
      Line(points = {{-60, 0}, {-48, 18}, {-24, -18}, {0, 18}, {24, -18}, {48, 18}, {60, 0}},
        color = {38, 58, 92}),
      Line(points = {{60, 0}, {90, 0}}, color = {38, 58, 92}),
      Line(points = {{-60, -60}, {-20, -45}, {20, -15}, {50, 50}}, smooth = Smooth.Bezier,
        color = {38, 58, 92}),
      Text(extent = {{-100, 100}, {100, 65}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The law of coil springs with bump stops in measured tables, near enough:
<code>f = c x + c_3 x<sup>3</sup></code>. The two origins must not meet: the line between them then has no direction.</p>
</html>"));
end CubicSpring;
