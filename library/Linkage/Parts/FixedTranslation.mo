within Linkage.Parts;
model FixedTranslation "Massless rod: frame_b is frame_a moved by a fixed vector"
  extends Interfaces.TwoFrames;
  parameter Units.Length r[3] = {0, 0, 0} "From frame_a to frame_b, resolved in frame_a";
equation
  Connections.branch(frame_a.m, frame_b.m);
  frame_b.m.r = frame_a.m.r + transpose(frame_a.m.T)*r;
  frame_b.m.T = frame_a.m.T;
  frame_b.m.v = frame_a.m.v + cross(frame_a.m.w, r);
  frame_b.m.w = frame_a.m.w;
  frame_b.m.a = frame_a.m.a + cross(frame_a.m.z, r) + Frames.centripetal(frame_a.m.w)*r;
  frame_b.m.z = frame_a.m.z;

  frame_a.f + frame_b.f = zeros(3);
  frame_a.t + frame_b.t + cross(r, frame_b.f) = zeros(3);
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-90, -6}, {90, 6}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name"),
      Text(extent = {{-100, -40}, {100, -75}}, textString = "r=%r")}),
    Documentation(info = "<html>
<p>Carries forces and torques, and has no mass: the arm between a joint and a body, or between two
joints.</p>
</html>"));
end FixedTranslation;
