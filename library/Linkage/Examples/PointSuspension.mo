within Linkage.Examples;
model PointSuspension "Wheel carriers on five links each, springs between carrier and chassis"
  extends Points.Truss(
    r_0 = {
      {0, 0.1, 0.7},
      {0.02, 0.5, 0.68},
      {0.15, 0.2, 0.7},
      {0, 0.1, -0.7},
      {0.02, 0.5, -0.68},
      {0.15, 0.2, -0.7}},
    anchors = {
      {0.2, 0.12, 0.3},
      {-0.2, 0.1, 0.3},
      {0.15, 0.45, 0.35},
      {-0.18, 0.46, 0.36},
      {0.16, 0.18, 0.32},
      {0.2, 0.12, -0.3},
      {-0.2, 0.1, -0.3},
      {0.15, 0.45, -0.35},
      {-0.18, 0.46, -0.36},
      {0.16, 0.18, -0.32},
      {0, 0.7, 0.45},
      {0, 0.7, -0.45}},
    links = {{1, 2}, {2, 3}, {3, 1}, {1, 7}, {1, 8}, {2, 9}, {2, 10}, {3, 11}, {4, 5}, {5, 6},
      {6, 4}, {4, 12}, {4, 13}, {5, 14}, {5, 15}, {6, 16}},
    springs = {{1, 17}, {4, 18}}, m = fill(10, 6), c = {2e4, 2e4}, d = {500, 500});
  inner World world;
  annotation(
    experiment(StopTime = 2, Tolerance = 1e-6, Interval = 0.01),
    Documentation(
      info = "<html><p>Two degrees of freedom: either wheel goes up and down.</p></html>"));
end PointSuspension;
