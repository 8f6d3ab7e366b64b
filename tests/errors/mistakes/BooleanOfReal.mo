model BooleanOfReal
  Real x = time;
  Boolean b = x;
end BooleanOfReal;
