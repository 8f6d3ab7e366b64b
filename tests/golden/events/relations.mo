// A relation of continuous variables is memory that events change; noEvent leaves it as it is, and
// a relation of parameters cannot change.
model Relations
  parameter Real limit = 0.5;
  Real x(start = 1, fixed = true), y, z, w;
equation
  der(x) = -x;
  y = if x < limit then 1 else 2;
  z = noEvent(if x < limit then 1 else 2);
  w = if limit < 1 then x else -x;
end Relations;
