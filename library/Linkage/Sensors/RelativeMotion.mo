within Linkage.Sensors;
model RelativeMotion "Position, velocity and acceleration of one frame against another"
  extends Interfaces.TwoFrames;
  output Units.Length r_rel[3] "From frame_a to frame_b, resolved in frame_a";
  output Units.Velocity v_rel[3] "Derivative of r_rel";
  output Units.Acceleration a_rel[3] "Derivative of v_rel";
  output Units.Cosine T_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  output Units.AngularVelocity w_rel[3]
    "Angular velocity of frame_b against frame_a, resolved in frame_b";
  output Units.AngularAcceleration z_rel[3] "Derivative of w_rel";
protected
  Units.Velocity v_b[3] "Velocity of frame_b, resolved in frame_a";
  Units.Acceleration a_b[3] "Proper acceleration of frame_b, resolved in frame_a";
  Units.AngularVelocity w_a[3] "Angular velocity of frame_a, resolved in frame_b";
equation
  r_rel = frame_a.m.T*(frame_b.m.r - frame_a.m.r);
  T_rel = frame_b.m.T*transpose(frame_a.m.T);
  v_b = transpose(T_rel)*frame_b.m.v;
  a_b = transpose(T_rel)*frame_b.m.a;
  w_a = T_rel*frame_a.m.w;
  // gravity is in both proper accelerations
  v_rel = v_b - frame_a.m.v - cross(frame_a.m.w, r_rel);
  a_rel = a_b - frame_a.m.a - cross(frame_a.m.z, r_rel) - Frames.centripetal(frame_a.m.w)*r_rel
    - 2*cross(frame_a.m.w, v_rel);
  w_rel = frame_b.m.w - w_a;
  z_rel = frame_b.m.z - T_rel*frame_a.m.z - cross(frame_b.m.w, w_rel);
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
      Text(extent = {{-60, 30}, {60, -30}}, textString = "rel"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>What an observer sees who is fixed to <code>frame_a</code>: the quantities of
<code>Joints.Free</code>.</p>
</html>"));
end RelativeMotion;
