// simulate: --stop 3 --tolerance 1e-8
// zero: error 1e-6
// moves: x[200] 0.9
model Cascade "First-order systems in series: a pulse that travels, sharper the more there are"
  parameter Integer n = 200;
  parameter Real T = 1/n;
  Real x[n](each start = 0, each fixed = true);
  Real error = abs(x[1] - 1 + exp(-time/T)) + abs(x[2] - 1 + (1 + time/T)*exp(-time/T));
equation
  for k in 1:n loop
    T*der(x[k]) = (if k == 1 then 1 else x[k - 1]) - x[k];
  end for;
end Cascade;
