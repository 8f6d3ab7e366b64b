model NoSuchPin
  Parts.Resistor r;
  Parts.Ground g;
equation
  connect(r.p, g.p);
  connect(r.n, g.pin);
end NoSuchPin;
