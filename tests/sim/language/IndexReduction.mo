// Two inertias on one shaft, and a position given in time: constraints between states
// simulate: --stop 2 --tolerance 1e-9
// zero: error[1] 1e-6
// zero: error[2] 1e-6
// zero: error[3] 1e-9
model IndexReduction
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  model Inertia
    Flange a;
    Flange b;
    parameter Real J = 1;
    Real phi(start = 0, fixed = true);
    Real w(start = 0, fixed = true);
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;
  model Gear
    Flange a;
    Flange b;
    parameter Real ratio = 2;
  equation
    a.phi = ratio*b.phi;
    ratio*a.tau + b.tau = 0;
  end Gear;
  model Driven "moves as told"
    Flange a;
  equation
    a.phi = sin(time);
  end Driven;
  model Torque
    Flange a;
    parameter Real tau = 1;
  equation
    a.tau = -tau;
  end Torque;
  Torque torque(tau = 4);
  Inertia motor(J = 1);
  Gear gear;
  Inertia load(J = 4, phi(stateSelect = StateSelect.avoid, fixed = false),
    w(stateSelect = StateSelect.avoid, fixed = false));
  Driven driven;
  Inertia led(J = 3, phi(fixed = false), w(fixed = false));
  Real error[3];
equation
  connect(motor.b, gear.a);
  connect(gear.b, load.a);
  connect(driven.a, led.a);
  connect(torque.a, motor.a);
  // 4 N.m on 1 + 4/2^2 kg.m2
  error[1] = motor.phi - time^2;
  error[2] = load.w - time;
  error[3] = led.a.tau + 3*sin(time);
end IndexReduction;
