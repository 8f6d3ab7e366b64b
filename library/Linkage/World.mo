within Linkage;
model World "Inertial frame and uniform gravity"
  parameter Units.Acceleration g = 9.81 "Acceleration of gravity";
  parameter Units.Axis n = {0, -1, 0} "Direction of gravity, resolved in the world frame"
    annotation(Evaluate = true);
  Interfaces.Frame_b frame_b "Origin and axes of the world"
    annotation(Placement(transformation(extent = {{84, -16}, {116, 16}})));
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
    __rung(look(anchor(frame = frame_b))),
    Icon(graphics = {
      Line(points = {{-60, -60}, {-60, 60}}, color = {38, 58, 92},
        arrow = {Arrow.None, Arrow.Filled}, arrowSize = 5, thickness = 0.5),
      Line(points = {{-60, -60}, {60, -60}}, color = {38, 58, 92},
        arrow = {Arrow.None, Arrow.Filled}, arrowSize = 5, thickness = 0.5),
      Text(extent = {{-90, 90}, {-50, 62}}, textString = "y"),
      Text(extent = {{62, -48}, {96, -76}}, textString = "x"),
      Line(points = {{30, 70}, {30, 10}}, color = {190, 60, 30}, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 6, thickness = 0.75),
      Text(extent = {{36, 55}, {80, 20}}, textString = "g"),
      Text(extent = {{-100, -70}, {100, -105}}, textString = "%name")}),
    defaultComponentName = "world",
    defaultComponentPrefixes = "inner",
    missingInnerMessage = "A Linkage model needs one component 'inner Linkage.World world'.",
    Documentation(info = "<html>
<p>Root of all mechanisms. Gravity acts through the acceleration of
<code>frame_b</code> and needs no force element.</p>
</html>"));
end World;
