// Two exponentials of unknowns that follow from those left after tearing by factors of 1e5: they overflow at
// every guess but the solution, so that the start is found with all equations of the block alone.
// simulate: --stop 0.03 --interval 0.0005
// moves: u[1] 1.5
// zero: sum 1e-9
model JunctionsAtStart "diodes of both kinds between three points"
  Real s[2], i[2], v[2], e[2](each start = 0), current[2], u[3], source = 5*sin(314*time);
  Boolean off[2](each start = true);
  Real sum = (source - u[1])/5 - u[1]/1000 - u[2]/1e5 - u[3]/1000 "of all currents to ground";
equation
  for k in 1:2 loop
    off[k] = s[k] < 0;
    v[k] = s[k]*(if off[k] then 1 else 1e-5) + (if k == 1 then 0.7 else 0);
    i[k] = s[k]*(if off[k] then 1e-5 else 1) + (if k == 1 then 7e-6 else 0);
    current[k] = 1e-6*(exp(e[k]/0.04) - 1) + e[k]*1e-8;
  end for;
  v = {u[1] - u[2], u[2] - u[3] - 5*i[2]};
  e = {u[1] - u[2], u[1] - u[3] - 50*current[2]};
  (source - u[1])/5 - u[1]/1000 - i[1] - current[1] - current[2] = 0;
  i[1] + current[1] - i[2] - u[2]/1e5 = 0;
  i[2] + current[2] - u[3]/1000 = 0;
end JunctionsAtStart;
