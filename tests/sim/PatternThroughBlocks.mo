// simulate: --stop 2 --tolerance 1e-8 --jacobian coloured
// methods: ida cvode esdirk
// zero: error 1e-5
// moves: x[1] 0.1
model PatternThroughBlocks "Each derivative comes out of a nonlinear equation of its own"
  parameter Integer n = 60;
  Real x[n](start = {1 + k/n for k in 1:n}, each fixed = true);
  Real r[n](each start = -1);
  // x' = r with r + r^3 = -x - x^3: r = -x
  Real error = sqrt(sum((x[k] - (1 + k/n)*exp(-time))^2 for k in 1:n));
equation
  for k in 1:n loop
    der(x[k]) = r[k];
    r[k] + r[k]^3 = -x[k] - x[k]^3;
  end for;
end PatternThroughBlocks;
