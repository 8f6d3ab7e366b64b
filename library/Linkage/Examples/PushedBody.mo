within Linkage.Examples;
model PushedBody "Free body with a jet fixed to it and a torque in world axes"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Free joint(r_rel(each fixed = true), v_rel(each fixed = true), Q(each fixed = true),
    w_rel(start = {0, 0, 1}, each fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body body(m = 2, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3)
    annotation(Placement(transformation(origin = {40, -60}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedTranslation nozzle(r = {0, -0.5, 0.1})
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Forces.Force jet(resolveIn = Forces.ResolveIn.frame, f = {0, 25, 0})
    annotation(Placement(transformation(origin = {100, 60}, extent = {{-18, -18}, {18, 18}})));
  Forces.Torque twist(t = {0.1*sin(time), 0, 0.05})
    annotation(Placement(transformation(origin = {40, 0}, extent = {{-18, -18}, {18, 18}})));
equation
  connect(world.frame_b, joint.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(joint.frame_b, body.frame_a)
    annotation(Line(points = {{-2, 60}, {10, 60}, {10, -60}, {22, -60}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(joint.frame_b, nozzle.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(nozzle.frame_b, jet.frame_b)
    annotation(Line(points = {{58, 60}, {126, 60}, {126, 60}, {118, 60}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(joint.frame_b, twist.frame_b)
    annotation(Line(points = {{-2, 60}, {66, 60}, {66, 0}, {58, 0}}, color = {95, 108, 128},
      thickness = 0.5));
  annotation(
    Diagram(coordinateSystem(extent = {{-110, -90}, {130, 90}})),
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end PushedBody;
