model MissingParameterValue
  parameter Integer n;
  Real x[n] = ones(n);
end MissingParameterValue;
