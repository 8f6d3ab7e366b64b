model PreOfContinuous
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = pre(x); // error T20: needs a discrete variable
end PreOfContinuous;
