model StartAsEquation
  Real x;
equation
  x.start = 1;
  der(x) = -x;
end StartAsEquation;
