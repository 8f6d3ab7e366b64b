model ByHand "an equation of the modeller's too many"
  Parts.Voltage src;
  Parts.Resistor r;
  Parts.Ground g;
equation
  connect(src.p, r.p);
  connect(src.n, g.p);
  connect(r.n, g.p);
  r.v = 5;
end ByHand;
