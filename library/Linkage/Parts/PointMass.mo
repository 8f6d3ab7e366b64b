within Linkage.Parts;
model PointMass "Mass in one point"
  Interfaces.Frame_a frame_a "Frame whose origin is the point"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  parameter Units.Mass m = 1 "Mass";
  Units.Energy T "Kinetic energy";
  Units.Energy V "Potential energy of gravity, zero at the world's origin";
  Units.Energy E "Total energy";
protected
  outer World world;
equation
  frame_a.f = m*frame_a.m.a;
  frame_a.t = zeros(3);

  T = 0.5*m*(frame_a.m.v*frame_a.m.v);
  V = -m*(world.G*frame_a.m.r);
  E = T + V;
  annotation(
    __rung(look(ball(frame = frame_a, m = m))),
    Icon(graphics = {
      Line(points = {{-84, 0}, {0, 0}}, color = {38, 58, 92}),
      Ellipse(extent = {{-30, -30}, {30, 30}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name"),
      Text(extent = {{-100, -60}, {100, -95}}, textString = "m=%m")}),
    Documentation(info = "<html>
<p>Has no inertia against rotation: what it is fixed to needs its own, or joints that leave
no rotation of its axes undetermined.</p>
</html>"));
end PointMass;
