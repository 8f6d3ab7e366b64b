// simulate: --stop 2 --tolerance 1e-9
// methods: ida ida-residual
// agree: x[30] 1e-6
// agree: T[30] 1e-6
// moves: x[30] 0.001
// moves: T[30] 0.001
model ResidualOfManyStates "A residual form whose matrix is sparse: masses on springs and the heat of their friction"
  parameter Integer n = 60;
  Real x[n](each start = 0, each fixed = true);
  Real v[n](start = {if i == 31 then 1 else 0 for i in 1:n}, each fixed = true);
  Real T[n](each start = 0, each fixed = true);
  Real f[n + 1], q[n + 1];
equation
  f[1] = x[1] + v[1];
  f[n + 1] = 0;
  q[1] = 0;
  q[n + 1] = 0;
  for i in 2:n loop
    f[i] = 20*(x[i] - x[i - 1]) + 0.1*(x[i] - x[i - 1])^3 + 0.2*(v[i] - v[i - 1]);
    q[i] = 30*(T[i - 1] - T[i]);
  end for;
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = f[i + 1] - f[i];
    der(T[i]) = q[i] - q[i + 1] + 0.2*v[i]^2;
  end for;
end ResidualOfManyStates;
