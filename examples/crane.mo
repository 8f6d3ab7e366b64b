// rung simulate examples/crane.mo --model Crane -o crane.csv
model Crane "A trolley on a beam; the load swings in space below it and may turn"
  inner Linkage.World world(n = {0, 0, -1});
  parameter Real l(unit = "m") = 6 "Length of the rope, taken as a rigid rod";
  Linkage.Joints.Prismatic beam(n = {1, 0, 0}, useFlange = true, s(start = 0, fixed = true),
    v(start = 0, fixed = true));
  Linkage.Parts.Body trolley(m = 400, I_11 = 20, I_22 = 20, I_33 = 20);
  Linkage.Drives.Force motor(f = 600*sin(0.8*time));
  Linkage.Drives.TranslationalFixed rail;
  Linkage.Drives.TranslationalSpringDamper friction(c = 0, d = 60);
  Linkage.Joints.Universal sheave(n_a = {1, 0, 0}, n_b = {0, 1, 0},
    phi(start = {0.1, 0}, each fixed = true), w(each start = 0, each fixed = true));
  Linkage.Parts.Body rope(m = 20, r_CM = {0, 0, -l/2}, I_11 = 60, I_22 = 60, I_33 = 0.01);
  Linkage.Parts.FixedTranslation length(r = {0, 0, -l});
  Linkage.Joints.Revolute hook(n = {0, 0, 1}, phi(start = 0, fixed = true),
    w(start = 0.5, fixed = true));
  Linkage.Parts.Body load(m = 1000, r_CM = {0.1, 0, -1}, I_11 = 300, I_22 = 500, I_33 = 400);
equation
  connect(world.frame_b, beam.frame_a);
  connect(motor.flange, beam.flange);
  connect(rail.flange, friction.flange_a);
  connect(friction.flange_b, beam.flange);
  connect(beam.frame_b, trolley.frame_a);
  connect(beam.frame_b, sheave.frame_a);
  connect(sheave.frame_b, rope.frame_a);
  connect(sheave.frame_b, length.frame_a);
  connect(length.frame_b, hook.frame_a);
  connect(hook.frame_b, load.frame_a);
  annotation(experiment(StopTime = 20, Tolerance = 1e-6, Interval = 0.05));
end Crane;
