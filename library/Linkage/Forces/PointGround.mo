within Linkage.Forces;
model PointGround "Contact of a point with uneven ground, with friction that sticks"
  extends Interfaces.TwoFrames;
  replaceable model Profile = Vehicles.FlatRoad constrainedby Vehicles.Road
    "Heights of the ground over x and y of frame_a, along z"
    annotation(choicesAllMatching = true);
  Profile ground(x = r_rel[1], y = r_rel[2]) "The ground at the point";
  parameter Real c(min = 0) = 1e6 "Stiffness in N/m^p: force along z by the depth to the power p";
  parameter Real p(min = 1, unit = "1") = 1.5 "Exponent of the depth; 1.5 after Hertz"
    annotation(Evaluate = true);
  parameter Real d(unit = "s/m", min = 0) = 0.1
    "Damping after Hunt and Crossley: part of that force for each m/s";
  parameter Real mu(unit = "1", min = 0) = 0.5 "Friction coefficient in motion; not zero";
  parameter Real mu_s(unit = "1", min = 0) = mu "That at rest, not less than mu";
  parameter Units.Velocity v_S(min = 0) = 0.01 "Stribeck's velocity: how fast is motion; not zero";
  parameter Real c_t(unit = "1/m", min = 0) = 2e3
    "Stiffness while it sticks, by the normal force; not zero";
  parameter Real d_t(unit = "s/m", min = 0) = 2e-2*c_t "Damping while it sticks, likewise";
  Units.Length depth "How deep the point is in the ground, along z; negative above it";
  Units.Force f_n "Normal force, not negative";
  Units.Velocity v_t[2]
    "Velocity along the ground: uphill as x goes, and across that in the ground's plane";
  Units.Length z[2](each start = 0, each fixed = true, each stateSelect = StateSelect.always)
    "Deflection of a contact that sticks, likewise";
  Units.Force f[3] "Force on the point, resolved in frame_a";
  Units.Energy V "Energy in the contact, without that of the friction";
  Units.Power loss "Power lost, with that into the deflection of contacts that stick";
protected
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in frame_a";
  Units.Velocity v[3] "Velocity of the point against the ground, resolved in frame_a";
  Units.Cosine n[3] "Normal of the ground";
  Units.Cosine e_1[3] "Along the ground, with no part along y of frame_a";
  Units.Cosine e_2[3] "Along the ground, across e_1";
  Real up(unit = "1") "1 by the cosine of the slope";
  Units.Velocity v_in "At which the depth grows";
  Units.Length pushed "The depth, or zero";
  Units.Force f_c "Force along z without damping";
  Units.Force f_z "Force along z";
  Units.Velocity slip "Speed along the ground";
  Real most(unit = "1") "Largest friction by the normal force at this speed";
  Real stuck(unit = "1") "1 at rest, 0 in motion";
  Real g[2](each unit = "1") "Friction by the normal force";
equation
  r_rel = frame_a.m.T*(frame_b.m.r - frame_a.m.r);
  v = frame_a.m.T*(transpose(frame_b.m.T)*frame_b.m.v) - frame_a.m.v - cross(frame_a.m.w, r_rel);
  depth = ground.h - r_rel[3];
  up = sqrt(1 + ground.h_x^2 + ground.h_y^2);
  n = {-ground.h_x, -ground.h_y, 1}/up;
  e_1 = {1, 0, ground.h_x}/sqrt(1 + ground.h_x^2);
  e_2 = cross(n, e_1);
  v_t = {e_1*v, e_2*v};
  v_in = -up*(n*v);

  pushed = smooth(0, noEvent(max(depth, 0)));
  f_c = if depth > 0 then c*pushed^p else 0;
  f_z = smooth(0, noEvent(max(0, f_c*(1 + d*v_in))));
  // the gradient of V, and the damping along it
  f_n = up*f_z;
  V = c*pushed^(p + 1)/(p + 1);

  // bristles that give way in proportion to the load: off the ground they have no force
  slip = sqrt(v_t*v_t + 1e-20);
  stuck = exp(-(v_t*v_t)/v_S^2);
  most = mu + (mu_s - mu)*stuck;
  der(z) = v_t - slip*c_t/most*z;
  g = c_t*z + d_t*stuck*der(z);
  f = f_n*(n - e_1*g[1] - e_2*g[2]);
  loss = (f_z - f_c)*v_in + f_n*(g*v_t);

  frame_b.f = -frame_b.m.T*(transpose(frame_a.m.T)*f);
  frame_b.t = zeros(3);
  frame_a.f = f;
  frame_a.t = cross(r_rel, f);
  annotation(
    __rung(look(
      inside(frame = frame_a),
      ball(frame = frame_b, m = 0),
      arrow(frame = frame_b, f = frame_b.f))),
    Icon(graphics = {
      Line(points = {{-100, -50}, {-50, -30}, {0, -55}, {50, -45}, {100, -60}},
        smooth = Smooth.Bezier, thickness = 1),
      Line(points = {{0, 60}, {0, -45}}, thickness = 1),
      Ellipse(extent = {{-10, -58}, {10, -38}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Feet of robots and of tables, corners of boxes: as many of them as there are points. The ground is a <a
href=\"modelica://Linkage.Vehicles.Road\">Vehicles.Road</a> in frame_a, whose z points up: <code>PointGround foot(redeclare
model Profile = Vehicles.HeightField(z = heights))</code>.</p>
<p>The depth is measured along z, and the force is the gradient of its energy: without damping and friction a
point that bounces over hills keeps its energy. The friction is that of Canudas de Wit, Olsson, Astrom and Lischinsky (1995)
with a stiffness in proportion to the load: it sticks within <code>mu/c_t</code> of where it came to rest, without an
event.</p>
</html>"));
end PointGround;
