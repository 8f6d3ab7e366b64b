// Sixteen links between points, written as equations: no static choice of states lasts, and all
// constraints are closed by their forces without anything being asked for.
// simulate: --tolerance 1e-8 --stop 3 --interval 0.1
// methods: esdirk dopri5 ida
// constant: E 1e-6
// agree: E 2e-6
// agree: r[12,2] 1e-5
// moves: r[12,2] 0.4
// zero: norm(phi) 1e-7
model LinksAsEquations "Points and links without connectors, two degrees of freedom"
  constant Integer n = 9, m = 16;
  constant Integer from[m] = {1,4,4,2,5,6,6,3,7,8,8,9,9,10,10,11}, to[m] = {4,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12};
  parameter Real L[m] = {0.5, 0.632455532033676, 0.98488578017961, 0.728010988928052, 0.707106781186548,
    0.728010988928052, 1.00498756211209, 1.00498756211209, 0.921954445729289, 0.854400374531753, 0.761577310586391,
    1.11803398874989, 0.806225774829855, 0.948683298050514, 0.894427190999916, 0.707106781186547};
  Real r[n+3, 2](start = {{0, 0}, {1, 0.1}, {2.1, -0.1}, {0.3, 0.4}, {0.5, 1}, {1.2, 0.8}, {1, 1.5}, {2.2, 0.9},
    {1.9, 1.7}, {2.9, 1.2}, {2.6, 2.1}, {3.3, 2}}), v[n, 2], F[m], f[n+3, 2];
  Real E = sum(0.5*(v[i, :]*v[i, :]) + 9.81*r[i+3, 2] for i in 1:n);
initial equation
  r[4, 1] = 0.3;
  r[5, 1] = 0.5;
  v[1, 1] = 0.1;
  v[2, 1] = 0;
equation
  r[1, :] = {0, 0};
  r[2, :] = {1, 0.1};
  r[3, :] = {2.1, -0.1};
  for i in 1:n loop
    der(r[i+3, :]) = v[i, :];
    der(v[i, :]) = f[i+3, :] + {0, -9.81};
  end for;
  for k in 1:m loop
    (r[to[k], :] - r[from[k], :])*(r[to[k], :] - r[from[k], :]) = L[k]^2;
  end for;
  for i in 1:n+3 loop
    f[i, :] = {sum((if from[k] == i then F[k]*(r[to[k], d] - r[from[k], d]) elseif to[k] == i then -F[k]*(r[to[k],
    d] - r[from[k], d]) else 0) for k in 1:m) for d in 1:2};
  end for;
end LinksAsEquations;
