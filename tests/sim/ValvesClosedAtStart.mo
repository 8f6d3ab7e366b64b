// Closed valves: the pressure between them is open, its divisor zero, in the initial system, too
// simulate: --stop 1 --tolerance 1e-9
// methods: dopri5 ida esdirk
// zero: error 1e-7
// constant: level 0
// moves: filter 0.5
// agree: filter 1e-7
model ValvesClosedAtStart
  Real level, between(start = 0.3), inflow, outflow, filter;
  parameter Real filled = 3;
  Real upper = above(filled + 0.1*time, 4), lower = above(filled + 0.2*time, 5);
  Real error = filter - exp(-time);
  function above "Stays a call, so that the translation does not know that it is 0"
    input Real x, limit;
    output Real y = 0;
  algorithm
    while y + limit < x loop
      y := y + 1;
    end while;
    annotation(Inline = false);
  end above;
initial equation
  level = filled;
  // needs the flow at the start
  filter = inflow + 1;
equation
  inflow = upper*(level - between);
  outflow = lower*between;
  inflow = outflow;
  der(level) = -inflow;
  der(filter) = inflow - filter;
end ValvesClosedAtStart;
