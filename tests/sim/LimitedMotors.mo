// simulate: --stop 4 --tolerance 1e-9
// methods: esdirk ida
// zero: run_up_off 1e-7
// zero: braked_off 1e-6
// zero: dragged_off 1e-8
// zero: slow_off 1e-3
// constant: energy 1e-7
// moves: rotor.w 80
// moves: work 10
// moves: returned 0.02
model LimitedMotors "A motor with limits of torque and voltage: run up, brake, be dragged, follow"
  import Linkage.Drives.*;
  constant Real J = 0.1, most = 6, stall = 10, w_0 = 100;
  // constant torque to the corner, then towards w_0 with the time constant J*w_0/stall
  LimitedMotor motor(tau_wanted = 1e3, tau_max = most, tau_stall = stall, w_0 = w_0);
  Inertia rotor(J = J, phi(fixed = true), w(fixed = true));
  constant Real corner = w_0*(1 - most/stall), t_corner = J*corner/most;
  Real run_up_off = rotor.w - (if time < t_corner then most/J*time else
    w_0 - (w_0 - corner)*exp(-(time - t_corner)*stall/(J*w_0)));
  // braked from 90 rad/s by as much as it can, at all speeds the largest torque, then run backwards up to the corner
  LimitedMotor brake(tau_wanted = -1e3, tau_max = most, tau_stall = stall, w_0 = w_0);
  Inertia braked(J = 0.5, phi(fixed = true), w(start = 30, fixed = true));
  Real braked_off = braked.w - (30 - most/0.5*time);
  // dragged beyond w_0: it brakes though torque is wanted, never more than it can
  LimitedMotor dragged(tau_wanted = 1e3, tau_max = most, tau_stall = stall, w_0 = w_0);
  RotationalMotion drag(phi = 50*time^2);
  Real dragged_off = dragged.tau - max(-most, min(most, stall*(1 - time)));
  // one with a winding that is fast, under the full voltage, has the same motion but for the corner
  LimitedMotor one(tau_wanted = 1e3, tau_max = 1e3, tau_stall = stall, w_0 = w_0);
  Inertia first(J = J, phi(fixed = true), w(fixed = true));
  DCMotor other(u = 48, R = 48*0.48/stall, L = 1e-6, k = 0.48, i(start = 48/(48*0.48/stall)));
  Inertia second(J = J, phi(fixed = true), w(fixed = true));
  Real slow_off = first.w - second.w;
  // a controller in both directions: the energy taken in is moved, lost, or given back
  LimitedMotor servo(tau_wanted = k_p*(20*sin(2*time) - arm.phi) - k_d*arm.w, tau_max = most, tau_stall = stall, w_0 = w_0);
  constant Real k_p(unit = "N.m/rad") = 40, k_d(unit = "N.m.s/rad") = 2;
  Inertia arm(J = 0.2, phi(fixed = true), w(fixed = true));
  Real work(start = 0, fixed = true, unit = "J"), lost(start = 0, fixed = true, unit = "J"),
    returned(start = 0, fixed = true, unit = "J");
  Real energy(unit = "J") = 1 + arm.T + lost - work;
equation
  connect(motor.flange, rotor.flange_a);
  connect(brake.flange, braked.flange_a);
  connect(drag.flange, dragged.flange);
  connect(one.flange, first.flange_a);
  connect(other.flange, second.flange_a);
  connect(servo.flange, arm.flange_a);
  der(work) = servo.P;
  der(lost) = servo.loss;
  der(returned) = max(0, -servo.P);
end LimitedMotors;
