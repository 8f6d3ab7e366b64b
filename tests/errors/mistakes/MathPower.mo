model MathPower
  Real x = pow(2, 3);
end MathPower;
