within Linkage.Joints;
model Spherical "Ball joint: any rotation, in Euler parameters"
  extends Interfaces.TwoFrames;
  Real Q[4](start = {1, 0, 0, 0}, each unit = "1", each stateSelect = StateSelect.prefer)
    "Euler parameters of frame_b against frame_a, scalar first";
  Units.AngularVelocity w_rel[3](each start = 0, each stateSelect = StateSelect.prefer)
    "Angular velocity of frame_b against frame_a, resolved in frame_b";
  Units.AngularAcceleration z_rel[3] "Derivative of w_rel";
protected
  Units.Cosine R_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  Interfaces.PivotTap socket "Side of frame_a; forces are resolved in frame_b";
  Interfaces.PivotTap ball "Side of frame_b";
equation
  Connections.branch(frame_a.m, socket.point.m);
  connect(socket.point, ball.point);
  Connections.branch(ball.point.m, frame_b.m);

  if Connections.rooted(frame_a.m) and Connections.rooted(ball.point.m) then
    der(Q) = Frames.quaternionRate(Q, w_rel);
    z_rel = der(w_rel);
    R_rel = Frames.quaternionRotation(Q);
    socket.point.m.r = frame_a.m.r;
    frame_b.m.r = ball.point.m.r;
    socket.point.m.T = R_rel*frame_a.m.T;
    frame_b.m.T = ball.point.m.T;
    frame_b.m.v = R_rel*frame_a.m.v;
    frame_b.m.w = R_rel*frame_a.m.w + w_rel;
    frame_b.m.a = R_rel*frame_a.m.a;
    frame_b.m.z = R_rel*frame_a.m.z + z_rel + cross(frame_b.m.w, w_rel);
    frame_a.f = transpose(R_rel)*socket.point.f;
    frame_a.t = -transpose(R_rel)*frame_b.t;
    frame_b.f = ball.point.f;
    frame_b.t = zeros(3);
  elseif not Connections.rooted(frame_a.m) then
    der(Q) = Frames.quaternionRate(Q, w_rel);
    z_rel = der(w_rel);
    R_rel = Frames.quaternionRotation(Q);
    ball.point.m.r = frame_b.m.r;
    frame_a.m.r = socket.point.m.r;
    ball.point.m.T = frame_b.m.T;
    frame_a.m.T = transpose(R_rel)*socket.point.m.T;
    frame_a.m.v = transpose(R_rel)*frame_b.m.v;
    frame_a.m.w = transpose(R_rel)*(frame_b.m.w - w_rel);
    frame_a.m.a = transpose(R_rel)*frame_b.m.a;
    frame_b.m.z = R_rel*frame_a.m.z + z_rel + cross(frame_b.m.w, w_rel);
    ball.point.f = -R_rel*frame_a.f;
    frame_a.t = -transpose(R_rel)*frame_b.t;
    frame_b.f = -socket.point.f;
    frame_b.t = zeros(3);
  else
    Q = Frames.quaternion(R_rel);
    R_rel = frame_b.m.T*transpose(frame_a.m.T);
    socket.point.m.r = frame_a.m.r;
    ball.point.m.r = frame_b.m.r;
    socket.point.m.T = frame_b.m.T;
    ball.point.m.T = frame_b.m.T;
    frame_b.m.w = R_rel*frame_a.m.w + w_rel;
    frame_b.m.z = R_rel*frame_a.m.z + z_rel + cross(frame_b.m.w, w_rel);
    frame_a.f = transpose(R_rel)*socket.point.f;
    frame_b.f = ball.point.f;
    frame_a.t = zeros(3);
    frame_b.t = zeros(3);
  end if;
  annotation(
    __rung(look(joint(frame = frame_a))),
    Icon(graphics = {
      Rectangle(extent = {{-100, -18}, {-48, 18}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-60, -60}, {60, 60}}, lineColor = {38, 58, 92}, lineThickness = 1.5,
        startAngle = 50, endAngle = 310, closure = EllipseClosure.None),
      Rectangle(extent = {{30, -14}, {100, 14}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-44, -44}, {44, 44}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Text(extent = {{-100, -75}, {100, -110}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Four position states and three velocity states. The length of Q is constant in the exact
solution, and its drift does no harm: the rotation matrix divides by it.</p>
<p>A loop is cut between <code>socket</code> and <code>ball</code> by three constraints. Both frames
hang from the rest of the mechanism then, the joint has no states, and Q follows from their
rotations, with a first element that is not negative.</p>
</html>"));
end Spherical;
