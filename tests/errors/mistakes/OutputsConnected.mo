model OutputsConnected
  Parts.Out a = 1, b = 2;
  Parts.In c;
equation
  connect(a, b);
end OutputsConnected;
