within Linkage.Forces;
model Torque "Torque on a frame"
  Interfaces.Frame_b frame_b "Frame the torque acts on"
    annotation(Placement(transformation(extent = {{84, -16}, {116, 16}})));
  parameter ResolveIn resolveIn = ResolveIn.world "Axes in which t is given"
    annotation(Evaluate = true);
  input Units.Torque t[3] "Torque on the frame";
equation
  if resolveIn == ResolveIn.world then
    frame_b.t = -frame_b.m.T*t;
  else
    frame_b.t = -t;
  end if;
  frame_b.f = zeros(3);
  annotation(
    __rung(look(arrow(frame = frame_b, t = frame_b.t))),
    Icon(graphics = {
      Line(
        points = {{-52, -19}, {-55, 0}, {-52, 19}, {-42, 35}, {-27, 48}, {-10, 54}, {10, 54},
          {28, 48}, {42, 35}, {52, 19}, {55, 0}, {52, -19}},
        color = {190, 60, 30}, smooth = Smooth.Bezier, arrow = {Arrow.None, Arrow.Filled},
        arrowSize = 8, thickness = 1),
      Line(points = {{52, -18}, {84, 0}}, color = {38, 58, 92}, pattern = LinePattern.Dot),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Give the input in a modification: <code>Forces.Torque push(t = {sin(time), 0, 0})</code>.</p>
</html>"));
end Torque;
