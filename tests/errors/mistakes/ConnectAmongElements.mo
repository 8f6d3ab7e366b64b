model ConnectAmongElements
  Parts.Resistor r;
  Parts.Ground g;
  connect(r.p, g.p);
end ConnectAmongElements;
