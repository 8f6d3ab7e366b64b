model Singular "As many equations as unknowns, but x is determined twice and z not at all"
  Real x;
  Real y;
  Real z;
equation
  x = 1;
  y + x = 2;
  y - x = 0; // error S02: x
end Singular;
