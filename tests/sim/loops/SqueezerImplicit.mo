// simulate: --step 5e-6 --interval 0.003
// methods: ali3p
// ends: beta.phi 15.81077119629904 2e-5
// ends: gamma.phi 0.04082224013073101 3e-7
// constant: E 1e-5
// zero: norm(phi) 1e-8
model SqueezerImplicit "Andrews' mechanism by ali3p"
  extends Linkage.Benchmarks.Squeezer;
end SqueezerImplicit;
