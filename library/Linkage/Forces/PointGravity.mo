within Linkage.Forces;
model PointGravity "Attraction of a mass by a point that does not move"
  Interfaces.Frame_b frame_b "Frame whose origin is the attracted mass"
    annotation(Placement(transformation(extent = {{84, -16}, {116, 16}})));
  parameter Units.Mass m = 1 "Attracted mass";
  parameter Real mu(unit = "m3/s2", min = 0) = 3.986004418e14
    "Gravitational constant times the attracting mass; that of the earth";
  parameter Units.Length center[3] = {0, 0, 0} "The point, resolved in the world frame";
  Units.Length s(min = 0) "Distance";
  Units.Energy V "Potential energy, zero far away";
protected
  Units.Length r_rel[3] "From the point to the mass, resolved in the world frame";
equation
  r_rel = frame_b.m.r - center;
  s = sqrt(r_rel*r_rel);
  V = -mu*m/s;
  frame_b.f = frame_b.m.T*(r_rel*(mu*m/s^3));
  frame_b.t = zeros(3);
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-60, -60}, {60, 60}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Line(points = {{100, 0}, {70, 0}}, arrow = {Arrow.None, Arrow.Filled}, thickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>For orbits, with <code>World(g = 0)</code>. It acts at the frame's origin: put the frame at a
body's centre
of mass. The gradient across a body, which turns long ones, needs several of them.</p>
</html>"));
end PointGravity;
