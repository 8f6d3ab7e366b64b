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
end FixedTranslation;
