// simulate: --stop 1
// zero: error 1e-14
// moves: x 0.5
model GuardedDivision "Divisions that relations guard; before these are known, what they guard is 1e14 times too large"
  constant Real eps = 1e-14;
  Real n = 1, m = 2, x(start = 0, fixed = true);
  Real length = sqrt(n*n + m*m), e = if eps <= length then n/length else n/eps;
  Real part = if 1e-6 < abs(e) then (if 1e-6 < abs(e*m) then e else 0) else 0;
  Real part_length = sqrt(part*part), unit = if eps <= part_length then part/part_length else part/eps;
  Real error = unit - 1;
equation
  der(x) = unit;
end GuardedDivision;
