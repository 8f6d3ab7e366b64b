// A pipe whose valves both close holds any pressure: its equations are singular and consistent, the pressure stays
// simulate: --stop 3 --tolerance 1e-9
// methods: dopri5 ida cvode esdirk
// zero: error 1e-6
// zero: leak 1e-12
// zero: drop 1e-9
// moves: level 1
// moves: p1 0.5
// agree: level 1e-6
model ClosedPipe
  Real level(start = 2, fixed = true), m(start = 1), p1(start = 2), p2(start = 0);
  Boolean open = time < 0.5 or time > 1.5;
  Real leak, drop, error;
  discrete Real closed(start = 0, fixed = true);
equation
  der(level) = -m;
  if open then
    p1 = level;
    p2 = 0;
  else
    m = 0;
    m + 0*p2 = 0;
  end if;
  m + m^3 = p1 - p2;
  when time > 1.5 then
    closed = 1;
  end when;
  leak = if open then 0 else m;
  drop = if open then 0 else p1 - p2;
  // while open, (1 + 3 m^2) m' = -m
  error = if open then log(m) + 1.5*m^2 - (1.5 - (time - closed)) else 0;
end ClosedPipe;
