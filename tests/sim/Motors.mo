// simulate: --stop 3 --tolerance 1e-9
// zero: error_motor 1e-7
// zero: error_lift 1e-7
// zero: error_torsion 1e-7
// moves: hinge.phi 3
// moves: shaft.phi 0.5
model Motors "Torque, force and spring on the flanges of joints"
  inner Linkage.World world(g = 10);
  // about the vertical, so gravity has no part; mass off the axis
  Linkage.Joints.Revolute hinge(n = {0, 1, 0}, useFlange = true, phi(start = 0, fixed = true),
    w(start = 0, fixed = true));
  Linkage.Parts.FixedTranslation arm(r = {0, 0, 2});
  Linkage.Parts.PointMass mass(m = 0.5);
  Linkage.Drives.Torque motor(tau = 6*time);
  Real error_motor = hinge.phi - time^3/2;
  // up against gravity
  Linkage.Joints.Prismatic lift(n = {0, 1, 0}, useFlange = true, s(start = 0, fixed = true),
    v(start = 0, fixed = true));
  Linkage.Parts.Body load(m = 2);
  Linkage.Drives.Force hoist(f = 24);
  Real error_lift = lift.s - time^2;
  // aperiodic: 2*1 rad/s, critically damped
  Linkage.Joints.Revolute shaft(n = {1, 0, 0}, useFlange = true, phi(start = 1, fixed = true),
    w(start = 0, fixed = true));
  Linkage.Parts.Body rotor(m = 1, I_11 = 0.5, I_22 = 1, I_33 = 1);
  Linkage.Drives.RotationalFixed ground(phi_0 = 0.25);
  Linkage.Drives.RotationalSpringDamper torsion(c = 2, d = 2, phi_rel_0 = -0.25);
  Real error_torsion = shaft.phi - (1 + 2*time)*exp(-2*time);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
  connect(arm.frame_b, mass.frame_a);
  connect(motor.flange, hinge.flange);
  connect(world.frame_b, lift.frame_a);
  connect(lift.frame_b, load.frame_a);
  connect(hoist.flange, lift.flange);
  connect(world.frame_b, shaft.frame_a);
  connect(shaft.frame_b, rotor.frame_a);
  connect(ground.flange, torsion.flange_a);
  connect(torsion.flange_b, shaft.flange);
end Motors;
