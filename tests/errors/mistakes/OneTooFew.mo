model OneTooFew
  Real x, y, z;
equation
  x + y = time;
  x - y + z = 1;
end OneTooFew;
