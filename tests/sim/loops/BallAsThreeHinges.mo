// simulate: --stop 1 --tolerance 1e-10
// methods: dopri5 esdirk
// zero: off[1] 1e-7
// zero: off[2] 1e-7
// constant: E[1] 1e-7
// constant: E[2] 1e-7
// constant: E[3] 1e-7
// moves: crank[2].phi 0.3
model BallAsThreeHinges "Loops cut beside hinges without mass between: as with a cross and a ball"
  import Linkage.*;
  inner World world(n = {0, -1, 0});
  // of two writings and of the joints that they stand for
  Joints.Revolute crank[3](each n = {0, 0, 1}, each phi(fixed = true),
    each w(start = 1, each fixed = true));
  Parts.Body wheel[3](each m = 1, each I_33 = 0.1);
  Parts.FixedTranslation arm[3](each r = {0.2, 0, 0});
  Parts.FixedTranslation rod[3](each r = {0.3, 0.4, 0.1});
  Parts.Body coupler[3](each m = 0.5, each r_CM = {0.15, 0.2, 0.05}, each I_11 = 0.02,
    each I_22 = 0.03, each I_33 = 0.04);
  Parts.FixedTranslation lever[3](each r = {0, 0.5, 0});
  Parts.Body rocker[3](each m = 0.7, each r_CM = {0, 0.25, 0}, each I_11 = 0.05, each I_22 = 0.01,
    each I_33 = 0.05);
  Joints.Revolute rear[3](each n = {0, 0.3, 1});
  Parts.FixedTranslation base[3](each r = {0.5, -0.1, 0.1});
  // of hinges one axis has elements that are zero but for rounding
  constant Real c = -1, s = -1.2246467991473532e-16;
  Joints.Revolute x[2](n = {{1, 0, 0}, {0, 0, 1}}), y[2](n = {{0, 1, 0}, {0, -1, 0}}),
    z[2](n = {{0, 0, 1}, {1, 0, 0}});
  Joints.Revolute first[2](each n = {c, 0, s}), second[2](each n = {s, 0, -c});
  Joints.Universal cross(n_a = {s, 0, -c}, n_b = {c, 0, s});
  Joints.Spherical ball;
  Units.Angle off[2] = crank[1:2].phi - fill(crank[3].phi, 2);
  Units.Energy E[3] = wheel.E + coupler.E + rocker.E;
equation
  // the first, cut between its last hinge and the lever
  connect(base[1].frame_b, rear[1].frame_a);
  connect(y[1].frame_b, z[1].frame_a);
  connect(rod[1].frame_a, first[1].frame_b);
  connect(lever[1].frame_a, rear[1].frame_b);
  connect(x[1].frame_a, rod[1].frame_b);
  connect(first[1].frame_a, second[1].frame_b);
  connect(crank[1].frame_b, arm[1].frame_a);
  connect(rod[1].frame_a, coupler[1].frame_a);
  connect(second[1].frame_a, arm[1].frame_b);
  connect(lever[1].frame_a, rocker[1].frame_a);
  connect(crank[1].frame_b, wheel[1].frame_a);
  connect(x[1].frame_b, y[1].frame_a);
  connect(base[1].frame_a, world.frame_b);
  connect(world.frame_b, crank[1].frame_a);
  connect(z[1].frame_b, lever[1].frame_b);
  // the second, cut beside the cross
  connect(rod[2].frame_b, x[2].frame_b);
  connect(base[2].frame_b, rear[2].frame_a);
  connect(y[2].frame_b, z[2].frame_b);
  connect(world.frame_b, base[2].frame_a);
  connect(crank[2].frame_b, arm[2].frame_a);
  connect(z[2].frame_a, lever[2].frame_b);
  connect(first[2].frame_a, rod[2].frame_a);
  connect(rear[2].frame_b, lever[2].frame_a);
  connect(world.frame_b, crank[2].frame_a);
  connect(crank[2].frame_b, wheel[2].frame_a);
  connect(y[2].frame_a, x[2].frame_a);
  connect(second[2].frame_a, arm[2].frame_b);
  connect(coupler[2].frame_a, rod[2].frame_a);
  connect(lever[2].frame_a, rocker[2].frame_a);
  connect(second[2].frame_b, first[2].frame_b);
  // joints without hinges
  connect(world.frame_b, crank[3].frame_a);
  connect(crank[3].frame_b, wheel[3].frame_a);
  connect(crank[3].frame_b, arm[3].frame_a);
  connect(arm[3].frame_b, cross.frame_a);
  connect(cross.frame_b, rod[3].frame_a);
  connect(coupler[3].frame_a, rod[3].frame_a);
  connect(rod[3].frame_b, ball.frame_a);
  connect(ball.frame_b, lever[3].frame_b);
  connect(rocker[3].frame_a, lever[3].frame_a);
  connect(world.frame_b, base[3].frame_a);
  connect(base[3].frame_b, rear[3].frame_a);
  connect(rear[3].frame_b, lever[3].frame_a);
end BallAsThreeHinges;
