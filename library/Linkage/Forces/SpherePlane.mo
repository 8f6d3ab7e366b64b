within Linkage.Forces;
model SpherePlane "Contact of a sphere with a plane, with friction"
  extends Interfaces.TwoFrames;
  parameter Units.Axis n = {0, 1, 0}
    "Normal of the plane through frame_a, out of the ground, resolved there"
    annotation(Evaluate = true);
  parameter Units.Length radius(min = 0) = 0.1 "Of the sphere around frame_b";
  parameter Real c(min = 0) = 1e7
    "Stiffness after Hertz in N/m^(3/2): force by the depth to the power 3/2";
  parameter Real d(unit = "s/m", min = 0) = 0.1
    "Damping after Hunt and Crossley: part of that force for each m/s";
  parameter Real mu(unit = "1", min = 0) = 0.5 "Friction coefficient";
  parameter Units.Velocity v_slip(min = 0) = 0.001
    "Slip at which the friction is nearly whole; not zero";
  Units.Length depth "How deep the sphere is in the ground; negative above it";
  Units.Force f_n "Normal force, not negative";
  Units.Velocity v_t[3] "Slip velocity of the lowest point, resolved in frame_a";
  Units.Force f[3] "Force on the sphere, resolved in frame_a";
  Units.Energy V "Energy in the contact";
  Units.Power loss "Power lost";
protected
  final parameter Units.Cosine e[3] = Frames.unit(n) "Normal of length one"
    annotation(Evaluate = true);
  final parameter Units.Length r_c[3] = -radius*e
    "From the centre to the contact, resolved in frame_a";
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in frame_a";
  Units.Length r_p[3] "From frame_a to the contact, resolved in frame_a";
  Units.Cosine R[3, 3] "Rotation matrix from frame_b to frame_a";
  Units.Velocity v_c[3]
    "Velocity of the sphere at the contact against the plane, resolved in frame_a";
  Units.Velocity v_n "At which the depth grows";
  Units.Force f_c "Force without damping";
  Units.Length pushed "The depth, or zero";
  Real slip2(unit = "1") "Square of the slip by v_slip";
equation
  r_rel = frame_a.m.T*(frame_b.m.r - frame_a.m.r);
  R = frame_a.m.T*transpose(frame_b.m.T);
  depth = radius - e*r_rel;
  r_p = r_rel + r_c;
  v_c = R*frame_b.m.v + cross(R*frame_b.m.w, r_c) - frame_a.m.v - cross(frame_a.m.w, r_p);
  v_n = -e*v_c;
  v_t = v_c + e*v_n;

  pushed = smooth(0, noEvent(max(depth, 0)));
  f_c = if depth > 0 then c*pushed^1.5 else 0;
  f_n = smooth(0, noEvent(max(0, f_c*(1 + d*v_n))));
  // x/sqrt(1 + x^2) of the slip x: across no slip without a jump
  slip2 = v_t*v_t/v_slip^2;
  f = e*f_n - mu*f_n*v_t/(v_slip*sqrt(1 + slip2));
  V = 0.4*c*pushed^2.5;
  loss = (f_n - f_c)*v_n + mu*f_n*v_slip*slip2/sqrt(1 + slip2);

  frame_b.f = -transpose(R)*f;
  frame_b.t = -transpose(R)*cross(r_c, f);
  frame_a.f = f;
  frame_a.t = cross(r_p, f);
  annotation(
    __rung(look(
      plate(frame = frame_a, n = e),
      ball(frame = frame_b, radius = radius),
      arrow(frame = frame_b, f = frame_b.f))),
    Icon(graphics = {
      Line(points = {{-100, -50}, {100, -50}}, thickness = 1),
      Ellipse(extent = {{-50, -50}, {50, 50}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Hertz: c = 4/3 E* sqrt(radius), where 1/E* adds up (1 - nu^2)/E of both materials. The friction
is
Coulomb's made smooth: on a slope a sphere that does not roll creeps, slower the smaller
<code>v_slip</code>.</p>
</html>"));
end SpherePlane;
