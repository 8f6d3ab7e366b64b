within Linkage.Benchmarks;
model PlanarFourBars "N windows of rods side by side, one degree of freedom (IFToMM A02)"
  extends Icons.Example;
  parameter Integer N(min = 1) = 2 "Number of loops" annotation(Evaluate = true);
  parameter Units.Velocity v = 1 "Velocity of the upper left corner at the start";
  constant Units.Length l = 1 "Length of the rods";
  inner World world;
  Parts.FixedTranslation ground[N](r = {{k, 0, 0} for k in 1:N});
  Joints.Revolute foot[N + 1](each n = {0, 0, 1}, phi(fixed = {k == 1 for k in 1:N + 1}),
    w(each start = -v/l, fixed = {k == 1 for k in 1:N + 1}));
  Parts.Rod upright[N + 1](each r = {0, 1, 0});
  Joints.Revolute corner[N](each n = {0, 0, 1}, w(each start = v/l));
  Parts.Rod beam[N](each r = {1, 0, 0});
  Joints.Revolute closing[N](each n = {0, 0, 1}, w(each start = -v/l));
  output Units.Length x = upright[1].frame_b.m.r[1] "Position of the upper left corner";
  output Units.Length y = upright[1].frame_b.m.r[2] "Position of the upper left corner";
  output Units.Energy E = sum(upright.E) + sum(beam.E) "Total energy";
equation
  connect(world.frame_b, foot[1].frame_a);
  for k in 1:N loop
    connect(ground[k].frame_a, world.frame_b);
    connect(ground[k].frame_b, foot[k + 1].frame_a);
    connect(upright[k].frame_b, corner[k].frame_a);
    connect(corner[k].frame_b, beam[k].frame_a);
    connect(beam[k].frame_b, closing[k].frame_a);
    connect(closing[k].frame_b, upright[k + 1].frame_b);
  end for;
  for k in 1:N + 1 loop
    connect(foot[k].frame_b, upright[k].frame_a);
  end for;
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>Singular whenever the uprights lie in the line of the beams. In space three of the six
constraints of each loop are redundant.</p>
</html>"));
end PlanarFourBars;
