// The formula of backward differentiation leads past the quick turn, where the projection finds the
// other assembly: 14.7 instead of 54.3 at the end.
// simulate: --step 0.01 --stop 5
// methods: bdf
// ends: crank.phi 54.333332 10
// zero: norm(phi) 1e-9
model SpatialAssemblyKept "A spatial slider-crank in long steps"
  extends Linkage.Benchmarks.SpatialSliderCrank;
end SpatialAssemblyKept;
