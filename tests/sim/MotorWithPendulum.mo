// A motor whose current follows within a microsecond: stiff. Its torque is balanced by friction and
// gravity in the end, where the pendulum hangs still at an angle that can be told.
// simulate: --stop 60 --tolerance 1e-7
// methods: esdirk ida
// ends: phi 0.30469265401539752 1e-6
// ends: i 0.24 1e-6
// moves: phi 0.3
model MotorWithPendulum "DC motor of small inductance that turns a pendulum through a gear"
  parameter Real R = 1 "resistance, Ohm", L = 1e-6 "inductance, H", k = 0.05 "torque constant, Nm/A";
  parameter Real ratio = 25, J_motor = 1e-5, m = 0.1, l = 1, d = 0.3, g = 10;
  parameter Real u = 0.24 "V";
  Real i(start = 0, fixed = true), phi(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  L*der(i) = u - R*i - k*ratio*w;
  der(phi) = w;
  (m*l^2 + ratio^2*J_motor)*der(w) = ratio*k*i - m*g*l*sin(phi) - d*w;
end MotorWithPendulum;
