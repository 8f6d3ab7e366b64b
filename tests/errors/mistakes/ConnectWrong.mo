model ConnectWrong
  Parts.Resistor r;
  Parts.VoltageBySignal v;
equation
  connect(r.p, v.u);
end ConnectWrong;
