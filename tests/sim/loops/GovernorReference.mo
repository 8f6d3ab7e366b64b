// long
// simulate: --tolerance 1e-9 --interval 0.1
// methods: cvode ida
// ends: s 0.6196229171 1e-7
// moves: s 0.1
model GovernorReference "A stiff governor (IFToMM A05) against an independent solution"
  extends Linkage.Benchmarks.FlyballGovernor;
end GovernorReference;
