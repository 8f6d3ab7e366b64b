// simulate: --stop 2 --tolerance 1e-9
// zero: error_i[1] 1e-6
// zero: error_i[2] 1e-6
// zero: error_i[3] 1e-6
// zero: zero_sequence 1e-9
// moves: i[1] 0.5
model ThreePhase "currents that sum to zero at the star point, and a zero-sequence current that is a third of their sum: equations of a loop that depend on each other"
  constant Real pi = 2*asin(1);
  parameter Real L = 0.5, L0 = 0.1, turns = 2;
  Real i[3], v[3], space[2](each start = 0, each fixed = true) "space phasor of the currents";
  Real zero_sequence(stateSelect = StateSelect.prefer), u[2], u_zero;
  Real error_i[3] = i - {turns/L*(sin(time)*cos((k - 1)*2*pi/3) + (1 - cos(time))*sin((k - 1)*2*pi/3)) for k in 1:3};
equation
  space = 2/3*{{cos((k - 1)*2*pi/3) for k in 1:3}, {sin((k - 1)*2*pi/3) for k in 1:3}}*i;
  3*turns*zero_sequence = turns*i[1] + turns*i[2] + turns*i[3];
  i[1] + i[2] + i[3] = 0;
  u = turns*{cos(time), sin(time)};
  L*der(space) = u;
  L0*der(zero_sequence) = u_zero;
  v = {u_zero + u[1]*cos((k - 1)*2*pi/3) + u[2]*sin((k - 1)*2*pi/3) for k in 1:3};
end ThreePhase;
