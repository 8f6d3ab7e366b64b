// simulate: --stop 10 --interval 1e-2 --tolerance 1e-6
// methods: esdirk dopri5 ida cvode gear
// zero: error 1e-4
// moves: y 0.99
model PhaseOfManyTurns "A wave whose phase, a state, reaches 30000 rad: its error is that of a phase in one turn"
  parameter Real w = 1500;
  parameter Real p = 2 "pole pairs";
  Real phi(start = 0, fixed = true), y;
  Real exact = sin(p*w*(time + 0.5*sin(time)));
  Real error = y - exact;
equation
  der(phi) = w*(1 + 0.5*cos(time));
  y = sin(p*phi);
end PhaseOfManyTurns;
