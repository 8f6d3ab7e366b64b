within Linkage.Examples;
model SpringPendulum "Body that hangs on a spring and swings in space"
  extends Icons.Example;
  inner World world;
  Joints.Free joint(r_rel(start = {1, -0.5, 0.2}, each fixed = true),
    v_rel(start = {0, 0, 1}, each fixed = true), Q(each fixed = true), w_rel(each fixed = true));
  Parts.Body body(m = 1, r_CM = {0.1, -0.2, 0.05}, I_11 = 0.02, I_22 = 0.01, I_33 = 0.02);
  Forces.SpringDamper spring(c = 40, s_0 = 0.8);
  output Units.Energy E = body.E + spring.V "Total energy";
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
  connect(world.frame_b, spring.frame_a);
  connect(spring.frame_b, body.frame_a);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end SpringPendulum;
