within Linkage.Sensors;
model Angles "Cardan angles of one frame against another"
  extends Interfaces.TwoFrames;
  output Units.Angle phi[3] "Angles about x, then about the y then met, then about the z then met";
  output Units.Angle angle "Of the one turn that does the same, from 0 to pi";
protected
  Units.Cosine T_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  Real axis[3](each unit = "1") "Axis of that turn times twice the sine";
equation
  T_rel = frame_b.m.T*transpose(frame_a.m.T);
  phi[1] = atan2(-T_rel[3, 2], T_rel[3, 3]);
  phi[2] = atan2(T_rel[3, 1], sqrt(T_rel[1, 1]^2 + T_rel[2, 1]^2));
  phi[3] = atan2(-T_rel[2, 1], T_rel[1, 1]);
  axis = {T_rel[2, 3] - T_rel[3, 2], T_rel[3, 1] - T_rel[1, 3], T_rel[1, 2] - T_rel[2, 1]};
  angle = atan2(sqrt(axis*axis), T_rel[1, 1] + T_rel[2, 2] + T_rel[3, 3] - 1);
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  frame_b.f = zeros(3);
  frame_b.t = zeros(3);
  annotation(
    __rung(look(none)),
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{-100, 0}, {-70, 0}}),
      Line(points = {{70, 0}, {100, 0}}),
      Line(points = {{50, -30}, {-50, -30}, {30, 40}}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>From -pi to pi, the second from -pi/2 to pi/2; where the second is a right angle the first and
the
third cannot be told apart.</p>
</html>"));
end Angles;
