within Linkage.Joints;
model RevoluteByRod "Hinge whose angle a rod with ball ends decides"
  extends Interfaces.TwoFrames;
  Interfaces.Frame_a frame_c "Frame whose origin is the far end of the rod"
    annotation(Placement(transformation(extent = {{-16, 84}, {16, 116}})));
  parameter Units.Axis n = {0, 0, 1} "Axis of the hinge, resolved in frame_a (and frame_b)"
    annotation(Evaluate = true);
  parameter Units.Length r[3] = {1, 0, 0}
    "From the hinge to the near end of the rod, resolved in frame_b";
  parameter Units.Length l(min = 0) = 1 "Length of the rod, not zero";
  parameter Integer side = 1
    "Of the two places where the rod fits that which is further about the axis: 1; the other: -1"
    annotation(Evaluate = true);
  input Units.Length r_c[3] = frame_a.m.T*(frame_c.m.r - frame_a.m.r)
    "From the hinge to the far end of the rod, resolved in frame_a";
  Units.Angle phi "Angle of frame_b against frame_a";
  Units.AngularVelocity w "Angular velocity of frame_b against frame_a";
  Units.AngularAcceleration a "Angular acceleration of frame_b against frame_a";
  Units.Force f "Force in the rod, positive for tension";
protected
  final parameter Units.Cosine e[3] = Frames.unit(n) "Axis of length one"
    annotation(Evaluate = true);
  final parameter Units.Length r_e = e*r "Of r along the axis";
  final parameter Units.Length r_0[3] = r - e*r_e "Of r across the axis";
  final parameter Units.Length r_1[3] = cross(e, r_0) "The same, turned by a right angle";
  // (r_c - p)^2 = l^2 with p = e r_e + r_0 cos(phi) + r_1 sin(phi) is x cos(phi) + y sin(phi) = h
  Real x(unit = "m2") "r_c along r_0";
  Real y(unit = "m2") "r_c along r_1";
  Real h(unit = "m2") "What the length of the rod makes of them";
  Real d(unit = "m2") "Square root of x^2 + y^2 - h^2";
  Units.Cosine cosine "Of phi";
  Units.Cosine sine "Of phi";
  Units.Cosine R_rel[3, 3] "Rotation matrix from frame_a to frame_b";
  Units.Cosine R_c[3, 3] "Rotation matrix from frame_c to frame_a";
  // all below resolved in frame_a
  Units.Length p[3] "From the hinge to the near end of the rod";
  Units.Cosine u[3] "Direction from the far end of the rod to the near one";
  Units.Length arm "Of the rod about the hinge";
  Units.AngularVelocity w_b[3] "Angular velocity of frame_b";
  Units.AngularAcceleration z_b[3] "Angular acceleration of frame_b";
  Units.Velocity v_rel[3] "Velocity of the near end against the far one";
  Units.Force f_b[3] "Cut force of frame_b";
  Units.Torque t_b[3] "Cut torque of frame_b";
equation
  Connections.branch(frame_a.m, frame_b.m);
  x = r_0*r_c;
  y = r_1*r_c;
  h = 0.5*(r_c*r_c + r*r - l^2) - r_e*(e*r_c);
  assert(x^2 + y^2 > h^2, "the rod of " + getInstanceName() + " does not reach");
  d = side*sqrt(x^2 + y^2 - h^2);
  cosine = (x*h - y*d)/(x^2 + y^2);
  sine = (y*h + x*d)/(x^2 + y^2);
  phi = atan2(sine, cosine);
  R_rel = outerProduct(e, e) + (identity(3) - outerProduct(e, e))*cosine - skew(e)*sine;
  R_c = frame_a.m.T*transpose(frame_c.m.T);

  p = e*r_e + r_0*cosine + r_1*sine;
  u = (p - r_c)/l;
  arm = u*cross(e, p);

  // the ends of the rod stay at one distance: u v_rel = 0, and once more differentiated
  u*(frame_a.m.v + cross(frame_a.m.w, p) - R_c*frame_c.m.v) + arm*w = 0;
  w_b = frame_a.m.w + e*w;
  v_rel = frame_a.m.v + cross(w_b, p) - R_c*frame_c.m.v;
  z_b = frame_a.m.z + e*a + cross(frame_a.m.w, e*w);
  u*(frame_a.m.a + cross(frame_a.m.z + cross(frame_a.m.w, e*w), p) + Frames.centripetal(w_b)*p
    - R_c*frame_c.m.a) + arm*a + v_rel*v_rel/l = 0;

  frame_b.m.r = frame_a.m.r;
  frame_b.m.T = R_rel*frame_a.m.T;
  frame_b.m.v = R_rel*frame_a.m.v;
  frame_b.m.w = R_rel*w_b;
  frame_b.m.a = R_rel*frame_a.m.a;
  frame_b.m.z = R_rel*z_b;

  // no torque about the hinge but that of the rod
  f_b = transpose(R_rel)*frame_b.f;
  t_b = transpose(R_rel)*frame_b.t;
  arm*f = e*t_b;
  frame_a.f + f_b - u*f = zeros(3);
  frame_a.t + t_b - cross(p, u*f) = zeros(3);
  frame_c.f + transpose(R_c)*(u*f) = zeros(3);
  frame_c.t = zeros(3);
  annotation(
    __rung(look(joint(frame = frame_a, n = e), rod(a = frame_c, b = frame_b, to = r))),
    Icon(graphics = {
      Line(points = {{-100, -40}, {0, -40}, {100, -40}}, thickness = 1),
      Ellipse(extent = {{-20, -60}, {20, -20}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Line(points = {{0, -40}, {30, 40}}, thickness = 1),
      Line(points = {{-80, 60}, {30, 40}}),
      Ellipse(extent = {{-90, 50}, {-70, 70}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Ellipse(extent = {{20, 30}, {40, 50}}, lineColor = {38, 58, 92}, fillColor = {192, 206, 224},
        fillPattern = FillPattern.Sphere),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>A <code>Revolute</code> and a <code>BallRod</code> in one. The angle is that at which the rod
fits, by a formula,
so that the loop needs no constraint, brings no coordinate and keeps its velocities: four-bar linkages
(the rod is the rocker), tie rods, push rods. The loop must close through <code>frame_c</code> by parts that do not
depend on <code>frame_b</code>. Where the rod passes through the axis (a dead point) it decides nothing.</p>
<p><code>r_c</code> may be given where it is known in fewer terms, in frames that move alike.</p>
</html>"));
end RevoluteByRod;
