function ReturnValue
  input Real u;
  output Real y;
algorithm
  return 2*u;
end ReturnValue;
