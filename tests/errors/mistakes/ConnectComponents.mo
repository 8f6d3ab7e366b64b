model ConnectComponents
  Parts.Voltage src;
  Parts.Resistor r;
  Parts.Ground g;
equation
  connect(src, r);
  connect(r.n, g.p);
  connect(src.n, g.p);
end ConnectComponents;
