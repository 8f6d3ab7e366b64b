// Of x = -y = z one name stays: that with a fixed start value; the others get sign and start from it.
model WhichNameStays
  Real x, y(start = 2, fixed = true), z(stateSelect = StateSelect.avoid), u;
equation
  x + y = 0;
  z = x;
  der(y) = u;
  u = 3*z;
end WhichNameStays;
