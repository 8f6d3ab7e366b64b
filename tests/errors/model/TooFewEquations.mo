model TooFewEquations "Nothing determines y"
  Real x;
  Real y; // error S03: y
equation
  x = time;
end TooFewEquations;
