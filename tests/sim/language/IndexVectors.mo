// MLS 10.5: index vectors that vary; 11.2.2.1: ranges left out over Boolean and enumeration dimensions.
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
// zero: error[7] 1e-12
// zero: error[8] 1e-12
// zero: error[9] 1e-12
model IndexVectors
  type E = enumeration(low, middle, high);
  record R
    Real p;
    Real q[2];
  end R;
  function picked
    input Real a[:];
    input Integer k[:];
    output Real y[size(k, 1)];
  algorithm
    y := a[k];
  end picked;
  Real a[4] = {time, 2, 3, 4};
  Real A[2, 3] = {{time, 2, 3}, {4, 5*time, 6}};
  R r[3] = {R(i, {i*time, 2*i}) for i in 1:3};
  Integer i = if time > 0.3 then 1 else 2;
  Integer k[2] = if time > 0.5 then {1, 2} else {3, 2};
  Real y[2] = a[k];
  Real row[2] = A[i, k];
  Real columns[2, 2] = A[:, k];
  R s[2] = r[k];
  Real q[2, 2] = r[k].q;
  Real z[2] = picked(a, k);
  Real w[2];
  Real b[Boolean], e[E], g[E];
  Real error[9];
algorithm
  w := a[k] + {1, 1};
  for n loop
    g[n] := if n == E.high then time else 2;
  end for;
equation
  for n loop
    b[n] = if n then time else 2;
  end for;
  for n loop
    e[n] = if n == E.middle then time else 2;
  end for;
  error[1] = if time > 0.5 then y[1] - time else y[1] - 3;
  error[2] = sum(abs(row[j] - A[i, k[j]]) for j in 1:2);
  error[3] = sum(abs(columns[m, j] - A[m, k[j]]) for j in 1:2, m in 1:2);
  error[4] = sum(abs(s[j].p - k[j]) + abs(s[j].q[1] - k[j]*time) for j in 1:2);
  error[5] = sum(abs(q[j, 2] - 2*k[j]) for j in 1:2);
  error[6] = sum(abs(z[j] - y[j]) + abs(w[j] - 1 - y[j]) for j in 1:2);
  error[7] = b[true] - time + b[false] - 2;
  error[8] = e[E.low] - 2 + e[E.middle] - time + e[E.high] - 2;
  error[9] = sum(g[n] for n) - 4 - time;
end IndexVectors;
