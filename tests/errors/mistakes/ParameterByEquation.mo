model ParameterByEquation
  parameter Real p "Without a value";
  Real x;
equation
  p = 3;
  x = p*time;
end ParameterByEquation;
