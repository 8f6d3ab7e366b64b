model ConnectVariables
  Real x, y;
equation
  connect(x, y);
  x = time;
end ConnectVariables;
