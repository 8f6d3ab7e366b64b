model IntegerOfReal
  Real x(start = 0, fixed = true);
  Integer n;
equation
  der(x) = 1;
  n = x*10;
end IntegerOfReal;
