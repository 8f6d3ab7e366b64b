// x + y = 1 leaves one state: y is preferred, x avoided.
model Priorities
  Real x(stateSelect = StateSelect.avoid), y(stateSelect = StateSelect.prefer), f;
equation
  der(x) = f;
  der(y) = -2*y;
  x + y = 1;
end Priorities;
