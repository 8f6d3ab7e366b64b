// simulate: --stop 3 --tolerance 1e-10
// zero: error1 1e-7
// zero: error2 1e-7
// constant: body.E 1e-7
// moves: joint.phi[1] 0.5
// moves: joint.phi[2] 0.5
model UniversalAsTwoHinges "A Cardan joint and two hinges in series move alike"
  inner Linkage.World world;
  Linkage.Joints.Universal joint(n_a = {1, 2, 0}, n_b = {-1, 0, 3},
    phi(start = {0.3, -0.4}, each fixed = true), w(start = {1, 2}, each fixed = true));
  Linkage.Parts.Body body(m = 2, r_CM = {0.5, 0.1, -0.2}, I_11 = 0.05, I_22 = 0.2, I_33 = 0.18,
    I_21 = 0.01, I_31 = -0.02, I_32 = 0.015);
  Linkage.Joints.Revolute hinge1(n = {1, 2, 0}, phi(start = 0.3, fixed = true),
    w(start = 1, fixed = true));
  Linkage.Joints.Revolute hinge2(n = {-1, 0, 3}, phi(start = -0.4, fixed = true),
    w(start = 2, fixed = true));
  Linkage.Parts.Body twin(m = 2, r_CM = {0.5, 0.1, -0.2}, I_11 = 0.05, I_22 = 0.2, I_33 = 0.18,
    I_21 = 0.01, I_31 = -0.02, I_32 = 0.015);
  Real error1 = joint.phi[1] - hinge1.phi;
  Real error2 = joint.phi[2] - hinge2.phi;
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, body.frame_a);
  connect(world.frame_b, hinge1.frame_a);
  connect(hinge1.frame_b, hinge2.frame_a);
  connect(hinge2.frame_b, twin.frame_a);
end UniversalAsTwoHinges;
