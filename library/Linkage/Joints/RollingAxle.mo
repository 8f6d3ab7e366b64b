within Linkage.Joints;
model RollingAxle "Axle of two wheels that roll on the plane y = 0 of frame_a without slipping"
  extends Interfaces.TwoFrames;
  parameter Units.Length radius(min = 0) = 0.3
    "Of the wheels: height of frame_b, the middle of the axle";
  parameter Units.Length track(min = 1e-6) = 1 "Distance of the wheels, along z of frame_b";
  Interfaces.RotationalFlange left
    "Wheel at -track/2: its angle about z of frame_b, against the axle"
    annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Interfaces.RotationalFlange right "Wheel at track/2, likewise"
    annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
  Units.Length s_x(start = 0, stateSelect = StateSelect.prefer)
    "Middle of the axle, along x of frame_a";
  Units.Length s_z(start = 0, stateSelect = StateSelect.prefer)
    "Middle of the axle, along z of frame_a";
  Units.Angle heading(start = 0, stateSelect = StateSelect.prefer)
    "Angle about y, from x of frame_a to x of frame_b";
  Units.Angle phi_l(start = 0, stateSelect = StateSelect.prefer) "Angle of the left wheel";
  Units.Angle phi_r(start = 0, stateSelect = StateSelect.prefer) "Angle of the right wheel";
  Units.AngularVelocity w_l(start = 0, stateSelect = StateSelect.prefer)
    "Derivative of phi_l; negative where it rolls towards x of frame_b";
  Units.AngularVelocity w_r(start = 0, stateSelect = StateSelect.prefer) "Derivative of phi_r";
  Units.Velocity v "Velocity of the axle along x of frame_b";
  Units.AngularVelocity w_heading "Derivative of heading";
  Units.Force f_n[2]
    "Normal forces on the left and the right wheel; rolling ends where one is negative";
  Units.Force f_x[2] "Forces on the left and the right wheel along x of frame_b";
  Units.Force f_z "Force on both wheels along the axle";
protected
  Units.Cosine R[3, 3] "Rotation matrix from frame_a to frame_b";
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in frame_a";
  // resolved in frame_b
  Units.AngularVelocity w_a[3] "Angular velocity of frame_a";
  Units.AngularVelocity w_rel[3] "Angular velocity of frame_b against frame_a";
  Units.Velocity v_rel[3] "Velocity of frame_b against frame_a";
  Interfaces.RotationalTap tap_l(phi = phi_l);
  Interfaces.RotationalTap tap_r(phi = phi_r);
equation
  Connections.branch(frame_a.m, frame_b.m);
  w_l = der(phi_l);
  w_r = der(phi_r);
  // the centres of the wheels have the velocities v -+ track/2*w_heading
  v = -0.5*radius*(w_l + w_r);
  w_heading = radius/track*(w_l - w_r);
  der(s_x) = v*cos(heading);
  der(s_z) = -v*sin(heading);
  der(heading) = w_heading;
  R = Frames.axisRotation({0, 1, 0}, heading);
  r_rel = {s_x, radius, s_z};

  w_a = R*frame_a.m.w;
  w_rel = {0, w_heading, 0};
  v_rel = {v, 0, 0};
  frame_b.m.r = frame_a.m.r + transpose(frame_a.m.T)*r_rel;
  frame_b.m.T = R*frame_a.m.T;
  frame_b.m.v = R*(frame_a.m.v + cross(frame_a.m.w, r_rel)) + v_rel;
  frame_b.m.w = w_a + w_rel;
  frame_b.m.a = R*(frame_a.m.a + cross(frame_a.m.z, r_rel) + Frames.centripetal(frame_a.m.w)*r_rel)
    + 2*cross(w_a, v_rel) + {der(v), 0, 0} + cross(w_rel, v_rel);
  frame_b.m.z = R*frame_a.m.z + {0, der(w_heading), 0} + cross(w_a, w_rel);

  frame_a.f + transpose(R)*frame_b.f = zeros(3);
  frame_a.t + transpose(R)*frame_b.t - cross(r_rel, frame_a.f) = zeros(3);
  // the power of the cut force and torque in a turn of each wheel
  tap_l.tau = radius*(0.5*frame_b.f[1] - frame_b.t[2]/track);
  tap_r.tau = radius*(0.5*frame_b.f[1] + frame_b.t[2]/track);
  f_x = {frame_b.t[2]/track - 0.5*frame_b.f[1], -frame_b.t[2]/track - 0.5*frame_b.f[1]};
  f_z = -frame_b.f[3];
  f_n[1] + f_n[2] = -frame_b.f[2];
  0.5*track*(f_n[2] - f_n[1]) = frame_b.t[1] - radius*f_z;
  connect(tap_l.flange, left);
  connect(tap_r.flange, right);
  annotation(
    __rung(look(
      wheel(frame = frame_b, n = {0, 0, 1}, radius = radius, track = track, side = -1,
        angle = phi_l),
      wheel(frame = frame_b, n = {0, 0, 1}, radius = radius, track = track, side = 1,
        angle = phi_r))),
    Icon(graphics = {
      Line(points = {{-100, -60}, {100, -60}}, thickness = 1),
      Rectangle(extent = {{-70, -60}, {-50, 60}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{50, -60}, {70, 60}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Line(points = {{-50, 0}, {50, 0}}, thickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Five coordinates and two velocities: the axle turns where one wheel is faster than the other. x
of frame_b points
ahead, y up, z to the right. A wheel with mass is a body on a revolute joint about z at -track/2 or track/2 of
<code>frame_b</code>, with <code>useFlange</code>, whose flange is connected to <code>left</code> or <code>right</code>;
drives act on the same flanges. Without such, the flanges are free and the wheels without mass.</p>
<p><code>frame_b</code> does not turn about the axle: the torque that keeps it, as a castor would,
comes from
<code>frame_a</code>. What balances on its axle hangs on a revolute joint.</p>
</html>"));
end RollingAxle;
