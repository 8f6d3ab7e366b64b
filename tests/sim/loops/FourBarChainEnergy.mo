// long
// simulate: --step 1e-3 --stop 2
// methods: ali3p penalty
// constant: E 1e-6
// moves: foot[1].phi 0.2
// zero: norm(phi) 1e-8
model FourBarChainEnergy "Three four-bars out of one plane"
  extends Linkage.Benchmarks.FourBarChain(m = 3, configuration = 3);
end FourBarChainEnergy;
