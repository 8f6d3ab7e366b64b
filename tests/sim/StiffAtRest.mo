// simulate: --stop 0.1 --tolerance 1e-9
// methods: ida cvode ida-residual esdirk
// zero: error 2e-8
// moves: x 9
model StiffAtRest "Begins at rest, so that nothing tells of its time scale, a millionth of a millionth of the run"
  Real x(start = 0, fixed = true);
  parameter Real k = 1e13, om = 314;
  Real error = x - 10*k*(k*sin(om*time) - om*cos(om*time) + om*exp(-k*time))/(k^2 + om^2);
equation
  der(x) = k*(10*sin(om*time) - x);
end StiffAtRest;
