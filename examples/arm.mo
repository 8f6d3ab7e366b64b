model Arm "two rods on hinges with different axes"
  inner Linkage.World world;
  Linkage.Joints.Revolute hip(n = {0, 0, 1}, phi(start = 0.5));
  Linkage.Parts.FixedTranslation thigh(r = {1, 0, 0});
  Linkage.Joints.Revolute knee(n = {0, 1, 0}, w(start = 2));
  Linkage.Parts.Body upper(m = 2, r_CM = {0.5, 0, 0}), lower(m = 1, r_CM = {0.4, 0, 0});
equation
  connect(world.frame_b, hip.frame_a);
  connect(hip.frame_b, upper.frame_a);
  connect(hip.frame_b, thigh.frame_a);
  connect(thigh.frame_b, knee.frame_a);
  connect(knee.frame_b, lower.frame_a);
end Arm;
