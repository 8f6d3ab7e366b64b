model InitialInEquations
  Real x;
initial equation
  x = 1;
  der(x) = -x;
end InitialInEquations;
