// long
// simulate: --method ali3p --step 1e-2 --interval 0.5 --stop 4
// ends: x 0.0693421 1e-3
// ends: y 0.997593 1e-3
// zero: norm(phi) 1e-8
// moves: x 0.7
model FourBarsFortyReference "Past singular positions (IFToMM A02, N = 40) against the published solution"
  extends Linkage.Benchmarks.PlanarFourBars(N = 40);
end FourBarsFortyReference;
