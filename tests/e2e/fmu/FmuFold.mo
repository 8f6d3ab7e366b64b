model FmuFold "the solution that the run follows ends at time = 0.5 + 2/sqrt(27)"
  output Real y(start = 1.3);
  output Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  y^3 - y = 0.5 - time;
end FmuFold;
