model AssignedInEquation
  Real x;
equation
  x := 3;
end AssignedInEquation;
