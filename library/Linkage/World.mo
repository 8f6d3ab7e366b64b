within Linkage;
model World "Inertial frame and uniform gravity"
  parameter Units.Acceleration g = 9.81 "Acceleration of gravity";
  parameter Units.Axis n = {0, -1, 0} "Direction of gravity, resolved in the world frame"
    annotation(Evaluate = true);
  Interfaces.Frame_b frame_b "Origin and axes of the world";
  final parameter Units.Acceleration G[3] = g*Frames.unit(n)
    "Acceleration of gravity, resolved in the world frame";
equation
  Connections.root(frame_b.m);
  frame_b.m.r = zeros(3);
  frame_b.m.T = identity(3);
  frame_b.m.v = zeros(3);
  frame_b.m.w = zeros(3);
  // a proper acceleration: a frame at rest is pushed up against gravity
  frame_b.m.a = -G;
  frame_b.m.z = zeros(3);
  annotation(
    defaultComponentName = "world",
    defaultComponentPrefixes = "inner",
    missingInnerMessage = "A Linkage model needs one component 'inner Linkage.World world'.",
    Documentation(info = "<html>
<p>Root of all mechanisms. Gravity acts through the acceleration of
<code>frame_b</code> and needs no force element.</p>
</html>"));
end World;
