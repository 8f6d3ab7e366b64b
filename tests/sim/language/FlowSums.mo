// MLS 9.2: flows of a connection set sum to zero; outside connectors count with the other sign
// simulate: --stop 2 --tolerance 1e-9
// zero: error[1] 1e-6
// zero: error[2] 1e-6
// zero: error[3] 1e-12
model FlowSums
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  partial model TwoPin
    Pin p;
    Pin n;
    Real v = p.v - n.v;
    Real i = p.i;
  equation
    p.i + n.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R = 1;
  equation
    v = R*i;
  end Resistor;
  model Capacitor
    extends TwoPin(v(start = 0, fixed = true));
    parameter Real C = 1;
  equation
    C*der(v) = i;
  end Capacitor;
  model Battery
    extends TwoPin;
    parameter Real U = 1;
  equation
    v = U;
  end Battery;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Filter "a two-port built of two levels"
    Pin left;
    Pin right;
    Pin earth;
    Resistor r;
    Capacitor c;
  equation
    connect(left, r.p);
    connect(r.n, right);
    connect(right, c.p);
    connect(c.n, earth);
  end Filter;
  Battery battery(U = 2);
  Filter filter(r(R = 0.5));
  Resistor load1(R = 1);
  Resistor load2(R = 1);
  Ground ground;
  Real error[3];
equation
  connect(battery.p, filter.left);
  connect(filter.right, load1.p);
  connect(load2.p, load1.p);
  connect(load1.n, ground.p);
  connect(load2.n, ground.p);
  connect(filter.earth, ground.p);
  connect(battery.n, ground.p);
  // dv/dt = (2 - v)/0.5 - 2 v
  error[1] = filter.c.v - (1 - exp(-4*time));
  error[2] = battery.p.i + (2 - filter.right.v)/0.5;
  error[3] = filter.left.i + battery.p.i;
end FlowSums;
