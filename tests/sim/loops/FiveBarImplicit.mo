// long
// simulate: --step 1e-3
// methods: ali3p penalty
// ends: r2[1] 0.884031681698 5e-5
// ends: psi[1] 0.72687746 1e-6
// ends: psi[2] 7.34228779 1e-4
// constant: E 1e-5
// zero: norm(phi) 1e-8
model FiveBarImplicit "The same by the methods of that paper"
  extends Linkage.Benchmarks.FiveBar;
end FiveBarImplicit;
