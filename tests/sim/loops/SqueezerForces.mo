// long
// simulate: --step 1e-5 --tolerance 1e-10 --interval 0.001 --stop 0.03
// methods: dopri5 hedop5 gear ali3p penalty bdf half-explicit
// constant: linear[1] 1e-6
// constant: linear[2] 1e-6
// moves: P[1] 0.01
// moves: P[2] 0.01
model SqueezerForces "What two hinges do to a body of Andrews' mechanism is its change of momentum"
  extends Linkage.Benchmarks.Squeezer;
  Real p[3] = body6.m*transpose(arm6.frame_a.m.T)*(arm6.frame_a.m.v + arm6.frame_a.m.w[3]*{0, body6.r_CM[1], 0});
  Real P[3](each start = 0, each fixed = true) "what came in";
  output Real linear[3] = {1, 1, 1} + p - P;
equation
  der(P) = transpose(arm6.frame_b.m.T)*arm6.frame_b.f - transpose(omega.frame_b.m.T)*omega.frame_b.f;
end SqueezerForces;
