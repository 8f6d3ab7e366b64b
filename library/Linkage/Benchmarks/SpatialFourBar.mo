within Linkage.Benchmarks;
model SpatialFourBar "Crank, coupler and rocker in space, one degree of freedom, no redundancy"
  extends Icons.Example;
  inner World world
    annotation(Placement(transformation(origin = {-80, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute crank(n = {0, 0, 1}, phi(fixed = true), w(start = 2, fixed = true))
    annotation(Placement(transformation(origin = {-20, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Rod crankRod(r = {0.3, 0, 0}, m = 0.5)
    annotation(Placement(transformation(origin = {40, 60}, extent = {{-18, -18}, {18, 18}})));
  Joints.Spherical ball
    annotation(Placement(transformation(origin = {100, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.FixedTranslation coupler(r = {0.6, 0.5, 0.5})
    annotation(Placement(transformation(origin = {160, 60}, extent = {{-18, -18}, {18, 18}})));
  Parts.Body couplerBody(m = 1, r_CM = {0.3, 0.25, 0.25}, I_11 = 0.05, I_22 = 0.06, I_33 = 0.06,
    I_21 = -0.02, I_31 = -0.02, I_32 = -0.02)
    annotation(Placement(transformation(origin = {160, 0}, extent = {{-18, -18}, {18, 18}})));
  Joints.Revolute rocker(n = {1, 0, 0})
    annotation(Placement(transformation(origin = {40, 0}, extent = {{-18, -18}, {18, 18}})));
  Parts.Rod rockerRod(r = {0, 0, 0.5}, m = 0.8)
    annotation(Placement(transformation(origin = {100, 0}, extent = {{-18, -18}, {18, 18}})));
  // its first axis in the coupler, across it, the second in the rocker
  Joints.Universal cross(n_a = {-5, 6, 0}, n_b = {0, 0, 1});
  Parts.FixedTranslation ground(r = {0.9, 0.5, 0})
    annotation(Placement(transformation(origin = {-20, 0}, extent = {{-18, -18}, {18, 18}})));
  output Units.Energy E = crankRod.E + couplerBody.E + rockerRod.E "Total energy";
equation
  connect(world.frame_b, crank.frame_a)
    annotation(Line(points = {{-62, 60}, {-38, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(crank.frame_b, crankRod.frame_a)
    annotation(Line(points = {{-2, 60}, {22, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(crankRod.frame_b, ball.frame_a)
    annotation(Line(points = {{58, 60}, {82, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(ball.frame_b, coupler.frame_a)
    annotation(Line(points = {{118, 60}, {142, 60}}, color = {95, 108, 128}, thickness = 0.5));
  connect(ball.frame_b, couplerBody.frame_a)
    annotation(Line(points = {{118, 60}, {130, 60}, {130, 0}, {142, 0}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(world.frame_b, ground.frame_a)
    annotation(Line(points = {{-62, 60}, {-50, 60}, {-50, 0}, {-38, 0}}, color = {95, 108, 128},
      thickness = 0.5));
  connect(ground.frame_b, rocker.frame_a)
    annotation(Line(points = {{-2, 0}, {22, 0}}, color = {95, 108, 128}, thickness = 0.5));
  connect(rocker.frame_b, rockerRod.frame_a)
    annotation(Line(points = {{58, 0}, {82, 0}}, color = {95, 108, 128}, thickness = 0.5));
  connect(coupler.frame_b, cross.frame_a);
  connect(cross.frame_b, rockerRod.frame_b);
  annotation(
    Diagram(coordinateSystem(extent = {{-110, -30}, {190, 90}})),
    experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Revolute, spherical, universal and revolute joint leave one degree of freedom. After the first
example of Callejo and others, Performance of automatic differentiation tools in the dynamic
simulation of multibody systems, 2014, whose dimensions are not printed.</p>
</html>"));
end SpatialFourBar;
