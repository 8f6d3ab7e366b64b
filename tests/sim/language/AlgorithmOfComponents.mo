// MLS 11.2.1: an algorithm section assigns to inputs of components, in loops and when-clauses too
// simulate: --stop 1 --tolerance 1e-9
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// ends: valve.gain 5 1e-12
// ends: row[2].n 2 1e-12
model AlgorithmOfComponents
  connector Input = input Real;
  model Valve
    Input u;
    input Real gain = 1;
    input Integer n(start = 0);
    Real y;
    function twice
      input Real x;
      output Real y = 2*x;
    algorithm
    end twice;
  equation
    y = gain*u + n;
  end Valve;
  model Pair
    Input u;
    Valve first(gain = 3);
    Real y = first.y + u;
  algorithm
    first.u := u;
    first.n := 0;
  end Pair;
  Valve valve(gain = 5);
  Valve row[3];
  Pair pair;
  Real error[3];
algorithm
  valve.u := time;
  valve.n := 0;
  when time > 0.5 then
    for i in 1:3 loop
      row[i].n := i;
    end for;
  end when;
  for i in 1:3 loop
    row[i].u := i*valve.u;
  end for;
  pair.u := valve.twice(row[2].u) + row[3].u;
equation
  error[1] = valve.y - 5*time;
  error[2] = sum(row.y) - 6*time - (if time > 0.5 then 6 else 0);
  error[3] = pair.y - 4*7*time;
end AlgorithmOfComponents;
