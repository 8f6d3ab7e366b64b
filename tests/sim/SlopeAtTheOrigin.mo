// simulate: --stop 1 --tolerance 1e-8
// methods: ida cvode esdirk
// zero: error 1e-7
// moves: u 5e-3
model SlopeAtTheOrigin "A root has no slope while a system is at rest"
  Real u(start = 0, fixed = true), v(start = 0, fixed = true);
  parameter Real k = 100;
  Real t = max(0, time - 0.1), size = sqrt(u^2 + v^2);
  Real error = size - (k*t - 1 + exp(-k*t))/k^2;
equation
  der(u) = 0.6*(t - k*size);
  der(v) = 0.8*(t - k*size);
end SlopeAtTheOrigin;
