within Linkage.Examples;
model PushedBody "Free body with a jet fixed to it and a torque in world axes"
  extends Icons.Example;
  inner World world;
  Joints.Free joint(r_rel(each fixed = true), v_rel(each fixed = true), Q(each fixed = true),
    w_rel(start = {0, 0, 1}, each fixed = true));
  Parts.Body body(m = 2, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3);
  Parts.FixedTranslation nozzle(r = {0, -0.5, 0.1});
  Forces.Force jet(resolveIn = Forces.ResolveIn.frame, f = {0, 25, 0});
  Forces.Torque twist(t = {0.1*sin(time), 0, 0.05});
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
  connect(joint.frame_b, nozzle.frame_a);
  connect(nozzle.frame_b, jet.frame_b);
  connect(joint.frame_b, twist.frame_b);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end PushedBody;
