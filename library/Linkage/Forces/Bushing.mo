within Linkage.Forces;
model Bushing "Elastic bearing: springs and dampers against all six motions of frame_b"
  extends Interfaces.TwoFrames;
  parameter Units.Stiffness c[3] = {1e5, 1e5, 1e5} "Stiffnesses along the axes of frame_a";
  parameter Units.Damping d[3] = {0, 0, 0} "Dampings along them";
  parameter Units.RotationalStiffness c_t[3] = {1e3, 1e3, 1e3}
    "Stiffnesses about the axes of frame_a";
  parameter Units.RotationalDamping d_t[3] = {0, 0, 0} "Dampings about them";
  parameter Units.Length r_0[3] = {0, 0, 0}
    "From frame_a to frame_b without force, resolved in frame_a";
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in frame_a";
  Units.Velocity v_rel[3] "Derivative of r_rel";
  Units.Angle p[3] "Axis of the rotation times twice the tangent of half the angle, in frame_a";
  Units.AngularVelocity w_rel[3] "Angular velocity of frame_b against frame_a, resolved in frame_a";
  Units.Force f[3] "Force on frame_b, resolved in frame_a";
  Units.Torque t[3] "Torque on frame_b, resolved in frame_a";
  Units.Energy V "Energy in the springs";
  Units.Power loss "Power lost in the dampers";
protected
  Units.Cosine R[3, 3] "Rotation matrix from frame_b to frame_a";
  Units.Torque h[3] "Gradient of the energy by p";
equation
  r_rel = frame_a.m.T*(frame_b.m.r - frame_a.m.r);
  R = frame_a.m.T*transpose(frame_b.m.T);
  v_rel = R*frame_b.m.v - frame_a.m.v - cross(frame_a.m.w, r_rel);
  w_rel = R*frame_b.m.w - frame_a.m.w;
  p = 2*{R[3, 2] - R[2, 3], R[1, 3] - R[3, 1], R[2, 1] - R[1, 2]}/(1 + R[1, 1] + R[2, 2] + R[3, 3]);

  // der(p) = w_rel + p (p w_rel)/4 + w_rel x p/2, and h*der(p) is the power into the springs
  h = c_t.*p;
  f = -c.*(r_rel - r_0) - d.*v_rel;
  t = -(h + p*(p*h)/4 + cross(p, h)/2) - d_t.*w_rel;
  V = 0.5*(c*((r_rel - r_0).*(r_rel - r_0)) + c_t*(p.*p));
  loss = d*(v_rel.*v_rel) + d_t*(w_rel.*w_rel);

  frame_b.f = -transpose(R)*f;
  frame_b.t = -transpose(R)*t;
  frame_a.f = f;
  frame_a.t = t + cross(r_rel, f);
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-30, -30}, {30, 30}}),
      Line(points = {{-100, 0}, {-70, 0}}),
      Line(points = {{30, 0}, {100, 0}}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Keeps its energy at any rotation short of half a turn: forces and torques are derivatives of
<code>V</code>. For small angles p are the angles about the three axes.</p>
</html>"));
end Bushing;
