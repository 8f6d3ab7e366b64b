// Each derivative depends on all 600 states, so that their matrix has no pattern: an explicit method
// begins, finds the model stiff and leaves it to an implicit one. Exactly: the mean is exp(-time), all
// others are at it after 1e-4 s.
// simulate: --stop 0.2 --interval 0.02
// ends: x[1] 0.8187307530779818 1e-5
// ends: x[600] 0.8187307530779818 1e-5
// zero: off 1e-4
model StiffWithoutPattern "600 states, all drawn to their mean"
  parameter Integer n = 600;
  Real x[n](start = {1 + 1e-4*sin(k) for k in 1:n}, each fixed = true);
  parameter Real first = sum(1 + 1e-4*sin(k) for k in 1:n)/n;
  Real m = sum(x)/n;
  Real off = x[2] - first*exp(-time);
equation
  for k in 1:n loop
    der(x[k]) = -1e5*(x[k] - m) - m;
  end for;
end StiffWithoutPattern;
