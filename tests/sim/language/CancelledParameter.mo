// A value in which a variable cancels that follows from parameters, and whose bit in the pool's sets
// of leaves is that of another
// simulate: --stop 1 --interval 0.1
// zero: error 1e-14
// moves: a5 0.3
model CancelledParameter
  parameter Real p0 = 0;
  parameter Real p2 = 0.5;
  parameter Boolean b = true;
  Real s = sin(time);
  Real a0 = if b then s else 2*s;
  Real a3 = if b then p0 else p2;
  Real a5 = a3 - 2 - (a0 + a3);
  Real error = abs(a5 + 2 + s) + abs(a3);
end CancelledParameter;
