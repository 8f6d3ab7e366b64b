// long
// simulate: --step 2e-4 --tolerance 1e-9 --interval 0.1 --stop 2
// methods: dopri5 hedop5 gear ali3p penalty half-explicit bdf ida
// agree: crank.phi 2e-4
// agree: rocker.phi 2e-4
// agree: cut(ball.f[1]) 0.02
// constant: E 1e-4
// zero: norm(phi) 1e-8
// moves: crank.phi 0.5
model SpatialFourBarMethods "All ways to close a loop agree, the constraint forces too"
  extends Linkage.Benchmarks.SpatialFourBar;
end SpatialFourBarMethods;
