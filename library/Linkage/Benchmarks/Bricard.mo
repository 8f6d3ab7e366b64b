within Linkage.Benchmarks;
model Bricard "Six rods and six hinges at right angles that move all the same (IFToMM A04)"
  extends Icons.Example;
  inner World world;
  Joints.Revolute joint1(n = {0, 1, 0}, phi(fixed = true), w(fixed = true));
  Parts.Rod rod1(r = {1, 0, 0});
  Joints.Revolute joint2(n = {0, 0, 1});
  Parts.Rod rod2(r = {0, -1, 0});
  Joints.Revolute joint3(n = {1, 0, 0});
  Parts.Rod rod3(r = {0, 0, 1});
  Joints.Revolute joint4(n = {0, 1, 0});
  Parts.Rod rod4(r = {-1, 0, 0});
  Joints.Revolute joint5(n = {0, 0, 1});
  Parts.Rod rod5(r = {0, 1, 0});
  Joints.Revolute joint6(n = {1, 0, 0});
  Parts.FixedTranslation ground(r = {0, 0, 1});
  output Units.Length P3[3] = rod2.frame_b.m.r "Corner opposite to the ground";
  output Units.Energy E = rod1.E + rod2.E + rod3.E + rod4.E + rod5.E "Total energy";
equation
  connect(world.frame_b, joint1.frame_a);
  connect(joint1.frame_b, rod1.frame_a);
  connect(rod1.frame_b, joint2.frame_a);
  connect(joint2.frame_b, rod2.frame_a);
  connect(rod2.frame_b, joint3.frame_a);
  connect(joint3.frame_b, rod3.frame_a);
  connect(rod3.frame_b, joint4.frame_a);
  connect(joint4.frame_b, rod4.frame_a);
  connect(rod4.frame_b, joint5.frame_a);
  connect(joint5.frame_b, rod5.frame_a);
  connect(rod5.frame_b, joint6.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, joint6.frame_b);
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>Six constraints for six joint angles, of which one is redundant in every position that the
mechanism can take.</p>
</html>"));
end Bricard;
