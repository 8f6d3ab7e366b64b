within Linkage.Joints;
model Universal "Cardan joint: rotation about an axis of frame_a, then about one of frame_b"
  extends Interfaces.TwoFrames;
  parameter Units.Axis n_a = {1, 0, 0} "First axis, fixed in frame_a and resolved there"
    annotation(Evaluate = true);
  parameter Units.Axis n_b = {0, 1, 0} "Second axis, fixed in frame_b and resolved there"
    annotation(Evaluate = true);
  Units.Angle phi[2](each start = 0, each stateSelect = StateSelect.prefer)
    "Angles about the first and the second axis";
  Units.AngularVelocity w[2](each start = 0, each stateSelect = StateSelect.prefer)
    "Angular velocities about the first and the second axis";
  Units.AngularAcceleration z[2] "Angular accelerations about the first and the second axis";
protected
  final parameter Units.Cosine e_a[3] = Frames.unit(n_a) "First axis of length one"
    annotation(Evaluate = true);
  final parameter Units.Cosine e_b[3] = Frames.unit(n_b) "Second axis of length one"
    annotation(Evaluate = true);
  Units.Cosine R_a[3, 3] "Rotation matrix from frame_a to the cross between the axes";
  Units.Cosine R_b[3, 3] "Rotation matrix from the cross to frame_b";
  Units.AngularVelocity w_m[3] "Angular velocity of the cross, resolved in it";
  Units.Acceleration a_m[3] "Proper acceleration of the cross, resolved in it";
  Units.AngularAcceleration z_m[3] "Angular acceleration of the cross, resolved in it";
  Units.Force f_m[3] "Cut force from the cross to frame_b, resolved in the cross";
  Units.Torque t_m[3] "Cut torque from the cross to frame_b, resolved in the cross";
equation
  Connections.branch(frame_a.m, frame_b.m);
  w = der(phi);
  z = der(w);
  R_a = Frames.axisRotation(e_a, phi[1]);
  R_b = Frames.axisRotation(e_b, phi[2]);

  frame_b.m.r = frame_a.m.r;
  if Connections.rooted(frame_a.m) then
    w_m = R_a*frame_a.m.w + e_a*w[1];
    a_m = R_a*frame_a.m.a;
    z_m = R_a*frame_a.m.z + e_a*z[1] + cross(w_m, e_a*w[1]);
    frame_b.m.T = R_b*(R_a*frame_a.m.T);
    frame_b.m.v = R_b*(R_a*frame_a.m.v);
    frame_b.m.w = R_b*w_m + e_b*w[2];
    frame_b.m.a = R_b*a_m;
    frame_b.m.z = R_b*z_m + e_b*z[2] + cross(frame_b.m.w, e_b*w[2]);
    f_m = transpose(R_b)*frame_b.f;
    t_m = transpose(R_b)*frame_b.t;
    frame_a.f = -transpose(R_a)*f_m;
    frame_a.t = -transpose(R_a)*t_m;
  else
    w_m = transpose(R_b)*(frame_b.m.w - e_b*w[2]);
    a_m = transpose(R_b)*frame_b.m.a;
    z_m = transpose(R_b)*(frame_b.m.z - e_b*z[2] - cross(frame_b.m.w, e_b*w[2]));
    frame_a.m.T = transpose(R_a)*(transpose(R_b)*frame_b.m.T);
    frame_a.m.v = transpose(R_a)*(transpose(R_b)*frame_b.m.v);
    frame_a.m.w = transpose(R_a)*w_m - e_a*w[1];
    frame_a.m.a = transpose(R_a)*a_m;
    frame_a.m.z = transpose(R_a)*z_m - e_a*z[1] - cross(frame_a.m.w, e_a*w[1]);
    f_m = -R_a*frame_a.f;
    t_m = -R_a*frame_a.t;
    frame_b.f = R_b*f_m;
    frame_b.t = R_b*t_m;
  end if;
  e_b*frame_b.t = 0;
  e_a*t_m = 0;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -18}, {-50, 18}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{50, -18}, {100, 18}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Line(points = {{-50, 0}, {-50, 50}, {0, 50}}, color = {38, 58, 92}, thickness = 1.5),
      Line(points = {{-50, 0}, {-50, -50}, {0, -50}}, color = {38, 58, 92}, thickness = 1.5),
      Line(points = {{0, 50}, {0, -50}}, color = {38, 58, 92}, thickness = 1),
      Line(points = {{-25, -14}, {25, 14}}, color = {38, 58, 92}, thickness = 1),
      Line(points = {{50, 0}, {25, 14}}, color = {38, 58, 92}, thickness = 1.5),
      Line(points = {{50, 0}, {25, -30}, {-25, -14}}, color = {38, 58, 92}, thickness = 1.5),
      Ellipse(extent = {{-10, -10}, {10, 10}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, -75}, {100, -110}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Singular where the two axes of the cross are parallel, which for axes given at a right
angle never happens.</p>
</html>"));
end Universal;
