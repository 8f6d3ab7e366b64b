model UnknownParameter
  Parts.Resistor r(r = 5);
  Parts.Ground g;
equation
  connect(r.p, g.p);
  connect(r.n, g.p);
end UnknownParameter;
