// simulate: --method dopri5 --tolerance 1e-12 --interval 0.003
// ends: beta.phi 15.81077119629904 3e-9
// ends: theta.phi -15.75637105984298 3e-9
// ends: gamma.phi 0.04082224013073101 1e-10
// ends: phi.phi -0.5347301163226948 1e-9
// ends: delta.phi 0.5244099658805304 1e-9
// ends: omega.phi 0.5347301163226948 1e-9
// ends: epsilon.phi 1.048080741042263 1e-9
// ends: epsilon.w 0.3231791658026955 3e-7
// constant: E 1e-10
// zero: norm(phi) 1e-12
model SqueezerReference "Andrews' mechanism against the reference of the IVP test set"
  extends Linkage.Benchmarks.Squeezer;
end SqueezerReference;
