// simulate: --stop 2 --tolerance 1e-8
// methods: dopri5
// zero: off[1] 1e-6
// zero: off[2] 1e-6
// zero: off[3] 1e-6
// zero: pull[1] 1e-4
// zero: pull[2] 1e-4
// zero: pull[3] 1e-4
// constant: E 1e-6
// moves: arm[1].phi 0.3
// moves: arm[2].phi 0.3
// moves: arm[3].phi 0.3
model RodsAtHinges "A hinge that a rod turns does as a hinge and a rod that closes a loop"
  import Linkage.*;
  inner World world(n = {0, 0, -1});
  // in a plane; in space; in space with the rod on the other side
  constant Real foot[3, 3] = {{0, 0.2, 0.05}, {0.2, 0.1, -0.1}, {0.2, 0.1, -0.1}};
  constant Real eye[3, 3] = {{0, 0.1, -0.4}, {0.1, 0.1, 0.4}, {0.1, 0.1, 0.4}};
  constant Real axis[3, 3] = {{1, 0, 0}, {1, 0, 0.5}, {1, 0, 0.5}};
  constant Real l[3] = {0.45, 0.5, 0.5}, start[3] = {0.2, -0.3, -0.3}, near[3] = {3, -2.5, 0.8};
  Joints.Revolute arm[3](each n = {1, 0, 0}, phi(start = start, each fixed = true), each w(fixed = true));
  Parts.Rod beam[3](each r = {0, 0.5, 0}, each m = 2);
  Parts.FixedTranslation to_foot[3](r = foot);
  Joints.RevoluteByRod elbow[3](n = axis, r = eye, l = l, side = {-1, 1, -1});
  Parts.Body hand[3](each m = 3, each r_CM = {0.1, 0.1, 0.1}, each I_11 = 0.2, each I_22 = 0.1, each I_33 = 0.3);
  Joints.Revolute arm2[3](each n = {1, 0, 0}, phi(start = start, each fixed = true), each w(fixed = true));
  Parts.Rod beam2[3](each r = {0, 0.5, 0}, each m = 2);
  Parts.FixedTranslation to_foot2[3](r = foot);
  Joints.Revolute elbow2[3](n = axis, phi(start = near));
  Parts.FixedTranslation to_eye[3](r = eye);
  Joints.BallRod rod[3](l = l);
  Parts.Body hand2[3](each m = 3, each r_CM = {0.1, 0.1, 0.1}, each I_11 = 0.2, each I_22 = 0.1, each I_33 = 0.3);
  Units.Angle off[3] = arm.phi - arm2.phi;
  Units.Force pull[3] = elbow.f - rod.f;
  Units.Energy E = sum(beam.E) + sum(hand.E);
equation
  for k in 1:3 loop
    connect(world.frame_b, arm[k].frame_a);
    connect(arm[k].frame_b, beam[k].frame_a);
    connect(beam[k].frame_b, elbow[k].frame_a);
    connect(world.frame_b, to_foot[k].frame_a);
    connect(to_foot[k].frame_b, elbow[k].frame_c);
    connect(elbow[k].frame_b, hand[k].frame_a);
    connect(world.frame_b, arm2[k].frame_a);
    connect(arm2[k].frame_b, beam2[k].frame_a);
    connect(beam2[k].frame_b, elbow2[k].frame_a);
    connect(elbow2[k].frame_b, hand2[k].frame_a);
    connect(elbow2[k].frame_b, to_eye[k].frame_a);
    connect(world.frame_b, to_foot2[k].frame_a);
    connect(to_foot2[k].frame_b, rod[k].frame_a);
    connect(rod[k].frame_b, to_eye[k].frame_b);
  end for;
end RodsAtHinges;
