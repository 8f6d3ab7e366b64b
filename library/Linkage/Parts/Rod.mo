within Linkage.Parts;
model Rod "Uniform slender rod"
  extends Interfaces.TwoFrames;
  parameter Units.Length r[3] = {1, 0, 0} "From frame_a to frame_b, resolved in frame_a";
  parameter Units.Mass m = 1 "Mass";
  FixedTranslation arm(final r = r) "Its line";
  Body body(final m = m, final r_CM = r/2, final I_11 = m/12*(r[2]^2 + r[3]^2),
    final I_22 = m/12*(r[3]^2 + r[1]^2), final I_33 = m/12*(r[1]^2 + r[2]^2),
    final I_21 = -m/12*r[1]*r[2], final I_31 = -m/12*r[1]*r[3], final I_32 = -m/12*r[2]*r[3])
    "Its mass";
  Units.Energy E = body.E "Total energy";
equation
  connect(frame_a, arm.frame_a);
  connect(frame_a, body.frame_a);
  connect(arm.frame_b, frame_b);
end Rod;
