within Linkage.Vehicles;
model LeafSpring "Spring along z of frame_a that lets frame_b go across; its force from a table"
  extends Interfaces.TwoFrames;
  parameter Real table[:, 2] = [0, -1000; 0.1, 0]
    "Rows of length (m) and force (N, positive for tension); lengths grow";
  parameter Units.Length s_0 = 0 "How far below frame_a the length begins to count";
  Units.Length s "Length: how far frame_b is below, less s_0";
  Units.Force f "Force, positive for tension";
  Units.Energy V "Energy in the spring, zero at the table's first point";
protected
  Drives.Table spring(final points = table, x = s) "The spring";
  Units.Length r_rel[3] "From frame_a to frame_b, resolved in frame_a";
  Units.Force f_a[3] "Force on frame_b, resolved in frame_a";
equation
  r_rel = frame_a.m.T*(frame_b.m.r - frame_a.m.r);
  s = -r_rel[3] - s_0;
  f = spring.y;
  V = spring.area;
  f_a = {0, 0, f};
  frame_b.f = -frame_b.m.T*(transpose(frame_a.m.T)*f_a);
  frame_b.t = zeros(3);
  frame_a.f = f_a;
  frame_a.t = cross(r_rel, f_a);
  annotation(
    Icon(graphics = {
      Line(points = {{-90, -20}, {0, 30}, {90, -20}}, smooth = Smooth.Bezier, thickness = 1),
      Line(points = {{-60, -10}, {0, 15}, {60, -10}}, smooth = Smooth.Bezier, thickness = 1),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>A transverse leaf, whose end slides on what it carries: the line of the force moves with
<code>frame_b</code>. Beyond its ends the table goes on as straight as it ended, so that a stiff first piece is a
stop.</p>
</html>"));
end LeafSpring;
