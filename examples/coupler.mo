model Coupler "A four-bar linkage whose coupler point draws a curve while the crank turns evenly"
  inner Linkage.World world(g = 0);
  Linkage.Joints.Revolute crank(useFlange = true);
  Linkage.Drives.RotationalMotion motor(phi = 2*3.14159265358979323846*time);
  Linkage.Parts.Rod arm(r = {1, 0, 0}), coupler(r = {2.5, 0, 0}), rocker(r = {2.2, 0, 0});
  Linkage.Parts.FixedTranslation ground(r = {2.4, 0, 0}), pen(r = {1.6, 1.5, 0});
  Linkage.Joints.Revolute elbow(phi(start = 0.7)), knee, hip(phi(start = 1.8));
equation
  connect(motor.flange, crank.flange);
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, arm.frame_a);
  connect(arm.frame_b, elbow.frame_a);
  connect(elbow.frame_b, coupler.frame_a);
  connect(elbow.frame_b, pen.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, hip.frame_a);
  connect(hip.frame_b, rocker.frame_a);
  connect(rocker.frame_b, knee.frame_a);
  connect(knee.frame_b, coupler.frame_b);
  annotation(experiment(StopTime = 1, Interval = 0.005));
end Coupler;
