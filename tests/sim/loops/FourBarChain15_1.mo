// long
// simulate: --method ali3p --jacobian coloured --step 2e-3 --stop 0.05
// constant: E 1e-5
// moves: foot[1].phi 1e-3
// zero: norm(phi) 1e-8
// zero: norm(der(phi)) 1e-8
model FourBarChain15_1 "Fifteen degrees of freedom, configuration 1 (Callejo and others 2014)"
  extends Linkage.Benchmarks.FourBarChain(m = 15, configuration = 1);
end FourBarChain15_1;
