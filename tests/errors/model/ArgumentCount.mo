model ArgumentCount "sin takes one argument"
  Real x = sin(time, 2); // error T07: sin
end ArgumentCount;
