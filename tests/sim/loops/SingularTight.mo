// Two flat positions by t = 1.3, at t = 0.714 and 1.228. Near them accelerations across the
// constraints are rounding divided by the cube of the distance, which is no error of a step.
// simulate: --tolerance 1e-11 --stop 1.4 --interval 0.02
// methods: esdirk cvode dopri5
// agree: foot[1].phi 1e-9
// constant: E 1e-8
// zero: norm(phi) 1e-8
model SingularTight "A parallelogram through its flat positions at a tight tolerance (IFToMM A02)"
  extends Linkage.Benchmarks.PlanarFourBars(N = 2);
end SingularTight;
