// simulate: --stop 5 --tolerance 1e-8
// zero: error 1e-5
// moves: level 0.1
model PreferredStarts "A tank whose states, mass and inner energy, have no start values: level and temperature give them (MLS 8.6)"
  parameter Real A = 2, rho = 1000, c = 4200;
  Real m, U;
  Real level(start = 0.5, stateSelect = StateSelect.prefer);
  Real T(start = 300, stateSelect = StateSelect.prefer);
  Real other(start = 7) "not preferred: no start of anything";
  Real error = abs(level - 0.5*exp(-0.1*time)) + abs(T - 300);
equation
  m = rho*A*level;
  U = m*c*(T - 273.15);
  der(m) = -0.1*m;
  der(U) = -0.1*m*c*(T - 273.15);
  other = 2*m;
end PreferredStarts;
