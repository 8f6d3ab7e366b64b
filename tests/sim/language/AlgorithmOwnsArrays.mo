// MLS 11.1.2: elements of arrays that a section does not assign keep their start or pre value, and so do
// components of records that it assigns only where it is never reached
// simulate: --stop 1 --tolerance 1e-9
// zero: error 1e-12
// ends: x[2] 2 0
// ends: x[3] 3 0
// ends: n[1] 3 0
// ends: n[2] 5 0
// ends: unreached 8 0
// ends: shared[2] 3 1e-12
// ends: split[2] 2 1e-12
// ends: r.x 3 1e-12
// ends: r.y 1 1e-12
// ends: r.a[1] 1 1e-12
// ends: r.a[2] 7 1e-12
// ends: r.core.n 9 1e-12
// ends: r.given 4 1e-12
// ends: whole.core.n 6 1e-12
model AlgorithmOwnsArrays
  record Core
    Integer n(start = 9);
  end Core;
  record R
    Real x(start = 3), y, a[2](start = {7, 7}), given;
    Core core;
  end R;
  R r;
  R whole(core(n(start = 6)));
  Real x[3](start = {1, 2, 3});
  Real y = x[2];
  Integer n[2](start = {4, 5});
  Real unreached(start = 8);
  Real shared[2], split[2];
  Real error = y + x[1] - 2 - time;
algorithm
  x[1] := time;
  if false then
    unreached := 1;
  end if;
algorithm
  if false then
    r.x := time;
    r.core.n := 1;
    whole.y := 2;
    whole := r;
  end if;
  r.y := time;
  r.a[1] := time;
algorithm
  when time > 0.5 then
    n[1] := 3;
  end when;
algorithm // the other elements are given elsewhere: accepted, though twice determined
  shared[1] := time;
algorithm
  split[1] := time;
algorithm
  split[2] := 2*time;
equation
  shared[2] = 3*time;
  r.given = 4*time;
end AlgorithmOwnsArrays;
