model Structure
  parameter Integer n;
  parameter Integer m = 2;
  Real x[n]; // error N14: which has none
  Real y[m - 3] = zeros(2); // error T13: cannot have -1 elements
  Real z[:]; // error T33: nothing is bound
  Real w = 1 if time > 1; // error T11: must be known
  Real v = 1 if m; // error T31: Boolean
  model Endless
    Endless e; // error F04: contains itself
  end Endless;
  Endless e;
  outer Real g; // error N08: inner
  Real u = absent; // error N15: absent
  Real absent = 1 if m > 2;
end Structure;
