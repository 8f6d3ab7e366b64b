model TooFewEquations "Nothing determines y"
  Real x;
  Real y; // error: y
equation
  x = time;
end TooFewEquations;
