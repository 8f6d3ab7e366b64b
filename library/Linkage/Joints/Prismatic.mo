within Linkage.Joints;
model Prismatic "One translation along an axis"
  extends Interfaces.TwoFrames;
  parameter Units.Axis n = {1, 0, 0} "Axis of translation, resolved in frame_a (and frame_b)"
    annotation(Evaluate = true);
  parameter Boolean useFlange = false "true, if the drive flange exists"
    annotation(Evaluate = true);
  Interfaces.TranslationalFlange flange if useFlange
    "Drive; its force acts on frame_b, its reaction on frame_a"
    annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Units.Length s(start = 0, stateSelect = StateSelect.prefer)
    "Distance from frame_a to frame_b along the axis";
  Units.Velocity v(start = 0, stateSelect = StateSelect.prefer) "Velocity, derivative of s";
  Units.Acceleration a "Acceleration, derivative of v";
  Units.Force f "Force of the drive";
protected
  final parameter Units.Cosine e[3] = Frames.unit(n) "Axis of length one"
    annotation(Evaluate = true);
  Interfaces.TranslationalTap tap(s = s);
equation
  Connections.branch(frame_a.m, frame_b.m);
  v = der(s);
  a = der(v);

  frame_b.m.r = frame_a.m.r + transpose(frame_a.m.T)*(e*s);
  frame_b.m.T = frame_a.m.T;
  frame_b.m.v = frame_a.m.v + cross(frame_a.m.w, e*s) + e*v;
  frame_b.m.w = frame_a.m.w;
  frame_b.m.a = frame_a.m.a + cross(frame_a.m.z, e*s) + e*a + Frames.centripetal(frame_a.m.w)*(e*s)
    + 2*cross(frame_a.m.w, e*v);
  frame_b.m.z = frame_a.m.z;

  frame_a.f + frame_b.f = zeros(3);
  frame_a.t + frame_b.t + cross(e*s, frame_b.f) = zeros(3);
  f = -e*frame_b.f;

  f = tap.f;
  connect(tap.flange, flange);
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -45}, {20, 45}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-70, -20}, {100, 20}}, lineColor = {38, 58, 92},
        fillColor = {228, 235, 244}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, -75}, {100, -110}}, textString = "%name")}),
    Documentation(info = "<html>
<p>A slider. Its distance <code>s</code> and speed <code>v</code> are preferred states. With
<code>useFlange = true</code> a drive of <a href=\"modelica://Linkage.Drives\">Linkage.Drives</a>
acts on the flange; without one the joint slides freely.</p>
</html>"));
end Prismatic;
