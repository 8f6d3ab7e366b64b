// simulate: --stop 4 --tolerance 1e-10
// zero: error_r[1] 1e-7
// zero: error_r[2] 1e-7
// zero: error_r[3] 1e-7
// zero: error_w[1] 1e-7
// zero: error_w[2] 1e-7
// zero: error_w[3] 1e-7
// zero: error_L[1] 1e-7
// zero: error_L[2] 1e-7
// zero: error_L[3] 1e-7
// constant: body.E 1e-7
// moves: joint.Q[1] 0.5
model FreeFlight "A thrown symmetric body: parabola and regular precession"
  inner Linkage.World world(g = 10, n = {1, 2, -2});
  Linkage.Joints.Free joint(
    r_rel(start = {1, 2, 3}, each fixed = true), v_rel(start = {-4, 5, 6}, each fixed = true),
    Q(start = {1, 0, 0, 0}, each fixed = true), w_rel(start = {0.6, 0, 4}, each fixed = true));
  Linkage.Parts.Body body(m = 2, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3);
  Real error_r[3] = body.frame_a.m.r
    - ({1, 2, 3} + {-4, 5, 6}*time + 0.5*10/3*{1, 2, -2}*time^2);
  // in the body's axes w turns at (I_33 - I_11)/I_11 * w[3]
  Real error_w[3] = body.frame_a.m.w - {0.6*cos(2*time), 0.6*sin(2*time), 4};
  // and the angular momentum stays in the world's
  Real error_L[3] = transpose(body.frame_a.m.T)*({0.2, 0.2, 0.3}.*body.frame_a.m.w)
    - {0.12, 0, 1.2};
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
end FreeFlight;
