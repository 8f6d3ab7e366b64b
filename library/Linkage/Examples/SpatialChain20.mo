within Linkage.Examples;
model SpatialChain20 "Twenty bodies in space"
  extends AlternatingPendulum(final n = 20);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end SpatialChain20;
