// simulate: --stop 2 --tolerance 1e-10
// zero: off[1] 1e-7
// zero: off[2] 1e-7
// zero: off[3] 1e-7
// constant: E 1e-7
// moves: joint.phi 0.5
// moves: joint.s_x 0.5
// moves: arm1.phi 0.3
model PlanarAsThree "A planar joint on a swinging arm, and two slides and a hinge in its place"
  import Linkage.*;
  inner World world;
  Joints.Revolute arm1(n = {0, 0, 1}, phi(start = -0.5, fixed = true), w(fixed = true));
  Joints.Revolute arm2(n = {0, 0, 1}, phi(start = -0.5, fixed = true), w(fixed = true));
  Parts.Rod rod1(r = {1, 0, 0.2}, m = 2), rod2(r = {1, 0, 0.2}, m = 2);
  Joints.Planar joint(n = {0, 2, 1}, n_x = {1, 1, 1}, s_x(start = 0.1, fixed = true), s_y(fixed = true),
    phi(start = 0.3, fixed = true), v_x(fixed = true), v_y(start = 0.5, fixed = true), w(start = 2, fixed = true));
  constant Real e[3] = {0, 2, 1}/sqrt(5) "the normal";
  constant Real e_x[3] = {1, -0.2, 0.4}/sqrt(1.2) "{1, 1, 1} less its part along the normal";
  Joints.Prismatic slide_x(n = e_x, s(start = 0.1, fixed = true), v(fixed = true));
  Joints.Prismatic slide_y(n = cross(e, e_x), s(fixed = true), v(start = 0.5, fixed = true));
  Joints.Revolute turn(n = e, phi(start = 0.3, fixed = true), w(start = 2, fixed = true));
  Parts.Body body1(m = 1.5, r_CM = {0.1, 0.2, 0.1}, I_11 = 0.05, I_22 = 0.06, I_33 = 0.04, I_31 = 0.01);
  Parts.Body body2(m = 1.5, r_CM = {0.1, 0.2, 0.1}, I_11 = 0.05, I_22 = 0.06, I_33 = 0.04, I_31 = 0.01);
  Real off[3] = {joint.s_x - slide_x.s, joint.s_y - slide_y.s, joint.phi - turn.phi};
  Units.Energy E = 50 + rod1.E + body1.E;
equation
  connect(world.frame_b, arm1.frame_a);
  connect(arm1.frame_b, rod1.frame_a);
  connect(rod1.frame_b, joint.frame_a);
  connect(joint.frame_b, body1.frame_a);
  connect(world.frame_b, arm2.frame_a);
  connect(arm2.frame_b, rod2.frame_a);
  connect(rod2.frame_b, slide_x.frame_a);
  connect(slide_x.frame_b, slide_y.frame_a);
  connect(slide_y.frame_b, turn.frame_a);
  connect(turn.frame_b, body2.frame_a);
end PlanarAsThree;
