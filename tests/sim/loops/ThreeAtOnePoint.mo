// The loop is cut where three links meet: the knee and the hinge of the pendulum have one axis, so that
// only their sum would be determined if both were left on one side without mass.
// simulate: --tolerance 1e-9 --stop 1 --interval 0.02
// methods: esdirk dopri5 ida
// agree: extra.phi 1e-7
// ends: crank.phi 7.1982361342 1e-7
// moves: extra.phi 3
// zero: norm(phi) 1e-9
model ThreeAtOnePoint "A pendulum at the tip of a rocker"
  parameter Real torque(unit = "N.m") = 0.5 "of the motor at rest";
  inner Linkage.World world(g = 0) "it lies on a table";
  Linkage.Joints.Revolute crank(useFlange = true, phi(start = 1.6, fixed = true), w(start = 6, fixed = true));
  Linkage.Drives.Torque motor(tau = torque - 0.08*crank.w);
  Linkage.Parts.Rod arm(r = {0.1, 0, 0}, m = 0.2), leg(r = {0.25, 0, 0}, m = 0.2),
    foot(r = {0.25, 0, 0}, m = 0.2), rocker(r = {0.25, 0, 0}, m = 0.2);
  Linkage.Parts.Body flywheel(m = 1, I_33 = 0.02);
  Linkage.Parts.FixedTranslation ground(r = {0.2, 0, 0});
  Linkage.Joints.Revolute elbow, knee, hip;
  Linkage.Joints.Revolute extra;
  Linkage.Parts.Rod pen(r = {0, -0.1, 0});
equation
  connect(world.frame_b, crank.frame_a);
  connect(motor.flange, crank.flange);
  connect(crank.frame_b, flywheel.frame_a);
  connect(crank.frame_b, arm.frame_a);
  connect(arm.frame_b, elbow.frame_a);
  connect(elbow.frame_b, leg.frame_a);
  connect(leg.frame_b, foot.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, hip.frame_a);
  connect(hip.frame_b, rocker.frame_a);
  connect(rocker.frame_b, knee.frame_a);
  connect(knee.frame_b, leg.frame_b);
  connect(rocker.frame_b, extra.frame_a);
  connect(extra.frame_b, pen.frame_a);
end ThreeAtOnePoint;
