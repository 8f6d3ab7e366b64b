// MLS 12.4.1: sizes from a record that a function returns, of which an external function computes others
// model: SizesOfResults.Machine
// simulate: --stop 1 --tolerance 1e-9
// zero: error[1] 1e-9
// zero: error[2] 1e-9
// zero: error[3] 1e-9
package SizesOfResults
  function distance
    input Real a, b;
    output Real c;
  external "C" c = hypot(a, b);
    annotation(Include = "#include <math.h>");
  end distance;
  record Data
    parameter Integer n = 2;
    Real leg[n] = fill(3, n);
  end Data;
  record Coefficients
    parameter Integer n;
    Real long[n];
    Real square[n, n];
    Real total;
  end Coefficients;
  function coefficients
    input Data p;
    input Integer scale = 1;
    output Coefficients c(n = p.n);
  protected
    parameter Real half = 0.5;
    Real both[p.n + 1];
  algorithm
    for i in 1:p.n loop
      both[i] := distance(p.leg[i], 4*p.leg[i]/3);
    end for;
    both[p.n + 1] := 1;
    c.long := scale*both[1:p.n];
    c.square := diagonal(both[1:p.n]);
    c.total := half*sum(c.long);
  end coefficients;
  model Machine
    final parameter Data data(n = 3, leg = {3, 6, 9});
    final parameter Coefficients c = coefficients(data, 2);
    parameter Real square[c.n, c.n] = c.square;
    Real x[c.n](each start = 0, each fixed = true);
    Real error[c.n];
  equation
    der(x) = square*c.long*c.total;
    // long = 2*{5, 10, 15}, total = 30
    error = x - {50, 200, 450}*30*time;
  end Machine;
end SizesOfResults;
