// simulate: --tolerance 1e-11
// methods: dopri5
// ends: r2[1] 0.884031681698 1e-8
// ends: r2[2] -2.30378344423 1e-8
// ends: psi[1] 0.72687746 1e-7
// ends: psi[2] 7.34228779 1e-7
// ends: psi[3] 304.92069321 1e-5
// constant: E 1e-9
model FiveBarReference "Trajectory and objective values of Lopez Varela and others 2023"
  extends Linkage.Benchmarks.FiveBar;
end FiveBarReference;
