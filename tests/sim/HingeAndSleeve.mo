// simulate: --stop 0.3 --tolerance 1e-10
// methods: esdirk dopri5
// constant: E 1e-7
// zero: error 1e-7
// moves: ball.w_rel[1] 1
model HingeAndSleeve "A door on a hinge, and on a sleeve about the same axis that holds nothing more; a ball joint on it"
  import Linkage.*;
  model Door "On its hinge alone"
    Interfaces.Frame_a frame_a;
    Joints.Revolute hinge(n = {0, 1, 0}, phi(start = 1.5707963267948966));
    Parts.Body door(m = 0.8, r_CM = {-0.275, 0.175, -0.275}, I_11 = 0.05, I_22 = 0.04, I_33 = 0.03);
    Parts.FixedTranslation place(r = {0.25, 0, 0.25}), arm(r = {-0.25, -0.25, 0});
    Joints.Spherical ball;
    Parts.Body pendulum(m = 1, r_CM = {0.5, 0, 0}, I_11 = 0.03, I_22 = 0.03, I_33 = 0.03);
  equation
    connect(frame_a, hinge.frame_a);
    connect(hinge.frame_b, place.frame_a);
    connect(place.frame_b, door.frame_a);
    connect(door.frame_a, arm.frame_a);
    connect(arm.frame_b, ball.frame_b);
    connect(ball.frame_a, pendulum.frame_a);
  end Door;
  inner World world;
  Door alone;
  Joints.Revolute hinge(n = {0, 1, 0}, phi(start = 1.5707963267948966));
  Joints.Cylindrical sleeve(n = {0, -1, 0}, phi(start = -1.5707963267948966));
  Joints.Spherical ball;
  Parts.Body door(m = 0.8, r_CM = {-0.275, 0.175, -0.275}, I_11 = 0.05, I_22 = 0.04, I_33 = 0.03);
  Parts.Body pendulum(m = 1, r_CM = {0.5, 0, 0}, I_11 = 0.03, I_22 = 0.03, I_33 = 0.03);
  Parts.FixedTranslation below(r = {-0.25, -0.5, -0.25}), above(r = {0.25, 0.2, 0.25});
  Parts.FixedTranslation place(r = {0.25, 0, 0.25}), bracket(r = {0.25, -0.3, 0.25}),
    arm(r = {-0.25, -0.25, 0});
  Units.Energy E = door.E + pendulum.E;
  Real error = ball.Q[2] - alone.ball.Q[2] + hinge.phi - alone.hinge.phi;
equation
  connect(arm.frame_a, door.frame_a);
  connect(ball.frame_b, arm.frame_b);
  connect(pendulum.frame_a, ball.frame_a);
  connect(door.frame_a, place.frame_b);
  connect(place.frame_a, hinge.frame_b);
  connect(sleeve.frame_b, bracket.frame_a);
  connect(hinge.frame_a, below.frame_b);
  connect(above.frame_b, world.frame_b);
  connect(sleeve.frame_a, above.frame_a);
  connect(bracket.frame_b, door.frame_a);
  connect(world.frame_b, below.frame_a);
  connect(world.frame_b, alone.frame_a);
end HingeAndSleeve;
