model FmuLoop "A kinematic loop, cut open"
  extends Linkage.Benchmarks.SpatialFourBar;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end FmuLoop;
