within Linkage.Points;
model Point "Mass in a point that is free to move"
  Place place "Where it is" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  parameter Units.Mass m = 1 "Mass";
  parameter Units.Length r_0[3] = {0, 0, 0} "Position at the start, as near to it as links allow";
  Units.Length r[3](start = r_0, each stateSelect = StateSelect.prefer)
    "Position, resolved in the world frame";
  Units.Velocity v[3](each start = 0, each stateSelect = StateSelect.prefer) "Derivative of r";
  Units.Acceleration a[3] "Derivative of v";
  Units.Energy T "Kinetic energy";
  Units.Energy V "Potential energy of gravity, zero at the world's origin";
  Units.Energy E "Total energy";
protected
  outer World world;
equation
  place.r = r;
  v = der(r);
  a = der(v);
  m*(a - world.G) = place.f;

  T = 0.5*m*(v*v);
  V = -m*(world.G*r);
  E = T + V;
  annotation(
    __rung(look(ball(frame = place, m = m))),
    Icon(graphics = {
      Ellipse(extent = {{-50, -50}, {50, 50}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>May have no mass where a <code>Bar</code> ends in it.</p>
</html>"));
end Point;
