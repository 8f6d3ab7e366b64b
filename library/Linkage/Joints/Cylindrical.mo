within Linkage.Joints;
model Cylindrical "Translation along an axis and rotation about the same axis"
  extends Interfaces.TwoFrames;
  parameter Units.Axis n = {1, 0, 0} "Axis, resolved in frame_a (and frame_b)"
    annotation(Evaluate = true);
  Units.Length s(start = 0, stateSelect = StateSelect.prefer)
    "Distance from frame_a to frame_b along the axis";
  Units.Velocity v(start = 0, stateSelect = StateSelect.prefer) "Velocity, derivative of s";
  Units.Acceleration a "Acceleration, derivative of v";
  Units.Angle phi(start = 0, stateSelect = StateSelect.prefer) "Angle of frame_b against frame_a";
  Units.AngularVelocity w(start = 0, stateSelect = StateSelect.prefer)
    "Angular velocity of frame_b against frame_a";
  Units.AngularAcceleration z "Angular acceleration of frame_b against frame_a";
protected
  final parameter Units.Cosine e[3] = Frames.unit(n) "Axis of length one"
    annotation(Evaluate = true);
  Units.Cosine R_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  // between the translation and the rotation: at frame_b, with frame_a's axes
  Units.Velocity v_m[3] "Velocity between, resolved in frame_a";
  Units.Acceleration a_m[3] "Proper acceleration between, resolved in frame_a";
  Units.Force f_m[3] "Cut force between, resolved in frame_a";
  Units.Torque t_m[3] "Cut torque between, resolved in frame_a";
equation
  Connections.branch(frame_a.m, frame_b.m);
  v = der(s);
  a = der(v);
  w = der(phi);
  z = der(w);
  R_rel = Frames.axisRotation(e, phi);

  v_m = frame_a.m.v + cross(frame_a.m.w, e*s) + e*v;
  a_m = frame_a.m.a + cross(frame_a.m.z, e*s) + e*a + Frames.centripetal(frame_a.m.w)*(e*s)
    + 2*cross(frame_a.m.w, e*v);
  frame_b.m.r = frame_a.m.r + transpose(frame_a.m.T)*(e*s);
  if Connections.rooted(frame_a.m) then
    frame_b.m.T = R_rel*frame_a.m.T;
    frame_b.m.v = R_rel*v_m;
    frame_b.m.w = R_rel*frame_a.m.w + e*w;
    frame_b.m.a = R_rel*a_m;
    frame_b.m.z = R_rel*frame_a.m.z + e*z + cross(frame_b.m.w, e*w);
    f_m = transpose(R_rel)*frame_b.f;
    t_m = transpose(R_rel)*frame_b.t;
  else
    frame_a.m.T = transpose(R_rel)*frame_b.m.T;
    v_m = transpose(R_rel)*frame_b.m.v;
    frame_a.m.w = transpose(R_rel)*frame_b.m.w - e*w;
    a_m = transpose(R_rel)*frame_b.m.a;
    frame_a.m.z = transpose(R_rel)*frame_b.m.z - e*z - cross(frame_a.m.w, e*w);
    frame_b.f = R_rel*f_m;
    frame_b.t = R_rel*t_m;
  end if;
  frame_a.f + f_m = zeros(3);
  frame_a.t + t_m + cross(e*s, f_m) = zeros(3);
  e*frame_b.f = 0;
  e*frame_b.t = 0;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -45}, {20, 45}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = {{20, -20}, {100, 20}}, lineColor = {38, 58, 92},
        fillColor = {228, 235, 244}, fillPattern = FillPattern.HorizontalCylinder),
      Line(points = {{40, -40}, {55, -45}, {64, -30}, {66, 0}, {64, 30}, {52, 44}},
        color = {38, 58, 92}, smooth = Smooth.Bezier, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 5, thickness = 0.5),
      Text(extent = {{-100, -75}, {100, -110}}, textString = "%name")}),
    Documentation(info = "<html>
<p>As a <a href=\"modelica://Linkage.Joints.Prismatic\">Prismatic</a> and a <a
href=\"modelica://Linkage.Joints.Revolute\">Revolute</a> joint on one axis, with both motions
free.</p>
</html>"));
end Cylindrical;
