// simulate: --stop 100 --interval 1e-2 --tolerance 1e-6
// methods: esdirk dopri5 gear ida cvode
// zero: error 0.2
// moves: torque 9.8
model TwistBehindTurns "The torque of a spring between two shafts that turn by 1e5 rad, which twist by 1e-3 rad"
  parameter Real c = 1e4, d = 0.1, speed = 1000, load = 10, begin = 90;
  parameter Real omega = sqrt(2*c - d^2);
  Real phi1(start = 0, fixed = true), phi2(start = 0, fixed = true);
  Real w1(start = speed, fixed = true), w2(start = speed, fixed = true);
  Real torque = c*(phi1 - phi2) + d*(w1 - w2);
  Real t = max(time - begin, 0), twist, rate;
  Real error = torque - c*twist - d*rate;
equation
  der(phi1) = w1;
  der(phi2) = w2;
  der(w1) = (if time < begin then 0 else load) - torque;
  der(w2) = torque;
  twist = load/(2*c)*(1 - exp(-d*t)*(cos(omega*t) + d/omega*sin(omega*t)));
  rate = load/omega*exp(-d*t)*sin(omega*t);
end TwistBehindTurns;
