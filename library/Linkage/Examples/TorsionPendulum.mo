within Linkage.Examples;
model TorsionPendulum "Hinge about a sloping axis with a torsion spring"
  extends Icons.Example;
  inner World world;
  Parts.FixedRotation slope(n = {1, 0, 0}, angle = 0.5);
  Joints.Revolute joint(n = {0, 0, 1}, useFlange = true, phi(start = 0.5, fixed = true),
    w(fixed = true));
  Parts.Body body(m = 1, r_CM = {0.5, 0, 0}, I_11 = 0.01, I_22 = 0.1, I_33 = 0.1);
  Drives.RotationalFixed ground;
  Drives.RotationalSpringDamper spring(c = 20);
  output Units.Energy E = body.E + spring.V "Total energy";
equation
  connect(world.frame_b, slope.frame_a);
  connect(slope.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
  connect(ground.flange, spring.flange_a);
  connect(spring.flange_b, joint.flange);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end TorsionPendulum;
