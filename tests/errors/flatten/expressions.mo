model Expressions
  Real x, u[3], A[2, 3];
  Integer k;
  Boolean b;
  Real e1 = u + {1, 2}; // error T02: Real[3] + Integer[2]
  Real e2[3] = A*A; // error T02: Real[2, 3] * Real[2, 3]
  Real e3 = true*2; // error T01: Boolean and Integer
  Real e4 = u[4]; // error T05: 4 is outside 1 .. 3
  Real e5 = u[x]; // error T06: Real
  Real e6[2] = {1, {2}}; // error T10: Integer and Integer[1]
  Real e7 = if x then 1 else 2; // error T03: Boolean
  Real e8[3] = if x > 0 then u else {1}; // error T02: Real[3] and Real[1]
  Real e9 = 1/0; // error T14: zero
  Real e10 = sqrt(-2); // error T19: sqrt(-2)
  Real e11[k] = u; // error T11: 'k'
  Real e12 = sum(1:k); // error T11: 'k'
  Real e13 = sin(b); // error T08: Boolean
  Real e14 = delay(x, x); // error T20: longest delay
  Real e15 = missing(x); // error N20: missing
end Expressions;
