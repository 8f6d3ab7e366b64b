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
  frame_b.m.T = R_rel*frame_a.m.T;
  frame_b.m.v = R_rel*frame_a.m.v;
  frame_b.m.w = R_rel*frame_a.m.w;
  frame_b.m.a = R_rel*frame_a.m.a;
  frame_b.m.z = R_rel*frame_a.m.z;

  frame_a.f = -transpose(R_rel)*frame_b.f;
  frame_a.t = -transpose(R_rel)*frame_b.t;
  annotation(Documentation(info = "<html>
<p>For a part that is both displaced and turned, let a <code>FixedTranslation</code> come
before or after.</p>
</html>"));
end FixedRotation;
