model Dependent "u + w is x/a and v: two states that depend on each other, which structure alone does not show"
  parameter Real a = 3;
  Real x(start = 1), v(start = 0, fixed = true) "x = a*v";
  Real u, w, f, g;
equation
  der(x) = f;
  der(v) = g;
  a*u + a*w = x;
  u + w = v;
  f + g = 1;
  u - w = f;
end Dependent;
