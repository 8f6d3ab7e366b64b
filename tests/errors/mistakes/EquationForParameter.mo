model EquationForParameter
  parameter Real p = 1;
  Real x;
equation
  p = 3;
  x = p*time;
end EquationForParameter;
