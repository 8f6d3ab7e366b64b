model TwoLoops "two algebraic loops, one after the other"
  Real s(start = 1);
  Real x, y, u, w;
equation
  der(s) = -s;
  x + 2*y = s;
  x - y = 1;
  u*x + w = s;
  u - 3*w = y;
end TwoLoops;
