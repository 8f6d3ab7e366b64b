within Linkage.Sensors;
model Distance "Distance of two frames' origins"
  extends Interfaces.TwoFrames;
  output Units.Length s(min = 0) "Distance";
  output Units.Velocity v "Derivative of s; 0 where the origins meet";
protected
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in the world frame";
equation
  r_rel = frame_b.m.r - frame_a.m.r;
  s = sqrt(r_rel*r_rel);
  v = if s > 0 then (
          r_rel*(transpose(frame_b.m.T)*frame_b.m.v - transpose(frame_a.m.T)*frame_a.m.v))/s
    else 0;
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  frame_b.f = zeros(3);
  frame_b.t = zeros(3);
  annotation(
    __rung(look(none)),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, arrow = {Arrow.Filled, Arrow.Filled}),
      Text(extent = {{-40, 45}, {40, 5}}, textString = "s"),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(
      info = "<html><p>For clearances and for rods that are to keep a length.</p></html>"));
end Distance;
