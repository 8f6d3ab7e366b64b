within Linkage.Forces;
model Torque "Torque on a frame"
  Interfaces.Frame_b frame_b "Frame the torque acts on";
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
  annotation(Documentation(info = "<html>
<p>Give the input in a modification: <code>Forces.Torque push(t = {sin(time), 0, 0})</code>.</p>
</html>"));
end Torque;
