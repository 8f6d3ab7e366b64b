model WhileEquation
  Real x;
equation
  while x < 3 loop
    x = x + 1;
  end while;
end WhileEquation;
