// Balanced in numbers (MLS 4.8) and singular all the same: y occurs nowhere.
model OneEquationTwice
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  x*x + der(x) = 2*time;
end OneEquationTwice;
