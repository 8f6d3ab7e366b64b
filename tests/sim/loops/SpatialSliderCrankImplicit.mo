// long
// simulate: --step 5e-4 --interval 0.1
// methods: ali3p penalty half-explicit
// ends: x 0.24071957 1e-3
// zero: norm(phi) 1e-6
// constant: E 1e-3
model SpatialSliderCrankImplicit "The same by methods of fixed step"
  extends Linkage.Benchmarks.SpatialSliderCrank;
end SpatialSliderCrankImplicit;
