// Nonlinear algebraic equations with exponentials of large arguments: a rectifier, a single diode
// whose current is known beforehand, and a row of nodes with a known solution
// simulate: --stop 0.1 --tolerance 1e-8
// methods: dopri5 ida cvode esdirk
// zero: balance 1e-9
// moves: rectifier.c.v 7
// agree: rectifier.c.v 1e-4
// zero: error 1e-10
// zero: row.error 1e-12
// moves: row.u[23] 0.5
connector Pin
  Real v;
  flow Real i;
end Pin;

partial model TwoPin
  Pin p, n;
  Real v, i;
  Real power = v*i;
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPin;

model Resistor
  extends TwoPin;
  parameter Real R = 100;
equation
  v = R*i;
end Resistor;

model Capacitor
  extends TwoPin;
  parameter Real C = 1e-3;
equation
  C*der(v) = i;
end Capacitor;

model Diode
  extends TwoPin;
  parameter Real Ids = 1e-6, Vt = 0.04, R = 1e8;
equation
  i = smooth(1, Ids*(if v/Vt > 40 then exp(40)*(1 + v/Vt - 40) else exp(v/Vt)) - Ids) + v/R;
end Diode;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model Source
  extends TwoPin;
equation
  v = 10*sin(314*time);
end Source;

model Rectifier
  Source source;
  Diode d[4];
  Capacitor c(v(start = 0, fixed = true));
  Resistor r;
  Ground ground;
equation
  connect(source.p, d[1].p);
  connect(source.p, d[3].n);
  connect(source.n, d[2].p);
  connect(source.n, d[4].n);
  connect(d[1].n, c.p);
  connect(d[2].n, c.p);
  connect(c.p, r.p);
  connect(d[3].p, c.n);
  connect(d[4].p, c.n);
  connect(c.n, r.n);
  connect(c.n, ground.p);
end Rectifier;

model Row "no equation can be solved for one of its unknowns"
  parameter Integer n = 45;
  Real u[n];
  Real exact[n] = {10*time*sin(3.14159*k/(n + 1)) for k in 1:n};
  Real error = max(abs(u - exact));
protected
  function demand "what the row demands of node k"
    input Real left, x, right;
    output Real y = exp(left/4) - 3*(x + x^3) + exp(right/4);
  end demand;
equation
  for k in 1:n loop
    demand(if k > 1 then u[max(k - 1, 1)] else 0, u[k], if k < n then u[min(k + 1, n)] else 0) =
      demand(if k > 1 then exact[max(k - 1, 1)] else 0, exact[k], if k < n then exact[min(k + 1, n)] else 0);
  end for;
end Row;

model Diodes
  Rectifier rectifier;
  Real balance = rectifier.source.power + sum(rectifier.d.power) + rectifier.c.power + rectifier.r.power;
  // the current that flows, the voltage that it needs over diode and resistor, the current found
  Real known = 1 + sin(200*time), voltage = 50*known + 0.04*log(1 + known/1e-6);
  Real found, drop;
  Real error = found - known;
  Row row;
equation
  found = 1e-6*(exp(drop/0.04) - 1);
  voltage = 50*found + drop;
end Diodes;
