model Hills "a table is thrown onto hills, bounces, slides, and sticks"
  inner Linkage.World world(n = {0, 0, -1});
  parameter Real z[15, 15](each unit = "m") = {
    {0.25*sin(1.1*i) + 0.2*cos(0.8*j + 0.3*i) - 0.05*i for j in 1:15} for i in 1:15} "heights";
  model Ground = Linkage.Vehicles.HeightField(x_0 = -2, y_0 = -3, dx = 0.5, dy = 0.5);
  Linkage.Joints.Free free(r_rel(start = {-1, 0, 1.5}, each fixed = true), Q(each fixed = true),
    v_rel(start = {1.5, 0.3, 0}, each fixed = true),
    w_rel(start = {0.5, 0.4, 1.5}, each fixed = true));
  Linkage.Parts.Body table(m = 12, I_11 = 0.9, I_22 = 1.3, I_33 = 2.1);
  Linkage.Parts.FixedTranslation leg[4](
    r = {{0.5, 0.4, -0.5}, {0.5, -0.4, -0.5}, {-0.5, 0.4, -0.5}, {-0.5, -0.4, -0.5}});
  Linkage.Forces.PointGround foot[4](each c = 5e4, each d = 0.3, each mu = 0.6,
    redeclare each model Profile = Ground(z = z));
  Real lost(start = 0, fixed = true, unit = "J") "by impacts and friction";
  output Real E(unit = "J") = table.E + sum(foot.V) + lost "constant";
equation
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, table.frame_a);
  for k in 1:4 loop
    connect(free.frame_b, leg[k].frame_a);
    connect(leg[k].frame_b, foot[k].frame_b);
    connect(world.frame_b, foot[k].frame_a);
  end for;
  der(lost) = sum(foot.loss);
  annotation(experiment(StopTime = 4, Interval = 0.02, Tolerance = 1e-6));
end Hills;
