// simulate: --stop 10
// methods: ida cvode esdirk dopri5
// ends: q 1 1e-4
model PulseAfterCalm
  "A term of two states that changes little in many short steps, and then has a pulse"
  parameter Real w = 1e-5;
  constant Real pi = 3.14159265358979323846;
  // the integral of 1/(1.25 - exp(-u^2)) - 0.8 over u, as a geometric series
  parameter Real area = 0.8*sqrt(pi)*sum(0.8^k/sqrt(k) for k in 1:200);
  Real x(start = 0, fixed = true), z(start = 0, fixed = true), q(start = 0, fixed = true);
  Real a(start = 1, fixed = true), b(start = 0, fixed = true) "make steps short";
equation
  der(x) = 0.75;
  der(z) = 0.25;
  der(a) = 10*b;
  der(b) = -10*a;
  der(q) = (1/(1.25 - exp(-((x + z - 7.1)/w)^2)) - 0.8)/(w*area);
end PulseAfterCalm;
