within Linkage.Examples;
model DoublePendulum "Two rods on hinges, swinging in a plane"
  extends Icons.Example;
  parameter Units.Length l = 1 "Length of each rod";
  parameter Units.Mass m = 1 "Mass of each rod";
  parameter Units.Inertia J = m*l^2/12 "Inertia of each rod across, about its middle";
  inner World world;
  Joints.Revolute joint1(phi(start = 0.3, fixed = true), w(fixed = true));
  Parts.Body body1(m = m, final r_CM = {l/2, 0, 0}, final I_11 = 0, final I_22 = J, final I_33 = J,
    final I_21 = 0, final I_31 = 0, final I_32 = 0);
  Parts.FixedTranslation arm(final r = {l, 0, 0});
  Joints.Revolute joint2(phi(start = 1, fixed = true), w(fixed = true));
  Parts.Body body2(m = m, final r_CM = {l/2, 0, 0}, final I_11 = 0, final I_22 = J, final I_33 = J,
    final I_21 = 0, final I_31 = 0, final I_32 = 0);
  output Units.Energy E = body1.E + body2.E "Total energy";
equation
  connect(world.frame_b, joint1.frame_a);
  connect(joint1.frame_b, body1.frame_a);
  connect(joint1.frame_b, arm.frame_a);
  connect(arm.frame_b, joint2.frame_a);
  connect(joint2.frame_b, body2.frame_a);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end DoublePendulum;
