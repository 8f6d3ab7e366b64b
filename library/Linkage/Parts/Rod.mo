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
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-90, -16}, {90, 16}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name"),
      Text(extent = {{-100, -50}, {100, -85}}, textString = "m=%m")}),
    Documentation(info = "<html>
<p>A bar from <code>frame_a</code> to <code>frame_b</code> with its mass spread evenly over its
length, and no inertia about its own axis.</p>
</html>"));
end Rod;
