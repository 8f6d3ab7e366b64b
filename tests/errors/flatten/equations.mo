model Equations
  Real x[3];
  Real y;
  Boolean b;
  record R
    Real a;
  end R;
  R r;
  parameter Integer n = 2;
equation
  x = {1, 2}; // error T32: differ in size
  y = b; // error T30: Real and Boolean
  r = y; // error T30: an equation between
  if y > 1 then // error F05: have 1 and 0 equations
    y = 2;
  end if;
  for i in 1:4 loop
    x[i] = 1; // error T05: subscript 4
  end for;
  when y > 1 then
    2*y = 3; // error F05: a variable on its left side
  end when;
  reinit(y, 1); // error F05: when-clause
  if n then // error T31: Boolean
    b = true;
  end if;
algorithm
  y := 1;
end Equations;
