within Linkage.Parts;
model SpinningBody "Body of revolution that turns about its axis at a given speed"
  Interfaces.Frame_a frame_a
    "Frame of the bearing, with the origin in the centre of mass; it does not turn with the body"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  parameter Units.Mass m = 1 "Mass";
  parameter Units.Axis n = {0, 1, 0} "Axis, resolved in frame_a" annotation(Evaluate = true);
  parameter Units.Inertia I_axis(min = 0) = 0.001 "Inertia about the axis";
  parameter Units.Inertia I_across(min = 0) = 0.001 "Inertia about any line across it";
  input Units.AngularVelocity w = 0 "Speed against frame_a";
  Units.Energy T "Kinetic energy";
  Units.Energy V "Potential energy of gravity, zero at the world's origin";
  Units.Energy E "Total energy";
  Units.Torque drive "Torque that keeps the speed as it is given";
protected
  outer World world;
  final parameter Units.Cosine e[3] = Frames.unit(n) "Axis of length one"
    annotation(Evaluate = true);
  final parameter Units.Inertia I[3, 3] = I_across*identity(3)
    + (I_axis - I_across)*outerProduct(e, e) "Inertia, resolved in frame_a";
  Units.AngularAcceleration z "Derivative of w";
equation
  z = der(w);
  drive = I_axis*(e*frame_a.m.z + z);
  frame_a.f = m*frame_a.m.a;
  // I does not change in frame_a: the spin adds I_axis w e to the angular momentum
  frame_a.t = I*frame_a.m.z + e*(I_axis*z) + cross(frame_a.m.w, I*frame_a.m.w + e*(I_axis*w));

  T = 0.5*m*(frame_a.m.v*frame_a.m.v) + 0.5*(frame_a.m.w*(I*frame_a.m.w))
    + I_axis*w*(e*frame_a.m.w + 0.5*w);
  V = -m*(world.G*frame_a.m.r);
  E = T + V;
  annotation(
    __rung(look(body(frame = frame_a, m = m, I = I, n = e, spin = w))),
    Icon(graphics = {
      Rectangle(extent = {{-20, -70}, {20, 70}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Line(points = {{-100, 0}, {60, 0}}),
      Line(points = {{40, -50}, {60, 0}, {40, 50}}, smooth = Smooth.Bezier,
        arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>A wheel, a flywheel, a propeller: its gyroscopic torque without the angle, which nothing depends
on. The
drive that keeps the speed takes its reaction from <code>frame_a</code>.</p>
</html>"));
end SpinningBody;
