model VariableOfComponentParameter
  Real x = time;
  Parts.Resistor r(R = x);
  Parts.Voltage src;
  Parts.Ground g;
equation
  connect(src.p, r.p);
  connect(src.n, g.p);
  connect(r.n, g.p);
end VariableOfComponentParameter;
