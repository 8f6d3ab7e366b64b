// simulate: --stop 3 --tolerance 1e-9
// methods: esdirk dopri5
// zero: lifted_off 1e-6
// zero: lowered_off 1e-6
// zero: turned_off 1e-6
// constant: energy 1e-7
// zero: gains 1e-7
// moves: lifted.phi 1
// moves: lowered.phi 1
// moves: swung.phi 0.3
// moves: lost 1
model LossyGears "A motor lifts, a load runs down, a wheel is driven to and fro, each through a gear with an efficiency"
  import Linkage.*;
  inner World world;
  constant Real J = 0.02 "of a rotor", J_drum = 3, load = 40 "torque of what hangs on a drum";
  constant Real up = 0.8, down = 0.6;
  // up*(tau - J*a) - load/10 = J_drum/100*a
  Joints.Revolute lifted(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(start = 0.2, fixed = true));
  Parts.Body drum(I_22 = J_drum);
  Drives.Torque hanging(tau = -load), motor(tau = 6);
  Drives.Inertia rotor(J = J);
  Drives.LossyGear gear(ratio = 10, eta_ab = up, eta_ba = down);
  constant Real a_up = (up*6 - load/10)/(J_drum/100 + up*J);
  Real lifted_off = lifted.phi - 0.2*time - 0.05*a_up*time^2;
  // the load drives: (tau - J*a)/down - load/10 = J_drum/100*a, with a negative
  Joints.Revolute lowered(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(start = -0.2, fixed = true));
  Parts.Body drum2(I_22 = J_drum);
  Drives.Torque hanging2(tau = -load), brake(tau = 1);
  Drives.Inertia rotor2(J = J);
  Drives.LossyGear gear2(ratio = 10, eta_ab = up, eta_ba = down);
  constant Real a_down = (1/down - load/10)/(J_drum/100 + J/down);
  Real lowered_off = lowered.phi + 0.2*time - 0.05*a_down*time^2;
  // the other way round, with shafts that turn against each other: the same motion
  Joints.Revolute turned(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(start = -0.2, fixed = true));
  Parts.Body drum3(I_22 = J_drum);
  Drives.Torque hanging3(tau = load), motor3(tau = 6);
  Drives.Inertia rotor3(J = J);
  Drives.LossyGear gear3(ratio = -0.1, eta_ab = down, eta_ba = up, w_0 = 1e-4);
  Real turned_off = turned.phi + lifted.phi;
  // a wheel on a spring, driven to and fro: power goes both ways
  Joints.Revolute swung(n = {0, 1, 0}, useFlange = true, phi(fixed = true), w(fixed = true));
  Parts.Body wheel(I_22 = 1);
  Drives.Inertia rotor4(J = J);
  Drives.Torque shaken(tau = 2*sin(3*time));
  Drives.LossyGear gear4(ratio = 5, eta_ab = 0.9, eta_ba = 0.7);
  Drives.RotationalFixed ground;
  Drives.RotationalSpringDamper spring(c = 20);
  Real work(start = 0, fixed = true), lost(start = 0, fixed = true);
  Real energy = 1 + wheel.E + 0.5*J*(5*swung.w)^2 + spring.V + lost - work;
  Real gains = noEvent(min(0, min(gear4.loss, min(gear.loss, min(gear2.loss, gear3.loss)))));
equation
  connect(world.frame_b, lifted.frame_a);
  connect(lifted.frame_b, drum.frame_a);
  connect(motor.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, lifted.flange);
  connect(hanging.flange, lifted.flange);
  connect(world.frame_b, lowered.frame_a);
  connect(lowered.frame_b, drum2.frame_a);
  connect(brake.flange, rotor2.flange_a);
  connect(rotor2.flange_b, gear2.flange_a);
  connect(gear2.flange_b, lowered.flange);
  connect(hanging2.flange, lowered.flange);
  connect(world.frame_b, turned.frame_a);
  connect(turned.frame_b, drum3.frame_a);
  connect(motor3.flange, rotor3.flange_a);
  connect(rotor3.flange_b, gear3.flange_b);
  connect(gear3.flange_a, turned.flange);
  connect(hanging3.flange, turned.flange);
  connect(world.frame_b, swung.frame_a);
  connect(swung.frame_b, wheel.frame_a);
  connect(shaken.flange, rotor4.flange_a);
  connect(rotor4.flange_b, gear4.flange_a);
  connect(gear4.flange_b, swung.flange);
  connect(ground.flange, spring.flange_a);
  connect(spring.flange_b, swung.flange);
  der(work) = 2*sin(3*time)*5*swung.w;
  der(lost) = gear4.loss;
end LossyGears;
