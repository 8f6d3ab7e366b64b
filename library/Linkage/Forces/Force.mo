within Linkage.Forces;
model Force "Force on a frame"
  Interfaces.Frame_b frame_b "Frame the force acts on";
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
  annotation(Documentation(info = "<html>
<p>Give the input in a modification: <code>Forces.Force push(f = {sin(time), 0, 0})</code>.</p>
</html>"));
end Force;
