within Linkage.Sensors;
model AbsoluteMotion "Position, velocity and acceleration of a frame"
  Interfaces.Frame_a frame_a "Frame looked at"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  parameter Forces.ResolveIn resolveIn = Forces.ResolveIn.world
    "Axes of the velocities and accelerations"
    annotation(Evaluate = true);
  output Units.Length r[3] "Position, resolved in the world frame";
  output Units.Velocity v[3] "Velocity";
  output Units.Acceleration a[3] "Acceleration";
  output Units.Acceleration a_proper[3]
    "What an accelerometer reads: the acceleration less gravity";
  output Units.AngularVelocity w[3] "Angular velocity, what a gyroscope reads";
  output Units.AngularAcceleration z[3] "Angular acceleration";
protected
  outer World world;
equation
  r = frame_a.m.r;
  if resolveIn == Forces.ResolveIn.world then
    v = transpose(frame_a.m.T)*frame_a.m.v;
    a_proper = transpose(frame_a.m.T)*frame_a.m.a;
    a = a_proper + world.G;
    w = transpose(frame_a.m.T)*frame_a.m.w;
    z = transpose(frame_a.m.T)*frame_a.m.z;
  else
    v = frame_a.m.v;
    a_proper = frame_a.m.a;
    a = a_proper + frame_a.m.T*world.G;
    w = frame_a.m.w;
    z = frame_a.m.z;
  end if;
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  annotation(
    __rung(look(none)),
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{-100, 0}, {-70, 0}}),
      Text(extent = {{-60, 30}, {60, -30}}, textString = "r v a"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>All are against the world, whichever axes they are resolved in: <code>v</code> in the axes of the
frame is
not the derivative of anything there.</p>
</html>"));
end AbsoluteMotion;
