model StartWithoutParentheses
  Real x start = 1;
equation
  der(x) = -x;
end StartWithoutParentheses;
