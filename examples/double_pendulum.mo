// rung simulate examples/double_pendulum.mo --model DoublePendulum -o double_pendulum.csv
model DoublePendulum "Two bodies on hinges, one below the other"
  inner Linkage.World world;
  Linkage.Joints.Revolute shoulder(phi(start = -1.2, fixed = true), w(start = 0, fixed = true));
  Linkage.Parts.Body upper(m = 2, r_CM = {0.25, 0, 0}, I_11 = 0.001, I_22 = 0.05, I_33 = 0.05);
  Linkage.Parts.FixedTranslation arm(r = {0.5, 0, 0});
  Linkage.Joints.Revolute elbow(phi(start = 0.4, fixed = true), w(start = 0, fixed = true));
  Linkage.Parts.Body lower(m = 1, r_CM = {0.2, 0, 0}, I_11 = 0.001, I_22 = 0.02, I_33 = 0.02);
  output Real E(unit = "J") = upper.E + lower.E "Total energy, constant";
equation
  connect(world.frame_b, shoulder.frame_a);
  connect(shoulder.frame_b, upper.frame_a);
  connect(shoulder.frame_b, arm.frame_a);
  connect(arm.frame_b, elbow.frame_a);
  connect(elbow.frame_b, lower.frame_a);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end DoublePendulum;
