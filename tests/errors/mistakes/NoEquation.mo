model NoEquation
  Real x;
equation
  x - 2*time;
end NoEquation;
