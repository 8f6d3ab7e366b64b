model ParameterThatVaries
  Real x(start = 1, fixed = true);
  parameter Real p = 2*x;
equation
  der(x) = -p;
end ParameterThatVaries;
