model TwoVoltages "two sources of voltage in parallel"
  Parts.Voltage a(V = 1);
  Parts.Voltage b(V = 2);
  Parts.Resistor r;
  Parts.Ground g;
equation
  connect(a.p, r.p);
  connect(b.p, r.p);
  connect(a.n, g.p);
  connect(b.n, g.p);
  connect(r.n, g.p);
end TwoVoltages;
