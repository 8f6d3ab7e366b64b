model TooManyEquations "h is given twice"
  Real h;
  Real q = 2;
equation
  der(h) = q;
  h = 0.3;
  h = 0.4; // error S02: h
end TooManyEquations;
