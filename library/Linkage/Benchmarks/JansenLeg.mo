within Linkage.Benchmarks;
model JansenLeg "A leg of Theo Jansen's beasts: three closed loops with all hinges on parallel axes"
  extends Icons.Example;
  parameter Units.Torque torque = 0.5 "On the crank, which is at rest at the start";
  inner World world;
  Joints.Revolute crank(useFlange = true, phi(fixed = true), w(fixed = true));
  Drives.Torque motor(tau = torque);
  Parts.FixedTranslation ground(r = {-0.38, -0.078, 0});
  Parts.Rod crankArm(r = {0.15, 0, 0}, m = 0.15);
  Parts.Rod upper(r = {-0.390135351, 0.312720975, 0}, m = 0.5);
  Parts.Rod lower(r = {-0.41952107, -0.455151702, 0}, m = 0.619);
  Parts.Rod rocker(r = {0.139864649, 0.390720975, 0}, m = 0.415);
  Parts.Rod swing(r = {0.11047893, -0.377151702, 0}, m = 0.393);
  Parts.Rod shank(r = {-0.322794079, 0.174622399, 0}, m = 0.367);
  Parts.Rod coupler(r = {0.155628504, -0.361961004, 0}, m = 0.394);
  Parts.Rod knee(r = {-0.367943654, 0.159431702, 0}, m = 0.4);
  Parts.Rod foot(r = {-0.162080035, -0.462417628, 0}, m = 0.5);
  Joints.Revolute pinUpper, pinLower, top, hipUpper, hipLower, ankleLower, back, ankleBack, ankle;
  Units.Length x = foot.frame_b.m.r[1], y = foot.frame_b.m.r[2] "Of the foot";
  Units.Energy E = crankArm.E + upper.E + lower.E + rocker.E + swing.E + shank.E + coupler.E
    + knee.E + foot.E - torque*crank.phi "Energy, less the work of the motor";
equation
  connect(world.frame_b, crank.frame_a);
  connect(motor.flange, crank.flange);
  connect(crank.frame_b, crankArm.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(crankArm.frame_b, pinUpper.frame_a);
  connect(pinUpper.frame_b, upper.frame_a);
  connect(crankArm.frame_b, pinLower.frame_a);
  connect(pinLower.frame_b, lower.frame_a);
  connect(ground.frame_b, hipUpper.frame_a);
  connect(hipUpper.frame_b, rocker.frame_a);
  connect(hipUpper.frame_b, knee.frame_a);
  connect(upper.frame_b, top.frame_a);
  connect(top.frame_b, rocker.frame_b);
  connect(ground.frame_b, hipLower.frame_a);
  connect(hipLower.frame_b, swing.frame_a);
  connect(swing.frame_b, ankleLower.frame_a);
  connect(ankleLower.frame_b, lower.frame_b);
  connect(knee.frame_b, back.frame_a);
  connect(back.frame_b, coupler.frame_a);
  connect(coupler.frame_b, ankleBack.frame_a);
  connect(ankleBack.frame_b, shank.frame_b);
  connect(swing.frame_b, ankle.frame_a);
  connect(ankle.frame_b, shank.frame_a);
  connect(ankle.frame_b, foot.frame_a);
  annotation(
    experiment(StopTime = 0.5),
    Documentation(info = "<html>
<p>The lengths are Jansen's eleven numbers, in centimetres. All angles are zero at the start, where
everything stands as it is drawn.</p>
</html>"));
end JansenLeg;
