model EqualsEquals
  Real x;
equation
  x == 1;
end EqualsEquals;
