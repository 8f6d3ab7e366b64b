model VectorInBrackets
  parameter Real gravity[3] = [0, 0, -9.81];
  Real x[2];
equation
  x = [time; 2];
end VectorInBrackets;
