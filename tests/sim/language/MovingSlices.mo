// MLS 10.5, 11.2: slices that begin at an index that varies, read and assigned, in models and in
// functions that stay calls, against the elements one by one.
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
model MovingSlices
  function swapped "rows, n times"
    input Integer n;
    input Real A[4, 2];
    output Real B[4, 2];
  algorithm
    B := A;
    for i in 1:n loop
      B[i:i + 1, :] := {A[i + 1, :], A[i, :]} + fill(i, 2, 2);
      B[2, {i, 3 - i}] := B[2, {3 - i, i}];
    end for;
  end swapped;
  function one_by_one
    input Integer n;
    input Real A[4, 2];
    output Real B[4, 2];
  protected
    Real c;
  algorithm
    B := A;
    for i in 1:n loop
      for j in 1:2 loop
        B[i, j] := A[i + 1, j] + i;
        B[i + 1, j] := A[i, j] + i;
      end for;
      c := B[2, 1];
      B[2, 1] := B[2, 2];
      B[2, 2] := c;
    end for;
  end one_by_one;
  Real a[6] = {time, 2*time, 3, 4, 5*time, 6};
  Integer i = if time > 0.5 then 1 else 3;
  Integer n(start = 1, fixed = true);
  Real y[3] = a[i:i + 2];
  Real down[2] = a[i + 3:-2:i + 1];
  Real b[6];
  Real A[4, 2] = {{time, 2}, {3, 4*time}, {5, 6}, {7*time, 8}};
  Real error[5];
algorithm
  b := zeros(6);
  b[i:i + 1] := {time, 2};
  b[{i + 3, i + 2}] := a[i:i + 1];
equation
  when time > 0.4 then
    n = 2;
  end when;
  error[1] = sum(abs(y[k] - a[i + k - 1]) for k in 1:3);
  error[2] = abs(down[1] - a[i + 3]) + abs(down[2] - a[i + 1]);
  error[3] = abs(b[i] - time) + abs(b[i + 1] - 2) + abs(b[i + 3] - a[i]) + abs(b[i + 2] - a[i + 1]);
  error[4] = sum(abs(swapped(n, A) - one_by_one(n, A)));
  error[5] = sum(b) - time - 2 - a[i] - a[i + 1];
end MovingSlices;
