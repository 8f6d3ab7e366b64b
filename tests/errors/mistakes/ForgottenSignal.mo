model ForgottenSignal "nothing is connected to the input of the source"
  Parts.VoltageBySignal src;
  Parts.Resistor r;
  Parts.Ground g;
  Parts.Out sine = sin(time);
equation
  connect(src.p, r.p);
  connect(src.n, g.p);
  connect(r.n, g.p);
end ForgottenSignal;
