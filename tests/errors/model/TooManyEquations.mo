model TooManyEquations "h is given twice"
  Real h;
  Real q = 2;
equation
  der(h) = q; // error S01: 2
  h = 0.3;
  h = 0.4; // error S01: 0.4
end TooManyEquations;
