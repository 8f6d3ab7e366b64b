// MLS 8.3.2, 8.3.4: for and if in equations, nested, over ranges and over sizes
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
model ForAndIfEquations
  parameter Integer n = 4;
  parameter Boolean even = true;
  Real x[n, n];
  Real y[3];
  Real z;
  Real error[3];
equation
  for i in 1:n, j in 1:n loop
    if i == j then
      x[i, j] = time;
    elseif i > j then
      x[i, j] = i - j;
    else
      x[i, j] = 0;
    end if;
  end for;
  for k in {3, 1, 2} loop
    y[k] = 10*k;
  end for;
  if even then
    z = 1;
  else
    z = 2;
    z = 3;
  end if;
  error[1] = sum(x[i, i] for i in 1:n) - 4*time;
  error[2] = sum(x) - 4*time - 10;
  error[3] = y[1] + y[2]/2 - y[3]/1.5 + z - 1;
end ForAndIfEquations;
