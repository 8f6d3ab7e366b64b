model NoGround "a circuit without a ground"
  Parts.Voltage src;
  Parts.Resistor r;
  Parts.Capacitor c;
equation
  connect(src.p, r.p);
  connect(r.n, c.p);
  connect(c.n, src.n);
end NoGround;
