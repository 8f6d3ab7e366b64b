within Linkage.Examples;
model SpringPendulum "Body that hangs on a spring and swings in space"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Free joint(r_rel(start = {1, -0.5, 0.2}, each fixed = true),
    v_rel(start = {0, 0, 1}, each fixed = true), Q(each fixed = true), w_rel(each fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body body(m = 1, r_CM = {0.1, -0.2, 0.05}, I_11 = 0.02, I_22 = 0.01, I_33 = 0.02)
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Forces.SpringDamper spring(c = 40, s_0 = 0.8)
    annotation(Placement(transformation(origin = {-20, 0}, extent = {{-18, -18}, {18, 18}})));
  output Units.Energy E = body.E + spring.V "Total energy";
equation
  connect(world.frame_b, joint.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint.frame_b, body.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(world.frame_b, spring.frame_a)
    annotation(Line(points = {{-62, 60}, {-50, 60}, {-50, 0}, {-38, 0}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(spring.frame_b, body.frame_a)
    annotation(Line(points = {{-2, 0}, {10, 0}, {10, 60}, {22, 60}}, color = {95, 108, 128},
      thickness = 0.5));
  annotation(
    Diagram(coordinateSystem(extent = {{-110, -30}, {70, 90}})),
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end SpringPendulum;
