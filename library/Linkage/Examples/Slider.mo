within Linkage.Examples;
model Slider "Mass on a rail with a spring"
  extends Icons.Example;
  inner World world;
  Joints.Prismatic joint(n = {1, 0, 0}, useFlange = true, s(start = 1, fixed = true),
    v(fixed = true));
  Parts.PointMass body(m = 2);
  Drives.TranslationalFixed ground;
  Drives.TranslationalSpringDamper spring(c = 50, s_rel_0 = 0.5);
  output Units.Energy E = body.E + spring.V "Total energy";
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
  connect(ground.flange, spring.flange_a);
  connect(spring.flange_b, joint.flange);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end Slider;
