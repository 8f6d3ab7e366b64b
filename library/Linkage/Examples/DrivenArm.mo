within Linkage.Examples;
model DrivenArm "Two-link arm: motors on both hinges, friction in the second"
  extends Icons.Example;
  inner World world;
  Joints.Revolute shoulder(useFlange = true, phi(fixed = true), w(fixed = true));
  Parts.Body upper(m = 3, r_CM = {0.4, 0, 0}, I_11 = 0.01, I_22 = 0.2, I_33 = 0.2);
  Parts.FixedTranslation arm(r = {0.8, 0, 0});
  Joints.Revolute elbow(useFlange = true, phi(start = 0.5, fixed = true), w(fixed = true));
  Parts.Body fore(m = 2, r_CM = {0.3, 0, 0}, I_11 = 0.01, I_22 = 0.1, I_33 = 0.1);
  Drives.Torque motor1(tau = 40*cos(time));
  Drives.Torque motor2(tau = 5);
  Drives.RotationalFixed ground;
  Drives.RotationalSpringDamper friction(c = 0, d = 0.8);
equation
  connect(world.frame_b, shoulder.frame_a);
  connect(shoulder.frame_b, upper.frame_a);
  connect(shoulder.frame_b, arm.frame_a);
  connect(arm.frame_b, elbow.frame_a);
  connect(elbow.frame_b, fore.frame_a);
  connect(motor1.flange, shoulder.flange);
  connect(motor2.flange, elbow.flange);
  connect(ground.flange, friction.flange_a);
  connect(friction.flange_b, elbow.flange);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.02));
end DrivenArm;
