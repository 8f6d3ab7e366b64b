within Linkage.Parts;
model FixedRotation "frame_b is frame_a turned by a fixed angle about a fixed axis"
  extends Interfaces.TwoFrames;
  parameter Units.Axis n = {1, 0, 0} "Axis of the rotation, resolved in frame_a (and frame_b)"
    annotation(Evaluate = true);
  parameter Units.Angle angle = 0 "Angle of frame_b against frame_a, right-handed about n";
protected
  final parameter Units.Cosine R_rel[3, 3] = Frames.axisRotation(Frames.unit(n), angle)
    "Rotation matrix from frame_a to frame_b";
equation
  Connections.branch(frame_a.m, frame_b.m);
  frame_b.m.r = frame_a.m.r;
  if Connections.rooted(frame_a.m) then
    frame_b.m.T = R_rel*frame_a.m.T;
    frame_b.m.v = R_rel*frame_a.m.v;
    frame_b.m.w = R_rel*frame_a.m.w;
    frame_b.m.a = R_rel*frame_a.m.a;
    frame_b.m.z = R_rel*frame_a.m.z;
    frame_a.f = -transpose(R_rel)*frame_b.f;
    frame_a.t = -transpose(R_rel)*frame_b.t;
  else
    frame_a.m.T = transpose(R_rel)*frame_b.m.T;
    frame_a.m.v = transpose(R_rel)*frame_b.m.v;
    frame_a.m.w = transpose(R_rel)*frame_b.m.w;
    frame_a.m.a = transpose(R_rel)*frame_b.m.a;
    frame_a.m.z = transpose(R_rel)*frame_b.m.z;
    frame_b.f = -R_rel*frame_a.f;
    frame_b.t = -R_rel*frame_a.t;
  end if;
  annotation(
    Icon(graphics = {
      Line(points = {{-84, 0}, {84, 0}}, color = {38, 58, 92}),
      Line(points = {{-84, 0}, {40, 60}}, color = {38, 58, 92}, pattern = LinePattern.Dash),
      Line(points = {{16, 0}, {16, 9}, {14, 18}, {12, 27}, {9, 36}, {6, 44}}, color = {38, 58, 92},
        arrow = {Arrow.None, Arrow.Filled}, arrowSize = 5, thickness = 0.5),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name"),
      Text(extent = {{-100, -40}, {100, -75}}, textString = "angle=%angle")}),
    Documentation(info = "<html>
<p>For a part that is both displaced and turned, let a <code>FixedTranslation</code> come
before or after.</p>
</html>"));
end FixedRotation;
