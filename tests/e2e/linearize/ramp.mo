model Ramp "goes on for ever"
  Real x, y;
equation
  der(x) = 1 - y;
  der(y) = -y;
end Ramp;
