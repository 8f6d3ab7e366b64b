// MLS 3.7.4.5: where nothing flows, the enthalpy between two pipes is open; and at the start the two
// relations, both false, contradict each other.
// simulate: --stop 10 --tolerance 1e-8
// methods: dopri5 cvode esdirk
// zero: error 1e-9
// moves: h 1
model FlowThatTurns
  Real m, h(start = 7), H1, H2, x(start = 0, fixed = true);
  output Real error = abs(m*(h - (if m > 0 then 2 else 1)));
equation
  der(x) = m;
  m = sin(time);
  H1 = semiLinear(m, h, 1);
  H2 = semiLinear(-m, h, 2);
  H1 + H2 = 0;
end FlowThatTurns;
