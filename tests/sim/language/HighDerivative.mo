// A state differentiated 29 times, and as often inside of a nonlinear equation
// simulate: --stop 1 --tolerance 1e-9
// methods: dopri5 esdirk
// zero: error[1] 1e-7
// zero: error[2] 1e-6
// moves: x 0.5
model HighDerivative
  constant Integer n = 30, m = 6;
  Real x(start = 1, fixed = true), y[n], z[m], error[2];
equation
  der(x) = -x;
  y[1] = x;
  for i in 2:n loop
    y[i] = der(y[i - 1]);
  end for;
  z[1]^3 = x^3;
  for i in 2:m loop
    z[i] = der(z[i - 1]);
  end for;
  error = {y[n] + exp(-time), z[m] + exp(-time)};
end HighDerivative;
