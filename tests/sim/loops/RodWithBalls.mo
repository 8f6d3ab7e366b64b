// simulate: --stop 2 --tolerance 1e-9
// methods: esdirk dopri5
// zero: off[1] 1e-6
// zero: off[2] 1e-6
// zero: pull 1e-4
// zero: length 1e-9
// constant: E 1e-7
// moves: crank1.phi 0.5
// moves: rocker1.phi 0.1
model RodWithBalls "A coupler of one constraint, and one of joints without mass, between the same two cranks"
  import Linkage.*;
  inner World world;
  Joints.Revolute crank1(n = {0, 0, 1}, phi(start = 0.4, fixed = true), w(start = 2, fixed = true)), rocker1(n = {1, 0, 0});
  Joints.Revolute crank2(n = {0, 0, 1}, phi(start = 0.4, fixed = true), w(start = 2, fixed = true)), rocker2(n = {1, 0, 0});
  Parts.Rod arm1(r = {0.3, 0, 0}), arm2(r = {0.3, 0, 0});
  Parts.Rod lever1(r = {0, 0.8, 0}), lever2(r = {0, 0.8, 0});
  Parts.FixedTranslation ground(r = {1, 0, 0.5});
  Joints.BallRod coupler(l = 1.2);
  Joints.Universal cross(n_a = {0, 0, 1}, n_b = {0, 1, 0});
  Parts.FixedTranslation line(r = {1.2, 0, 0});
  Joints.Spherical ball;
  Sensors.Distance gap;
  Sensors.CutForces cut;
  Real off[2] = {crank1.phi - crank2.phi, rocker1.phi - rocker2.phi};
  Real length = gap.s - 1.2;
  Real pull(unit = "N") = coupler.f + cut.f[1];
  Units.Energy E = 20 + arm1.E + lever1.E;
equation
  connect(world.frame_b, ground.frame_a);
  connect(world.frame_b, crank1.frame_a);
  connect(crank1.frame_b, arm1.frame_a);
  connect(ground.frame_b, rocker1.frame_a);
  connect(rocker1.frame_b, lever1.frame_a);
  connect(arm1.frame_b, coupler.frame_a);
  connect(coupler.frame_b, lever1.frame_b);
  connect(arm1.frame_b, gap.frame_a);
  connect(lever1.frame_b, gap.frame_b);
  connect(world.frame_b, crank2.frame_a);
  connect(crank2.frame_b, arm2.frame_a);
  connect(ground.frame_b, rocker2.frame_a);
  connect(rocker2.frame_b, lever2.frame_a);
  connect(arm2.frame_b, cross.frame_a);
  connect(cross.frame_b, cut.frame_a);
  connect(cut.frame_b, line.frame_a);
  connect(line.frame_b, ball.frame_a);
  connect(ball.frame_b, lever2.frame_b);
end RodWithBalls;
