// What rounding leaves of zero as a start value says nothing of the size of its state: against such
// sizes no correction of Newton's method is small.
// simulate: --tolerance 1e-8 --interval 0.0125
// methods: esdirk ida
// agree: slide.s 1e-5
// moves: hinge.phi 0.2
// zero: norm(phi) 1e-9
model BallAtRounding "A ball joint that starts turned by 1e-17"
  import Linkage.*;
  inner World world(n = {0, 0, -1});
  Joints.Revolute hinge(n = {1, 0, 0}, phi(fixed = true), w(fixed = true));
  Parts.FixedTranslation arm(r = {0, 0.5, 0});
  Parts.Body beam(m = 3, r_CM = {0, 0.25, 0}, I_11 = 0.07, I_22 = 0.002, I_33 = 0.07);
  Joints.Revolute turn(n = {0, 0, 1});
  Parts.Body wheel(m = 6, r_CM = {-0.02, 0.03, 0.01}, I_11 = 0.05, I_22 = 0.08, I_33 = 0.05);
  Parts.FixedTranslation lever(r = {0.15, 0, 0.05});
  Joints.Universal cross(n_a = {0, 0, 1}, n_b = {1, 0, 0});
  Parts.FixedTranslation rod(r = {0, -0.4, 0.05}) "without mass";
  Joints.Spherical ball(Q(start = {1, 8e-18, -8e-18, 8e-18}));
  Joints.Prismatic slide(n = {0, 1, 0}, s(fixed = true), v(start = 0.05, fixed = true));
  Parts.Body slider(m = 5);
  Parts.FixedTranslation rail(r = {0.15, 0.1, 0.1});
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
  connect(hinge.frame_b, beam.frame_a);
  connect(arm.frame_b, turn.frame_a);
  connect(turn.frame_b, wheel.frame_a);
  connect(turn.frame_b, lever.frame_a);
  connect(lever.frame_b, cross.frame_a);
  connect(cross.frame_b, rod.frame_a);
  connect(rod.frame_b, ball.frame_a);
  connect(world.frame_b, rail.frame_a);
  connect(rail.frame_b, slide.frame_a);
  connect(slide.frame_b, slider.frame_a);
  connect(slide.frame_b, ball.frame_b);
  annotation(experiment(StopTime = 0.25));
end BallAtRounding;
