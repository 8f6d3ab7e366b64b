// simulate: --stop 1 --tolerance 1e-10
// methods: dopri5
// constant: E 1e-7
// zero: hinge_off 1e-7
// zero: off[1] 1e-8
// zero: off[2] 1e-8
// zero: off[3] 1e-8
// zero: off_a[1] 1e-8
// zero: off_a[2] 1e-8
// zero: off_a[3] 1e-8
// zero: off_z[1] 1e-8
// zero: off_z[2] 1e-8
// zero: off_z[3] 1e-8
// moves: hinge.phi 0.5
// moves: ball.w_rel[1] 0.5
// moves: slide.s 0.1
// moves: table.s_x 0.05
// moves: swing.phi 4
model JointsTurnedRound "Joints whose frame_b is on the side of the world: energy, and rates of what they place"
  import Linkage.*;
  inner World world;
  // turned round, its angle has the other sign; more than a quarter turn
  Joints.Revolute hinge(n = {0, 0, 1}, phi(fixed = true), w(start = -6, fixed = true));
  Joints.Revolute swing(n = {0, 0, 1}, phi(fixed = true), w(start = 6, fixed = true));
  Parts.Rod left(r = {1, 0, 0}), right(r = {1, 0, 0});
  Real hinge_off = hinge.phi + swing.phi;
  // each kind of joint after the other
  Parts.FixedRotation turned(n = {1, 2, 3}, angle = 2);
  Joints.Universal cross(phi(start = {0.3, -0.2}, each fixed = true), w(start = {1, 2}, each fixed = true));
  Parts.Rod rod1(r = {0.5, 0.1, 0}), rod2(r = {0, 0.4, 0.1});
  Joints.Spherical ball(Q(each fixed = true), w_rel(start = {1, 0, 2}, each fixed = true));
  Parts.Body b0(m = 0.5, I_11 = 0.03, I_22 = 0.02, I_33 = 0.03), b1(I_11 = 0.02, I_22 = 0.03, I_33 = 0.04, r_CM = {0.1, 0, 0.1}), b2(I_11 = 0.02, I_22 = 0.03, I_33 = 0.04, r_CM = {0.1, 0, 0.1});
  Joints.Cylindrical slide(n = {1, 1, 0}, s(fixed = true), v(start = 0.5, fixed = true), phi(fixed = true), w(start = 1, fixed = true));
  Joints.Planar table(n = {0, 1, 1}, s_x(start = 0.1, fixed = true), s_y(fixed = true), phi(fixed = true),
    v_x(start = 0.3, fixed = true), v_y(fixed = true), w(start = -1, fixed = true));
  Joints.Free free(r_rel(start = {0.1, 0, 0.2}, each fixed = true), v_rel(start = {0, 1, 0.5}, each fixed = true),
    Q(each fixed = true), w_rel(start = {1, -1, 2}, each fixed = true));
  Parts.Body b3(I_11 = 0.02, I_22 = 0.03, I_33 = 0.04, r_CM = {0, 0.1, 0.1}), b4(I_11 = 0.02, I_22 = 0.03, I_33 = 0.04, r_CM = {0.1, 0, 0.1});
  Sensors.AbsoluteMotion far, away, loose;
  Real off[3](each unit = "m/s") = abs(der(far.r) - far.v) + abs(der(away.r) - away.v) + abs(der(loose.r) - loose.v);
  Real off_a[3](each unit = "m/s2") = abs(der(far.v) - far.a) + abs(der(away.v) - away.a) + abs(der(loose.v) - loose.a);
  Real off_z[3](each unit = "rad/s2") = abs(der(far.w) - far.z) + abs(der(away.w) - away.z) + abs(der(loose.w) - loose.z);
  Units.Energy E = 100 + left.E + rod1.E + rod2.E + b0.E + b1.E + b2.E + b3.E + b4.E;
equation
  connect(world.frame_b, hinge.frame_b);
  connect(hinge.frame_a, left.frame_a);
  connect(world.frame_b, swing.frame_a);
  connect(swing.frame_b, right.frame_a);
  connect(world.frame_b, turned.frame_b);
  connect(turned.frame_a, cross.frame_b);
  connect(cross.frame_a, rod1.frame_b);
  connect(rod1.frame_a, b0.frame_a);
  connect(rod1.frame_a, ball.frame_b);
  connect(ball.frame_a, b1.frame_a);
  connect(b1.frame_a, far.frame_a);
  connect(world.frame_b, rod2.frame_b);
  connect(rod2.frame_a, slide.frame_b);
  connect(slide.frame_a, b2.frame_a);
  connect(b2.frame_a, table.frame_b);
  connect(table.frame_a, b3.frame_a);
  connect(b3.frame_a, away.frame_a);
  connect(b3.frame_a, free.frame_b);
  connect(free.frame_a, b4.frame_a);
  connect(b4.frame_a, loose.frame_a);
end JointsTurnedRound;
