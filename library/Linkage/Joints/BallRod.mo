within Linkage.Joints;
model BallRod
  "Rod without mass and with a ball joint at each end: keeps two origins at one distance"
  extends Interfaces.TwoFrames;
  parameter Units.Length l(min = 0) = 1 "Length, not zero";
  Units.Force f "Force, positive for tension";
protected
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in the world frame";
  Units.Force f_b[3] "Force into the rod at frame_b, resolved in the world frame";
  // the gradient of the square by twice the length is a unit vector where the length is kept
  Interfaces.ExtentTap square(s = r_rel*r_rel/(2*l)) "Square of the distance by 2 l";
  Interfaces.ExtentTap wanted(s = l/2) "What it is to be";
equation
  r_rel = frame_b.m.r - frame_a.m.r;
  connect(square.port, wanted.port);
  f = square.f;
  f_b = r_rel/l*f;
  frame_b.f = frame_b.m.T*f_b;
  frame_a.f = -frame_a.m.T*f_b;
  frame_a.t = zeros(3);
  frame_b.t = zeros(3);
  annotation(
    __rung(look(rod(a = frame_a, b = frame_b), joint(frame = frame_a), joint(frame = frame_b))),
    Icon(graphics = {
      Line(points = {{-80, 0}, {80, 0}}, thickness = 1),
      Ellipse(extent = {{-100, -20}, {-60, 20}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Ellipse(extent = {{60, -20}, {100, 20}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Sphere),
      Text(extent = {{-100, 80}, {100, 40}}, textString = "%name")}),
    Documentation(info = "<html>
<p>One constraint with one multiplier, where a rod with two ball joints of its own would bring seven
coordinates and six multipliers; it closes a loop by itself. Use a <code>Parts.Rod</code> between
a <code>Universal</code> and a <code>Spherical</code> joint where the rod's mass matters.</p>
</html>"));
end BallRod;
