within Linkage.Joints;
model Planar "Two translations in a plane and a rotation about its normal"
  extends Interfaces.TwoFrames;
  parameter Units.Axis n = {0, 0, 1} "Normal of the plane, resolved in frame_a (and frame_b)"
    annotation(Evaluate = true);
  parameter Units.Axis n_x = {1, 0, 0} "First direction in the plane, resolved in frame_a, across n"
    annotation(Evaluate = true);
  Units.Length s_x(start = 0, stateSelect = StateSelect.prefer) "Way along n_x";
  Units.Length s_y(start = 0, stateSelect = StateSelect.prefer) "Way along n x n_x";
  Units.Velocity v_x(start = 0, stateSelect = StateSelect.prefer) "Derivative of s_x";
  Units.Velocity v_y(start = 0, stateSelect = StateSelect.prefer) "Derivative of s_y";
  Units.Acceleration a_x "Derivative of v_x";
  Units.Acceleration a_y "Derivative of v_y";
  Units.Angle phi(start = 0, stateSelect = StateSelect.prefer) "Angle of frame_b against frame_a";
  Units.AngularVelocity w(start = 0, stateSelect = StateSelect.prefer)
    "Angular velocity of frame_b against frame_a";
  Units.AngularAcceleration z "Angular acceleration of frame_b against frame_a";
protected
  final parameter Units.Cosine e[3] = Frames.unit(n) "Normal of length one"
    annotation(Evaluate = true);
  final parameter Units.Cosine e_x[3] = Frames.unit(n_x - e*(e*n_x))
    "First direction of length one, in the plane"
    annotation(Evaluate = true);
  final parameter Units.Cosine e_y[3] = cross(e, e_x) "Second direction"
    annotation(Evaluate = true);
  Units.Cosine R_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in frame_a";
  Units.Velocity v_rel[3] "Derivative of r_rel, resolved in frame_a";
  // between the translation and the rotation: at frame_b, with frame_a's axes
  Units.Velocity v_m[3] "Velocity between, resolved in frame_a";
  Units.Acceleration a_m[3] "Proper acceleration between, resolved in frame_a";
  Units.Force f_m[3] "Cut force between, resolved in frame_a";
  Units.Torque t_m[3] "Cut torque between, resolved in frame_a";
equation
  Connections.branch(frame_a.m, frame_b.m);
  v_x = der(s_x);
  v_y = der(s_y);
  a_x = der(v_x);
  a_y = der(v_y);
  w = der(phi);
  z = der(w);
  R_rel = Frames.axisRotation(e, phi);
  r_rel = e_x*s_x + e_y*s_y;
  v_rel = e_x*v_x + e_y*v_y;

  v_m = frame_a.m.v + cross(frame_a.m.w, r_rel) + v_rel;
  a_m = frame_a.m.a + cross(frame_a.m.z, r_rel) + e_x*a_x + e_y*a_y
    + Frames.centripetal(frame_a.m.w)*r_rel + 2*cross(frame_a.m.w, v_rel);
  frame_b.m.r = frame_a.m.r + transpose(frame_a.m.T)*r_rel;
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
  frame_a.t + t_m + cross(r_rel, f_m) = zeros(3);
  e_x*f_m = 0;
  e_y*f_m = 0;
  e*frame_b.t = 0;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-80, -60}, {20, 60}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-20, -40}, {60, 40}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Line(points = {{60, 0}, {100, 0}}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>For what slides on a table, or moves in a plane at all.</p>
</html>"));
end Planar;
