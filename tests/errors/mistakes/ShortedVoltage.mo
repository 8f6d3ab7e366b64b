model ShortedVoltage "both ends of the source in one node"
  Parts.Voltage src;
  Parts.Resistor r;
  Parts.Ground g;
equation
  connect(src.p, r.p);
  connect(src.n, r.p);
  connect(r.n, g.p);
end ShortedVoltage;
