within Linkage.Joints;
model Free "No constraint: frame_b moves in all six ways against frame_a"
  extends Interfaces.TwoFrames;
  Units.Length r_rel[3](each start = 0, each stateSelect = StateSelect.prefer)
    "From frame_a to frame_b, resolved in frame_a";
  Units.Velocity v_rel[3](each start = 0, each stateSelect = StateSelect.prefer)
    "Derivative of r_rel, resolved in frame_a";
  Units.Acceleration a_rel[3] "Derivative of v_rel, resolved in frame_a";
  Real Q[4](start = {1, 0, 0, 0}, each unit = "1", each stateSelect = StateSelect.prefer)
    "Euler parameters of frame_b against frame_a, scalar first";
  Units.AngularVelocity w_rel[3](each start = 0, each stateSelect = StateSelect.prefer)
    "Angular velocity of frame_b against frame_a, resolved in frame_b";
  Units.AngularAcceleration z_rel[3] "Derivative of w_rel";
protected
  Units.Cosine R_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  // between the translation and the rotation: at frame_b, with frame_a's axes
  Units.Velocity v_m[3] "Velocity between, resolved in frame_a";
  Units.Acceleration a_m[3] "Proper acceleration between, resolved in frame_a";
equation
  Connections.branch(frame_a.m, frame_b.m);
  v_rel = der(r_rel);
  a_rel = der(v_rel);
  der(Q) = Frames.quaternionRate(Q, w_rel);
  z_rel = der(w_rel);
  R_rel = Frames.quaternionRotation(Q);

  v_m = frame_a.m.v + cross(frame_a.m.w, r_rel) + v_rel;
  a_m = frame_a.m.a + cross(frame_a.m.z, r_rel) + a_rel + Frames.centripetal(frame_a.m.w)*r_rel
    + 2*cross(frame_a.m.w, v_rel);
  frame_b.m.r = frame_a.m.r + transpose(frame_a.m.T)*r_rel;
  if Connections.rooted(frame_a.m) then
    frame_b.m.T = R_rel*frame_a.m.T;
    frame_b.m.v = R_rel*v_m;
    frame_b.m.w = R_rel*frame_a.m.w + w_rel;
  else
    frame_a.m.T = transpose(R_rel)*frame_b.m.T;
    v_m = transpose(R_rel)*frame_b.m.v;
    frame_a.m.w = transpose(R_rel)*(frame_b.m.w - w_rel);
  end if;
  // nothing passes through the joint: frame_b's acceleration comes from its own side
  a_m = transpose(R_rel)*frame_b.m.a;
  frame_b.m.z = R_rel*frame_a.m.z + z_rel + cross(frame_b.m.w, w_rel);

  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  frame_b.f = zeros(3);
  frame_b.t = zeros(3);
  annotation(
    __rung(look(none)),
    Icon(graphics = {
      Line(points = {{-84, 0}, {84, 0}}, color = {38, 58, 92}, pattern = LinePattern.Dash),
      Line(points = {{0, 0}, {0, 60}}, color = {38, 58, 92}, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 5, thickness = 0.5),
      Line(points = {{0, 0}, {50, -35}}, color = {38, 58, 92}, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 5, thickness = 0.5),
      Line(points = {{0, 0}, {-50, -35}}, color = {38, 58, 92}, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 5, thickness = 0.5),
      Line(
        points = {{-5, 30}, {-20, 23}, {-29, 9}, {-29, -7}, {-21, -21}, {-7, -29}, {9, -29},
          {23, -20}, {30, -5}},
        color = {38, 58, 92}, smooth = Smooth.Bezier, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 5, thickness = 0.5),
      Text(extent = {{-100, -75}, {100, -110}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Gives a body that no other joint carries its states: seven for the position (three
coordinates and four Euler parameters) and six for the velocity.</p>
</html>"));
end Free;
