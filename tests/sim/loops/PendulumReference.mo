// simulate: --tolerance 1e-9
// ends: x -0.275087 1e-6
// ends: y -0.961419 1e-6
// zero: E 1e-6
model PendulumReference "Against the published solution (IFToMM A01)"
  extends Linkage.Benchmarks.Pendulum;
end PendulumReference;
