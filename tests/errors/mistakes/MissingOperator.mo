model MissingOperator
  Real x = 2 time;
end MissingOperator;
