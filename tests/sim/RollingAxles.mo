// simulate: --stop 2 --tolerance 1e-9
// methods: esdirk dopri5
// zero: sleigh_off[1] 1e-7
// zero: sleigh_off[2] 1e-7
// zero: cart_off 1e-7
// zero: circle_off[1] 1e-7
// zero: circle_off[2] 1e-7
// zero: load_off[1] 1e-6
// zero: load_off[2] 1e-6
// constant: energy 1e-7
// zero: touch[1] 1e-8
// zero: touch[2] 1e-8
// moves: sleigh.s_x 0.5
// moves: cart.s_x 1
// moves: circle.s_z 0.5
// moves: balanced.s_x 0.2
// moves: tilt.phi 0.2
// moves: floor.phi 0.1
model RollingAxles "A sleigh, a cart, a circle and a pendulum that balances, each on an axle of two wheels"
  import Linkage.*;
  inner World world;
  constant Real g = 9.81;
  // Chaplygin's sleigh, its mass d ahead of the axle: v = c*tanh(c*d/k2*t), k2 = I/m + d^2
  constant Real m = 2, d = 0.3, I = 0.4, k2 = I/m + d^2, w_0 = 3, c = w_0*sqrt(k2), track = 0.8, radius = 0.2;
  Joints.RollingAxle sleigh(track = track, radius = radius, s_x(fixed = true), s_z(fixed = true), heading(fixed = true),
    phi_l(fixed = true), phi_r(fixed = true), w_l(start = 0.5*w_0*track/radius, fixed = true),
    w_r(start = -0.5*w_0*track/radius, fixed = true));
  Parts.Body load(m = m, r_CM = {d, 0, 0}, I_11 = 0.1, I_22 = I, I_33 = 0.2);
  Real sleigh_off[2] = {sleigh.v - c*tanh(c*d/k2*time), sleigh.w_heading - w_0/cosh(c*d/k2*time)};
  // wheels of 0.5 kg and 0.01 kg m2 about their axle, driven by the axle with 0.6 Nm and 0.6 Nm
  constant Real m_w = 0.5, I_w = 0.01, M = 3;
  Joints.RollingAxle cart(track = track, radius = radius, s_x(fixed = true), s_z(fixed = true), heading(fixed = true),
    phi_l(fixed = true), phi_r(fixed = true), w_l(fixed = true), w_r(fixed = true));
  Parts.Body box(m = M, I_11 = 0.1, I_22 = 0.2, I_33 = 0.2);
  Parts.FixedTranslation arm[2](r = {{0, 0, -track/2}, {0, 0, track/2}});
  Joints.Revolute hinge[2](each n = {0, 0, 1}, each useFlange = true);
  Parts.Body wheel[2](each m = m_w, each I_11 = I_w/2, each I_22 = I_w/2, each I_33 = I_w);
  Drives.Torque motor[2](each tau = -0.6);
  Real cart_off = cart.s_x - 0.5*2*0.6/radius/(M + 2*m_w + 2*I_w/radius^2)*time^2;
  // a balanced load runs in a circle; the wheels bear m*v*w_heading*radius from the inner to the outer one
  constant Real v = 1.2, turn = 1.5;
  Joints.RollingAxle circle(track = track, radius = radius, s_x(fixed = true), s_z(fixed = true), heading(fixed = true),
    phi_l(fixed = true), phi_r(fixed = true), w_l(start = -(v - 0.5*track*turn)/radius, fixed = true),
    w_r(start = -(v + 0.5*track*turn)/radius, fixed = true));
  Parts.Body disk(m = m, I_22 = I);
  Real circle_off[2] = {circle.s_x - v/turn*sin(turn*time), circle.s_z + v/turn*(1 - cos(turn*time))};
  Real load_off[2] = circle.f_n - {0.5*m*g - m*v*turn*radius/track, 0.5*m*g + m*v*turn*radius/track};
  // what balances falls over, its axle rolling in a curve on a turntable that a spring holds
  Joints.Revolute floor(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(start = 1, fixed = true));
  Parts.Body plate(m = 5, r_CM = {0.1, 0, 0}, I_22 = 2);
  Drives.RotationalFixed ground;
  Drives.RotationalSpringDamper spring(c = 5);
  Joints.RollingAxle balanced(track = track, radius = radius, s_x(fixed = true), s_z(fixed = true),
    heading(fixed = true), phi_l(fixed = true), phi_r(fixed = true), w_l(start = -1, fixed = true),
    w_r(start = -3, fixed = true));
  Joints.Revolute tilt(n = {0, 0, 1}, phi(start = 0.1, fixed = true), w(fixed = true));
  Parts.Body pole(m = 2, r_CM = {0.05, 0.5, 0.1}, I_11 = 0.1, I_22 = 0.02, I_33 = 0.1, I_21 = 0.01);
  Real energy = 1 + pole.E + plate.E + spring.V;
  // the point of the right wheel that touches has no velocity against the floor
  Real touch[2] = {balanced.v + 0.5*track*balanced.w_heading + radius*balanced.w_r,
    balanced.v - 0.5*track*balanced.w_heading + radius*balanced.w_l};
equation
  connect(world.frame_b, sleigh.frame_a);
  connect(sleigh.frame_b, load.frame_a);
  connect(world.frame_b, cart.frame_a);
  connect(cart.frame_b, box.frame_a);
  for k in 1:2 loop
    connect(cart.frame_b, arm[k].frame_a);
    connect(motor[k].flange, hinge[k].flange);
  end for;
  connect(arm.frame_b, hinge.frame_a);
  connect(hinge.frame_b, wheel.frame_a);
  connect(cart.left, hinge[1].flange);
  connect(cart.right, hinge[2].flange);
  connect(world.frame_b, circle.frame_a);
  connect(circle.frame_b, disk.frame_a);
  connect(world.frame_b, floor.frame_a);
  connect(floor.frame_b, plate.frame_a);
  connect(ground.flange, spring.flange_a);
  connect(spring.flange_b, floor.flange);
  connect(plate.frame_a, balanced.frame_a);
  connect(balanced.frame_b, tilt.frame_a);
  connect(tilt.frame_b, pole.frame_a);
end RollingAxles;
