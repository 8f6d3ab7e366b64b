// Steps so long that Newton's method finds other positions that close the loop, turns of a hinge away:
// they are noticed and halved.
// simulate: --step 0.04 --stop 3 --interval 0.2 --jacobian coloured
// methods: ali3p bdf half-explicit
// ends: crank.phi 29.927204 0.5
// zero: norm(phi) 1e-9
// zero: norm(balance) 1e-9
model AssemblyKept "Hoecken's linkage, driven"
  import Linkage.*;
  inner World world(g = 0);
  Joints.Revolute crank(useFlange = true, phi(start = 1.6, fixed = true), w(start = 6, fixed = true));
  Drives.Torque motor(tau = 0.8 - 0.08*crank.w);
  Parts.Rod arm(r = {0.1, 0, 0}, m = 0.2), leg(r = {0.25, 0, 0}, m = 0.2),
    foot(r = {0.25, 0, 0}, m = 0.2), rocker(r = {0.25, 0, 0}, m = 0.2);
  Parts.Body flywheel(m = 1, I_33 = 0.02);
  Parts.FixedTranslation ground(r = {0.2, 0, 0});
  Joints.Revolute elbow, knee, hip;
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
end AssemblyKept;
