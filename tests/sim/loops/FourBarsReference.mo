// long
// simulate: --step 1e-3 --interval 0.1
// methods: ali3p penalty half-explicit hedop5
// ends: x 0.3284581115 1e-5
// ends: y 0.9445185382 5e-6
// constant: E 1e-5
// zero: norm(phi) 1e-8
model FourBarsReference "Past singular positions (IFToMM A02, N = 2) against the exact equation"
  extends Linkage.Benchmarks.PlanarFourBars(N = 2);
end FourBarsReference;
