// simulate: --stop 0.4 --tolerance 1e-9
// methods: esdirk dopri5 ida
// zero: off[1] 1e-9
// zero: off[2] 1e-9
// zero: off[3] 1e-9
// zero: off[4] 1e-9
// zero: turned 1e-9
// zero: rate 1e-9
// zero: pull 1e-7
// zero: norm(phi) 1e-9
// constant: E 1e-7
// moves: a.crank.phi 0.5
// moves: a.rocker.phi 0.1
// moves: a.last.w_rel[3] 0.1
// moves: a.last.w_rel[1] 0.1
model BallsInALoop "A coupler with a ball: joints either way round, and the ball as three hinges"
  import Linkage.*;
  partial model FourBar
    outer World world;
    Joints.Revolute crank(n = {0, 0, 1}, phi(start = 0.4, fixed = true),
      w(start = 2, fixed = true));
    Joints.Revolute rocker(n = {1, 0, 0});
    Parts.Rod arm(r = {0.3, 0, 0}), lever(r = {0, 0.8, 0});
    Parts.FixedTranslation ground(r = {1, 0, 0.5});
    Parts.FixedTranslation coupler(r = {1.2, 0, 0});
    Parts.Body rod(m = 0.4, r_CM = {0.6, 0.01, 0}, I_11 = 0.02, I_22 = 0.05, I_33 = 0.06);
    Interfaces.Frame_a start, end_;
  equation
    connect(world.frame_b, ground.frame_a);
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, arm.frame_a);
    connect(ground.frame_b, rocker.frame_a);
    connect(rocker.frame_b, lever.frame_a);
    connect(coupler.frame_a, rod.frame_a);
    connect(arm.frame_b, start);
    connect(lever.frame_b, end_);
  end FourBar;
  model Forwards
    extends FourBar;
    Joints.Universal first(n_a = {0, 0, 1}, n_b = {0, 1, 0});
    Joints.Spherical last;
    Sensors.CutForces cut;
  equation
    connect(start, first.frame_a);
    connect(first.frame_b, coupler.frame_a);
    connect(coupler.frame_b, last.frame_a);
    connect(last.frame_b, cut.frame_a);
    connect(cut.frame_b, end_);
  end Forwards;
  model Backwards
    extends FourBar;
    Joints.Universal first(n_a = {0, 1, 0}, n_b = {0, 0, 1});
    Joints.Spherical last;
    Sensors.CutForces cut;
  equation
    connect(last.frame_b, coupler.frame_b);
    connect(start, first.frame_b);
    connect(end_, cut.frame_b);
    connect(cut.frame_a, last.frame_a);
    connect(first.frame_a, coupler.frame_a);
  end Backwards;
  model Hinges
    extends FourBar;
    Joints.Revolute x(n = {1, 0, 0}), y[2](each n = {0, 1, 0}), z[2](each n = {0, 0, 1});
  equation
    connect(start, z[1].frame_a);
    connect(z[1].frame_b, y[1].frame_a);
    connect(y[1].frame_b, coupler.frame_a);
    connect(coupler.frame_b, z[2].frame_a);
    connect(z[2].frame_b, y[2].frame_a);
    connect(y[2].frame_b, x.frame_a);
    connect(x.frame_b, end_);
  end Hinges;
  inner World world;
  Forwards a;
  Backwards b;
  Hinges c;
  Real off[4] = {a.crank.phi - b.crank.phi, a.rocker.phi - b.rocker.phi, a.crank.phi - c.crank.phi,
    a.rocker.phi - c.rocker.phi};
  Real R[3, 3] = Frames.quaternionRotation(a.last.Q)*a.last.frame_a.m.T - a.last.frame_b.m.T;
  Real turned = sqrt(sum(R.*R)) "Euler parameters are those of the rotation";
  Real e = a.last.Q*{1, 0.5, 0.25, 0.125},
    by = Frames.quaternionRate(a.last.Q, a.last.w_rel)*{1, 0.5, 0.25, 0.125};
  Real x(start = 0, fixed = true);
  Real rate = x - (e - e_0);
  parameter Real e_0(fixed = false);
  Real pull(unit = "N") = a.cut.f[1] - b.cut.f[1];
  Units.Energy E = 20 + a.arm.E + a.lever.E + a.rod.E;
initial equation
  e_0 = e;
equation
  der(x) = by;
end BallsInALoop;
