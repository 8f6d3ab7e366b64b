within Linkage.Vehicles;
partial model Tyre "Where a thin wheel meets the road, and its normal force"
  Interfaces.Frame_a frame_a
    "Centre of the wheel, with the axle along y; it does not turn with the wheel"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  parameter Units.Length radius(min = 0) = 0.3 "Of the wheel without load";
  parameter Units.Stiffness c = 2e5 "Radial stiffness";
  parameter Units.Length trail = 0 "How far behind the centre the forces act";
  parameter Units.Velocity v_low(min = 0) = 0.1
    "Slower than this forwards the slip is by v_low; not zero";
  replaceable model Profile = FlatRoad constrainedby Road "The road"
    annotation(choicesAllMatching = true);
  Profile road(x = frame_a.m.r[1], y = frame_a.m.r[2]) "The road under the centre";
  Units.Length depth "How far the tyre is pressed in; negative above the road";
  Units.Force f_n "Normal force, not negative";
  Units.Angle slip
    "Angle of the way of the centre against the wheel, positive for a way to the left";
  Units.Angle camber
    "Angle of the wheel against the normal of the road, positive if it leans to the right";
  Units.Force f_y "Side force on the wheel, to the left";
  Units.Torque t_x "Torque on the wheel about its direction";
  Units.Torque t_z "Torque on the wheel about the normal of the road";
protected
  // resolved in frame_a
  Units.Cosine n[3] "Normal of the road, up";
  Units.Cosine e_x[3] "Along the road and across the axle: the direction of the wheel";
  Units.Cosine e_y[3] "Along the road, across the direction";
  Units.Cosine e_z[3] "Spoke from the road to the centre";
  Units.Length r_p[3] "From the centre to the point of contact";
  Units.Force f[3] "Force on the wheel";
  Units.Velocity v_x "Velocity of the centre along e_x";
  Units.Velocity v_y "Velocity of the centre along e_y";
  Real q(unit = "1") "Length of the axle's unit vector across the normal";
  Real up(unit = "1") "1 by the cosine of the slope";
equation
  up = sqrt(1 + road.h_x^2 + road.h_y^2);
  n = frame_a.m.T*{-road.h_x, -road.h_y, 1}/up;
  // the axle is {0, 1, 0} here
  q = sqrt(n[1]^2 + n[3]^2);
  e_x = {n[3], 0, -n[1]}/q;
  e_y = cross(n, e_x);
  e_z = {n[1], 0, n[3]}/q;
  v_x = e_x*frame_a.m.v;
  v_y = e_y*frame_a.m.v;
  slip = atan(v_y/smooth(0, noEvent(max(abs(v_x), v_low))));
  camber = atan(n[2]/q);

  depth = (radius - (frame_a.m.r[3] - road.h))/up;
  f_n = if depth > 0 then c*depth else 0;
  // down the spoke, at the angle camber to the normal
  r_p = -(frame_a.m.r[3] - road.h)/(up*q)*e_z - trail*e_x;
  f = n*f_n + e_y*f_y;
  frame_a.f = -f;
  frame_a.t = -(cross(r_p, f) + e_x*t_x + n*t_z);
  annotation(
    __rung(look(
      wheel(frame = frame_a, n = {0, 1, 0}, radius = radius, speed = v_x),
      road(x = road.x, y = road.y, h = road.h, width = radius),
      arrow(frame = frame_a, f = frame_a.f))),
    Icon(graphics = {
      Line(points = {{-100, -70}, {100, -70}}, thickness = 1),
      Ellipse(extent = {{-70, -70}, {70, 70}}, lineThickness = 1),
      Ellipse(extent = {{-40, -40}, {40, 40}}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The road is a plane at each moment: that which touches it under the centre, short bumps are not
followed. No
force along the wheel; it rolls freely. At rest there is no slip, hence no side force.</p>
</html>"));
end Tyre;
