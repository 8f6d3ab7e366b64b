// simulate: --tolerance 1e-10 --interval 0.1
// methods: dopri5 ida
// ends: x 0.24071957 1e-7
// ends: crank.phi 54.33333216 2e-6
// constant: E 1e-7
// zero: norm(phi) 1e-8
model SpatialSliderCrankReference "Spherical and universal joint in the loop (IFToMM), accurate methods"
  extends Linkage.Benchmarks.SpatialSliderCrank;
end SpatialSliderCrankReference;
