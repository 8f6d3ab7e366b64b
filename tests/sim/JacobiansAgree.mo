// simulate: --stop 2 --tolerance 1e-9 --jacobian coloured
// methods: cvode ida ida-residual dopri5 esdirk
// agree: x[3] 1e-6
// agree: v[8] 1e-6
// moves: x[3] 0.05
model JacobiansAgree "Implicit methods with coloured differences on a sparse model"
  parameter Integer n = 8;
  Real x[n](each start = 0, each fixed = true);
  Real v[n](start = {if i == 1 then 1 else 0 for i in 1:n}, each fixed = true);
  Real f[n + 1];
equation
  f[1] = x[1] + 0.1*x[1]^3 + 0.2*v[1];
  for i in 2:n loop
    f[i] = (x[i] - x[i - 1]) + 0.1*(x[i] - x[i - 1])^3 + 0.2*(v[i] - v[i - 1]);
  end for;
  f[n + 1] = -x[n] - 0.1*x[n]^3;
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = f[i + 1] - f[i];
  end for;
end JacobiansAgree;
