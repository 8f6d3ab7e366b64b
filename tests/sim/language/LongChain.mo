// A state behind long chains of multiples, constant and not: each variable is eliminated by the one before it
// simulate: --stop 1 --tolerance 1e-9
// methods: dopri5 esdirk ida
// zero: error 1e-7
// agree: y 1e-7
// moves: x 0.5
// moves: y 0.01
model LongChain
  constant Integer n = 300;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), v[n], w[n], error;
equation
  v[1] = 2*x;
  w[1] = y;
  for i in 2:n loop
    v[i] = v[i - 1]*(if mod(i, 2) == 0 then 5/4 else 4/5);
    w[i] = sin(w[i - 1]);
  end for;
  der(x) = -v[n]/2.5;
  der(y) = -w[n];
  error = x - exp(-time);
end LongChain;
