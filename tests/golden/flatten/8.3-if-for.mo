// Structural conditions choose a branch; others become if-expressions. for expands.
model IfFor
  parameter Boolean fast = true;
  parameter Integer n = 3;
  Real x[n];
  Real y;
  Real z(start = 1);
  Real w;
  parameter Real free(fixed = false);
initial equation
  free = 2*z;
equation
  if fast then
    y = 1;
  else
    y = 2;
    w = 3;
  end if;
  for i in 1:n, j in 1:1 loop
    x[i] = i*time + j;
  end for;
  if time > 1 then
    der(z) = 1;
    w = y;
  elseif z > 3 then
    der(z) = 2;
    w = 2*y;
  else
    der(z) = 3;
    y = w;
  end if;
  assert(z > 0, "z is " + String(z));
end IfFor;
