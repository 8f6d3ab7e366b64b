// simulate: --stop 5 --tolerance 1e-9
// methods: dopri5 esdirk
// constant: body.E 1e-7
// constant: spin 1e-7
// constant: vertical 1e-7
// constant: length 1e-7
// moves: joint.Q[2] 0.2
// moves: body.frame_a.m.T[3,3] 0.2
model SphericalTop "Lagrange's top: energy, spin and vertical momentum stay"
  inner Linkage.World world(n = {0, 0, -1});
  Linkage.Joints.Spherical joint(
    Q(start = {0.9, 0.3, 0.2, 0.1}, each fixed = true),
    w_rel(start = {0.5, -0.3, 12}, each fixed = true));
  Linkage.Parts.Body body(m = 1, r_CM = {0, 0, 0.3}, I_11 = 0.02, I_22 = 0.02, I_33 = 0.03);
  Real spin = body.frame_a.m.w[3];
  // momentum about the fixed point, resolved in the body
  Real L[3] = {0.11*body.frame_a.m.w[1], 0.11*body.frame_a.m.w[2], 0.03*body.frame_a.m.w[3]};
  Real vertical = L*body.frame_a.m.T[:, 3];
  Real length = joint.Q*joint.Q;
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
end SphericalTop;
