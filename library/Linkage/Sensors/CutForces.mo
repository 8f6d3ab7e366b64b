within Linkage.Sensors;
model CutForces "Force, torque and power that pass from frame_a to frame_b"
  extends Interfaces.TwoFrames;
  parameter Forces.ResolveIn resolveIn = Forces.ResolveIn.frame "Axes of the force and the torque"
    annotation(Evaluate = true);
  output Units.Force f[3] "Force on what is behind frame_b";
  output Units.Torque t[3] "Torque on it about the frame's origin";
  output Units.Power P "Power that passes from frame_a to frame_b";
equation
  Connections.branch(frame_a.m, frame_b.m);
  frame_a.m = frame_b.m;
  frame_a.f + frame_b.f = zeros(3);
  frame_a.t + frame_b.t = zeros(3);
  if resolveIn == Forces.ResolveIn.world then
    f = transpose(frame_a.m.T)*frame_a.f;
    t = transpose(frame_a.m.T)*frame_a.t;
  else
    f = frame_a.f;
    t = frame_a.t;
  end if;
  P = frame_a.f*frame_a.m.v + frame_a.t*frame_a.m.w;
  annotation(
    Icon(graphics = {
      Ellipse(extent = {{-70, -70}, {70, 70}}),
      Line(points = {{-100, 0}, {100, 0}}),
      Text(extent = {{-60, 50}, {60, 5}}, textString = "f t P"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The two frames are one; in a closed loop this sensor is a part like any other.</p>
</html>"));
end CutForces;
