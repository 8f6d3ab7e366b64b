// long
// simulate: --step 5e-4 --tolerance 1e-10 --interval 0.1 --stop 1
// methods: dopri5 hedop5 gear ali3p bdf half-explicit
// constant: rocker.linear[1] 5e-5
// constant: rod5.linear[1] 1e-6
// constant: rocker.linear[2] 5e-5
// constant: rod5.linear[2] 1e-6
// constant: rocker.linear[3] 5e-5
// constant: rod5.linear[3] 1e-6
// constant: rocker.angular[1] 5e-5
// constant: rod5.angular[1] 1e-6
// constant: rocker.angular[2] 5e-5
// constant: rod5.angular[2] 1e-6
// constant: rocker.angular[3] 5e-5
// constant: rod5.angular[3] 1e-6
// moves: rocker.P[2] 1
// moves: rod5.P[3] 0.3
model Ledger "Momenta of a body with two frames, and what is done to it"
  parameter Real m, arm[3], I[3, 3] "to the centre of mass; about it";
  input Real G[3] "gravity, in the world";
  input Real r[3], T[3, 3], v[3], w[3] "of the frame";
  input Real f1[3], t1[3] "there, in the frame";
  input Real r2[3], f2[3], t2[3] "elsewhere, in the frame";
  Real p[3] = transpose(T)*(v + cross(w, arm))*m "linear momentum";
  Real h[3] = cross(r + transpose(T)*arm, p) + transpose(T)*(I*w) "angular momentum";
  Real P[3](each start = 0, each fixed = true) "what came in";
  Real H[3](each start = 0, each fixed = true);
  output Real linear[3] = {1, 1, 1} + p - P, angular[3] = {1, 1, 1} + h - H;
equation
  der(P) = transpose(T)*(f1 + f2) + m*G;
  der(H) = cross(r, transpose(T)*(f1 + f2)) + transpose(T)*(t1 + t2 + cross(r2, f2))
    + cross(r + transpose(T)*arm, m*G);
end Ledger;

model RodLedger "of a slender rod"
  extends Ledger(arm = line/2, I = m/12*(line*line*identity(3) - matrix(line)*transpose(matrix(line))), final r2 = line);
  parameter Real line[3];
end RodLedger;

model ForcesMoveBodies "Forces and torques of the joints at a rod add up to its momentum, beside cuts too, redundant or not"
  Linkage.Benchmarks.SpatialFourBar four;
  Linkage.Benchmarks.Bricard six;
  RodLedger rocker(m = four.rockerRod.m, line = four.rockerRod.r, G = four.world.G,
    r = four.rockerRod.frame_a.m.r, T = four.rockerRod.frame_a.m.T, v = four.rockerRod.frame_a.m.v,
    w = four.rockerRod.frame_a.m.w, f1 = four.rockerRod.frame_a.f, t1 = four.rockerRod.frame_a.t,
    f2 = four.rockerRod.frame_b.f, t2 = four.rockerRod.frame_b.t);
  RodLedger rod5(m = six.rod5.m, line = six.rod5.r, G = six.world.G,
    r = six.rod5.frame_a.m.r, T = six.rod5.frame_a.m.T, v = six.rod5.frame_a.m.v,
    w = six.rod5.frame_a.m.w, f1 = six.rod5.frame_a.f, t1 = six.rod5.frame_a.t,
    f2 = six.rod5.frame_b.f, t2 = six.rod5.frame_b.t);
end ForcesMoveBodies;
