model FmuValues "has no value where the root has none, or is not whole"
  parameter Real p = 1;
  parameter Real q = 1/p;
  Real x(start = 1, fixed = true);
  output Real y = sqrt(x + 0.5);
equation
  der(x) = -q;
end FmuValues;
