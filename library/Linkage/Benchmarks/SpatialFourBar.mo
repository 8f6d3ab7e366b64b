within Linkage.Benchmarks;
model SpatialFourBar "Crank, coupler and rocker in space, one degree of freedom, no redundancy"
  extends Icons.Example;
  inner World world;
  Joints.Revolute crank(n = {0, 0, 1}, phi(fixed = true), w(start = 2, fixed = true));
  Parts.Rod crankRod(r = {0.3, 0, 0}, m = 0.5);
  Joints.Spherical ball;
  Parts.FixedTranslation coupler(r = {0.6, 0.5, 0.5});
  Parts.Body couplerBody(m = 1, r_CM = {0.3, 0.25, 0.25}, I_11 = 0.05, I_22 = 0.06, I_33 = 0.06,
    I_21 = -0.02, I_31 = -0.02, I_32 = -0.02);
  Joints.Revolute rocker(n = {1, 0, 0});
  Parts.Rod rockerRod(r = {0, 0, 0.5}, m = 0.8);
  // its first axis in the coupler, across it, the second in the rocker
  Joints.Universal cross(n_a = {-5, 6, 0}, n_b = {0, 0, 1});
  Parts.FixedTranslation ground(r = {0.9, 0.5, 0});
  output Units.Energy E = crankRod.E + couplerBody.E + rockerRod.E "Total energy";
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, crankRod.frame_a);
  connect(crankRod.frame_b, ball.frame_a);
  connect(ball.frame_b, coupler.frame_a);
  connect(ball.frame_b, couplerBody.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, rocker.frame_a);
  connect(rocker.frame_b, rockerRod.frame_a);
  connect(coupler.frame_b, cross.frame_a);
  connect(cross.frame_b, rockerRod.frame_b);
  annotation(
    experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Revolute, spherical, universal and revolute joint leave one degree of freedom. After the first
example of Callejo and others, Performance of automatic differentiation tools in the dynamic
simulation of multibody systems, 2014, whose dimensions are not printed.</p>
</html>"));
end SpatialFourBar;
