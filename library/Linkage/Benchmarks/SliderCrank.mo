within Linkage.Benchmarks;
model SliderCrank
  "Planar slider-crank with a prescribed crank: the rigid part of the IVP test set's"
  extends Icons.Example;
  parameter Units.AngularVelocity speed = 150 "Of the crank";
  inner World world(g = 0);
  Joints.Revolute crank(useFlange = true);
  Drives.RotationalMotion motor(phi = speed*time);
  Parts.FixedTranslation crankArm(r = {0.15, 0, 0});
  Parts.Body crankBody(m = 0.36, r_CM = {0.075, 0, 0}, I_33 = 0.002727);
  Joints.Revolute pin(w(start = -1.5*speed));
  Parts.FixedTranslation rodArm(r = {0.3, 0, 0});
  Parts.Body rod(m = 0.151104, r_CM = {0.15, 0, 0}, I_33 = 0.0045339259);
  Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.45));
  Parts.PointMass slider(m = 0.075552);
  Joints.Revolute wrist(w(start = 0.5*speed));
  output Units.Length x = slide.s "Position of the slider";
  // the triangle of the mechanism, for comparison
  Units.Length x_closed = 0.15*cos(speed*time) + sqrt(0.3^2 - (0.15*sin(speed*time))^2)
    "Position by trigonometry";
  Units.Length error = x - x_closed "Difference";
equation
  connect(world.frame_b, crank.frame_a);
  connect(motor.flange, crank.flange);
  connect(crank.frame_b, crankArm.frame_a);
  connect(crank.frame_b, crankBody.frame_a);
  connect(crankArm.frame_b, pin.frame_a);
  connect(pin.frame_b, rodArm.frame_a);
  connect(pin.frame_b, rod.frame_a);
  connect(world.frame_b, slide.frame_a);
  connect(slide.frame_b, slider.frame_a);
  connect(slide.frame_b, wrist.frame_b);
  connect(rodArm.frame_b, wrist.frame_a);
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 0.001));
end SliderCrank;
