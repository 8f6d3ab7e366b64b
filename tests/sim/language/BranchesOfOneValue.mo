// simulate: --stop 2
// methods: dopri5 esdirk
// zero: error 1e-5
// moves: df 10
model BranchesOfOneValue "Branches that are equal for all time, where the relation needs no event"
  Real phi = if time < 1 then 0.3 else 0.3 + 15*(time - 1);
  Real c = cos(phi), s = sin(phi), df;
  Real x(start = 0, fixed = true);
  Real error = if time < 1 then df else df - 15;
equation
  if abs(c) > abs(s) then
    df = der(s)/c;
  else
    df = -der(c)/s;
  end if;
  der(x) = df - x;
end BranchesOfOneValue;
