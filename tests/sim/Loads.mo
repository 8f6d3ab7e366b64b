// simulate: --stop 3 --tolerance 1e-9
// zero: error_push[1] 1e-7
// zero: error_push[2] 1e-7
// zero: error_push[3] 1e-7
// zero: error_jet[1] 1e-7
// zero: error_jet[2] 1e-7
// zero: error_twist 1e-7
// zero: error_turn[1] 1e-6
// zero: error_turn[2] 1e-6
// zero: error_turn[3] 1e-6
// moves: spun.Q[1] 1
model Loads "Forces and torques given in world axes and in the frame's"
  inner Linkage.World world(g = 10);
  // a force in world axes on a spinning body
  Linkage.Joints.Free pushed(r_rel(each fixed = true), v_rel(each fixed = true),
    Q(each fixed = true), w_rel(start = {0, 0, 2}, each fixed = true));
  Linkage.Parts.Body body1(m = 2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.2);
  Linkage.Forces.Force push(f = {1, 2, 3});
  Real error_push[3] = pushed.r_rel - ({0.5, 1, 1.5} + {0, -10, 0})*time^2/2;
  // a force along the body's x axis while it turns about z: a = f/m (cos wt, sin wt)
  Linkage.Joints.Free spun(r_rel(each fixed = true), v_rel(each fixed = true),
    Q(each fixed = true), w_rel(start = {0, 0, 2}, each fixed = true));
  Linkage.Parts.Body body2(m = 2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.2);
  Linkage.Forces.Force jet(resolveIn = Linkage.Forces.ResolveIn.frame, f = {8, 0, 0});
  Real error_jet[2] = spun.v_rel[1:2] - {4*sin(2*time)/2, 4*(1 - cos(2*time))/2 - 10*time};
  // a torque about the body's axis
  Linkage.Joints.Free twisted(r_rel(each fixed = true), v_rel(each fixed = true),
    Q(each fixed = true), w_rel(start = {0, 0, 0}, each fixed = true));
  Linkage.Parts.Body body3(m = 2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.2);
  Linkage.Forces.Torque twist(resolveIn = Linkage.Forces.ResolveIn.frame, t = {0, 0, 0.3*time});
  Real error_twist = twisted.w_rel[3] - 0.75*time^2;
  // a torque in world axes changes the angular momentum there
  Linkage.Joints.Free turned(r_rel(each fixed = true), v_rel(each fixed = true),
    Q(each fixed = true), w_rel(start = {1, 2, -1}, each fixed = true));
  Linkage.Parts.Body body4(m = 2, I_11 = 0.1, I_22 = 0.15, I_33 = 0.2);
  Linkage.Forces.Torque turn(t = {0.1, -0.2, 0.3});
  Real error_turn[3] = transpose(turned.frame_b.m.T)*({0.1, 0.15, 0.2}.*turned.frame_b.m.w)
    - ({0.1, 0.3, -0.2} + {0.1, -0.2, 0.3}*time);
equation
  connect(world.frame_b, pushed.frame_a);
  connect(pushed.frame_b, body1.frame_a);
  connect(push.frame_b, body1.frame_a);
  connect(world.frame_b, spun.frame_a);
  connect(spun.frame_b, body2.frame_a);
  connect(jet.frame_b, body2.frame_a);
  connect(world.frame_b, twisted.frame_a);
  connect(twisted.frame_b, body3.frame_a);
  connect(twist.frame_b, body3.frame_a);
  connect(world.frame_b, turned.frame_a);
  connect(turned.frame_b, body4.frame_a);
  connect(turn.frame_b, body4.frame_a);
end Loads;
