// What the structure depends on, is final or has Evaluate = true cannot be set any more; numbers
// stand in its place.
model Evaluate
  parameter Integer n = 2;
  parameter Real k = 3 annotation(Evaluate = true);
  parameter Real free = 4;
  final parameter Real half = free/2;
  final parameter Real same = free;
  final parameter Real r[3] = {free, 0, -free};
  constant Real c = 6;
  Real x[n] = fill(k, n);
  Real y = half + same + c + r*{1, 2, 3};
end Evaluate;
