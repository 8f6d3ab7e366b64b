within Linkage.Benchmarks;
model Pendulum "Point mass on a massless rod, released from the horizontal (IFToMM A01)"
  extends Icons.Example;
  inner World world;
  Joints.Revolute joint(n = {0, 0, 1}, phi(fixed = true), w(fixed = true));
  Parts.FixedTranslation rod(r = {-1, 0, 0});
  Parts.PointMass mass(m = 1);
  output Units.Length x = mass.frame_a.m.r[1] "Position of the mass";
  output Units.Length y = mass.frame_a.m.r[2] "Position of the mass";
  output Units.Energy E = mass.E "Total energy";
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, rod.frame_a);
  connect(rod.frame_b, mass.frame_a);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02));
end Pendulum;
