within Linkage.Points;
model BarMass "Mass spread evenly over the line between two points"
  extends TwoPlaces;
  parameter Units.Mass m = 1 "Mass";
  Units.Velocity v_a[3] "Derivative of place_a.r";
  Units.Velocity v_b[3] "Derivative of place_b.r";
  Units.Energy T "Kinetic energy";
  Units.Energy V "Potential energy of gravity, zero at the world's origin";
  Units.Energy E "Total energy";
protected
  outer World world;
equation
  v_a = der(place_a.r);
  v_b = der(place_b.r);
  // velocities are linear along the bar: their squares add up to these thirds and sixths
  place_a.f = m/6*(2*der(v_a) + der(v_b)) - m/2*world.G;
  place_b.f = m/6*(der(v_a) + 2*der(v_b)) - m/2*world.G;
  T = m/6*(v_a*v_a + v_a*v_b + v_b*v_b);
  V = -m/2*(world.G*(place_a.r + place_b.r));
  E = T + V;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-90, -12}, {90, 12}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Forward),
      Text(extent = {{-100, 80}, {100, 40}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Keeps no length: a heavy elastic band with springs beside it, a <code>Bar</code> with a
<code>Link</code>.</p>
</html>"));
end BarMass;
