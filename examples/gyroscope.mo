model Gyroscope "A fast rotor on a stand precesses where a slow one would fall"
  parameter Real spin(unit = "rad/s") = 200 "of the rotor, about its axle";
  constant Real m = 1, arm = 0.15, J = 0.5*m*0.06^2;
  inner Linkage.World world;
  Linkage.Joints.Universal stand(n_a = {0, 1, 0}, n_b = {0, 0, 1}, phi(each fixed = true),
    w(each fixed = true));
  Linkage.Parts.FixedTranslation axle(r = {arm, 0, 0});
  Linkage.Joints.Revolute bearing(n = {1, 0, 0}, phi(fixed = true), w(start = spin, fixed = true));
  Linkage.Parts.Body rotor(m = m, I_11 = J, I_22 = J/2, I_33 = J/2);
  Linkage.Parts.FixedTranslation rim(r = {0, 0.06, 0});
  output Real precession(unit = "rad/s") = stand.w[1] "on average m g arm/(J spin)";
equation
  connect(world.frame_b, stand.frame_a);
  connect(stand.frame_b, axle.frame_a);
  connect(axle.frame_b, bearing.frame_a);
  connect(bearing.frame_b, rotor.frame_a);
  connect(bearing.frame_b, rim.frame_a);
  annotation(experiment(StopTime = 2, Interval = 0.002));
end Gyroscope;
