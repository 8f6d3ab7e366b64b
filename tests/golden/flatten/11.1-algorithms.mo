model Algorithms "MLS 11.1: an algorithm section is one assignment to each variable it assigns"
  record Pair
    Real a;
    Real b;
  end Pair;
  parameter Integer n = 3;
  Real x(start = 2), y, z[3], w(start = 5), v[2];
  Integer k;
  Pair r;
algorithm
  y := x*2;
  for i in 1:n loop
    z[i] := y*i;
    y := y + 1;
  end for;
  // where nothing is assigned, the start value stays
  if x > 0 then
    w := 1;
    r.a := x;
  else
    r.a := -x;
  end if;
  k := if x > 1 then 2 else 3;
  r.b := z[k];
  v[2] := y;
equation
  der(x) = -x;
  v[1] = 0;
end Algorithms;
