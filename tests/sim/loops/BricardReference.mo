// long
// simulate: --step 1e-3 --interval 0.1
// methods: ali3p penalty half-explicit hedop5
// ends: P3[1] 0.9992646101 1e-6
// ends: P3[2] -0.9999997298 1e-8
// ends: P3[3] -0.0007351194 1e-6
// constant: E 1e-6
// moves: P3[1] 1
// zero: norm(phi) 1e-8
model BricardReference "Redundant constraints (IFToMM A04) against an independent solution"
  extends Linkage.Benchmarks.Bricard;
end BricardReference;
