within Linkage.Forces;
model Force "Force on a frame"
  Interfaces.Frame_b frame_b "Frame the force acts on"
    annotation(Placement(transformation(extent = {{84, -16}, {116, 16}})));
  parameter ResolveIn resolveIn = ResolveIn.world "Axes in which f is given"
    annotation(Evaluate = true);
  input Units.Force f[3] "Force on the frame";
equation
  if resolveIn == ResolveIn.world then
    frame_b.f = -frame_b.m.T*f;
  else
    frame_b.f = -f;
  end if;
  frame_b.t = zeros(3);
  annotation(
    __rung(look(arrow(frame = frame_b, f = frame_b.f))),
    Icon(graphics = {
      Line(points = {{-90, 0}, {84, 0}}, color = {190, 60, 30}, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 8, thickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Give the input in a modification: <code>Forces.Force push(f = {sin(time), 0, 0})</code>.</p>
</html>"));
end Force;
