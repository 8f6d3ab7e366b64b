within Linkage.Joints;
model Revolute "One rotation about an axis"
  extends Interfaces.TwoFrames;
  parameter Units.Axis n = {0, 0, 1} "Axis of rotation, resolved in frame_a (and frame_b)"
    annotation(Evaluate = true);
  parameter Boolean useFlange = false "true, if the drive flange exists"
    annotation(Evaluate = true);
  Interfaces.RotationalFlange flange if useFlange
    "Drive; its torque acts on frame_b, its reaction on frame_a"
    annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Units.Angle phi(start = 0, stateSelect = StateSelect.prefer) "Angle of frame_b against frame_a";
  Units.AngularVelocity w(start = 0, stateSelect = StateSelect.prefer)
    "Angular velocity of frame_b against frame_a";
  Units.AngularAcceleration a "Angular acceleration of frame_b against frame_a";
  Units.Torque tau "Torque of the drive";
protected
  final parameter Units.Cosine e[3] = Frames.unit(n) "Axis of length one"
    annotation(Evaluate = true);
  Units.Cosine R_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  Interfaces.RotationalTap tap(phi = phi);
equation
  Connections.branch(frame_a.m, frame_b.m);
  w = der(phi);
  a = der(w);
  R_rel = Frames.axisRotation(e, phi);

  frame_b.m.r = frame_a.m.r;
  if Connections.rooted(frame_a.m) then
    frame_b.m.T = R_rel*frame_a.m.T;
    frame_b.m.v = R_rel*frame_a.m.v;
    frame_b.m.w = R_rel*frame_a.m.w + e*w;
    frame_b.m.a = R_rel*frame_a.m.a;
    frame_b.m.z = R_rel*frame_a.m.z + e*a + cross(frame_b.m.w, e*w);
    frame_a.f = -transpose(R_rel)*frame_b.f;
    frame_a.t = -transpose(R_rel)*frame_b.t;
  else
    frame_a.m.T = transpose(R_rel)*frame_b.m.T;
    frame_a.m.v = transpose(R_rel)*frame_b.m.v;
    frame_a.m.w = transpose(R_rel)*frame_b.m.w - e*w;
    frame_a.m.a = transpose(R_rel)*frame_b.m.a;
    frame_a.m.z = transpose(R_rel)*frame_b.m.z - e*a - cross(frame_a.m.w, e*w);
    frame_b.f = -R_rel*frame_a.f;
    frame_b.t = -R_rel*frame_a.t;
  end if;
  tau = -e*frame_b.t;

  tau = tap.tau;
  connect(tap.flange, flange);
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -22}, {-30, 22}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{30, -22}, {100, 22}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-48, -48}, {48, 48}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-14, -14}, {14, 14}}, lineColor = {38, 58, 92},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, -75}, {100, -110}}, textString = "%name")}),
    Documentation(info = "<html>
<p>A hinge. Its angle <code>phi</code> and speed <code>w</code> are preferred states. With
<code>useFlange = true</code> a drive acts on the flange: <a
href=\"modelica://Linkage.Drives\">Linkage.Drives</a> has springs, motors and friction for it;
without one the joint turns freely.</p>
</html>"));
end Revolute;
