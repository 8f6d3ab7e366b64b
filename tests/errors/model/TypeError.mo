model TypeError "Boolean and Real do not mix"
  Real x;
  Boolean b = true;
equation
  x = 1 + b; // error T01: Boolean
end TypeError;
