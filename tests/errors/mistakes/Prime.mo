model Prime
  Real x(start = 1, fixed = true);
equation
  x' = -x;
end Prime;
