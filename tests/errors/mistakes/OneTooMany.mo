model OneTooMany
  Real x, y;
equation
  x + y = time;
  x - y = 1;
  y = 3;
end OneTooMany;
