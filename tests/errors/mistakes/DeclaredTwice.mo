model DeclaredTwice
  Parts.Ground g;
  Parts.Resistor r;
  Parts.Resistor r;
equation
  connect(r.p, g.p);
end DeclaredTwice;
