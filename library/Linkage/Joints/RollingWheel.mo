within Linkage.Joints;
model RollingWheel "Thin wheel that rolls on the plane y = 0 of frame_a without slipping"
  extends Interfaces.TwoFrames;
  parameter Units.Length radius(min = 0) = 0.3
    "Of the wheel, whose centre is frame_b and whose axle is z there";
  Units.Length s_x(start = 0, stateSelect = StateSelect.prefer)
    "Where it touches, along x of frame_a";
  Units.Length s_z(start = 0, stateSelect = StateSelect.prefer)
    "Where it touches, along z of frame_a";
  Units.Angle heading(start = 0, stateSelect = StateSelect.prefer) "First turn, about y";
  Units.Angle lean(start = 0, stateSelect = StateSelect.prefer)
    "Second turn, about the x then met; 0 is upright";
  Units.Angle phi(start = 0, stateSelect = StateSelect.prefer) "Third turn, about the axle";
  Units.AngularVelocity w_heading(start = 0, stateSelect = StateSelect.prefer)
    "Derivative of heading";
  Units.AngularVelocity w_lean(start = 0, stateSelect = StateSelect.prefer) "Derivative of lean";
  Units.AngularVelocity w(start = 0, stateSelect = StateSelect.prefer)
    "Derivative of phi; negative where it rolls towards x";
  Units.Force f_n "Normal force on the wheel; rolling ends where it is negative";
  Units.Force f_t[2] "Force on the wheel along the way it rolls, and to the right of it";
protected
  Units.Cosine R_y[3, 3] "Rotation matrix of the heading";
  Units.Cosine R_m[3, 3]
    "Rotation matrix from frame_a to the fork: all but the turn about the axle";
  Units.Cosine R_s[3, 3] "Rotation matrix from the fork to frame_b";
  Units.Length r_rel[3] "From frame_a to the centre, resolved in frame_a";
  // all below at the centre, resolved in the fork
  Units.AngularVelocity w_f[3] "Angular velocity of the fork against frame_a";
  Units.AngularVelocity w_rel[3] "Angular velocity of the wheel against frame_a";
  Units.AngularAcceleration z_rel[3] "Derivative of its components";
  Units.Velocity v_rel[3] "Velocity of the centre against frame_a";
  Units.AngularVelocity w_a[3] "Angular velocity of frame_a";
  Units.Force f_m[3] "Cut force from the wheel";
  Units.Torque t_m[3] "Cut torque from the wheel";
  Units.Force f_g[3] "The same force, resolved in the axes of the heading";
equation
  Connections.branch(frame_a.m, frame_b.m);
  w_heading = der(heading);
  w_lean = der(lean);
  w = der(phi);
  R_y = Frames.axisRotation({0, 1, 0}, heading);
  R_m = Frames.axisRotation({1, 0, 0}, lean)*R_y;
  R_s = Frames.axisRotation({0, 0, 1}, phi);

  // as long a way on the ground as on the rim
  der(s_x) = -radius*w*cos(heading);
  der(s_z) = radius*w*sin(heading);
  r_rel = {s_x, 0, s_z} + radius*R_m[2, :];

  // the point of the wheel that touches has no velocity: v_rel = w_rel x (from there to the centre)
  w_f = {w_lean, w_heading*cos(lean), -w_heading*sin(lean)};
  w_rel = w_f + {0, 0, w};
  z_rel = der(w_rel);
  v_rel = radius*{-w_rel[3], 0, w_rel[1]};

  w_a = R_m*frame_a.m.w;
  frame_b.m.r = frame_a.m.r + transpose(frame_a.m.T)*r_rel;
  frame_b.m.T = R_s*(R_m*frame_a.m.T);
  frame_b.m.v = R_s*(R_m*(frame_a.m.v + cross(frame_a.m.w, r_rel)) + v_rel);
  frame_b.m.w = R_s*(w_a + w_rel);
  frame_b.m.a = R_s*(R_m
    *(frame_a.m.a + cross(frame_a.m.z, r_rel) + Frames.centripetal(frame_a.m.w)*r_rel)
    + 2*cross(w_a, v_rel) + radius*{-z_rel[3], 0, z_rel[1]} + cross(w_f, v_rel));
  frame_b.m.z = R_s*(R_m*frame_a.m.z + z_rel + cross(w_f, w_rel) + cross(w_a, w_rel));

  f_m = transpose(R_s)*frame_b.f;
  t_m = transpose(R_s)*frame_b.t;
  // no torque about the point that touches
  t_m + cross({0, radius, 0}, f_m) = zeros(3);
  frame_a.f + transpose(R_m)*f_m = zeros(3);
  frame_a.t + transpose(R_m)*t_m - cross(r_rel, frame_a.f) = zeros(3);
  f_g = R_y*frame_a.f;
  f_n = f_g[2];
  f_t = {f_g[1], f_g[3]};
  annotation(
    __rung(look(wheel(frame = frame_b, n = {0, 0, 1}, radius = radius))),
    Icon(graphics = {
      Line(points = {{-100, -60}, {100, -60}}, thickness = 1),
      Ellipse(extent = {{-60, -60}, {60, 60}}),
      Ellipse(extent = {{-8, -8}, {8, 8}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
        fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Five coordinates and three velocities: it reaches all places by rolling, but not by every way. It
takes the place of a joint between the ground and a wheel, or what a wheel carries on a hinge, as
the first part of a tree.</p>
<p>Lying flat (<code>lean</code> a right angle) it has no heading.</p>
</html>"));
end RollingWheel;
