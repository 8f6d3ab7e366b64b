// MLS 4.4.5: a component that is not there takes its connections with it
// simulate: --stop 1
// zero: error 1e-12
// zero: error_none 1e-12
model Conditional
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Source
    Pin pin;
    parameter Real v = 1;
  equation
    pin.v = v;
  end Source;
  model Load
    parameter Boolean loaded = true;
    parameter Integer n = if loaded then 1 else 0;
    Pin pin;
    Resistor leak(R = 6);
    Ground ground;
    Resistor r(R = 2) if loaded;
    Ground g if loaded and n > 0;
  equation
    connect(pin, leak.p);
    connect(leak.n, ground.pin);
    connect(pin, r.p);
    connect(r.n, g.pin);
  end Load;
  model Resistor
    parameter Real R;
    Pin p;
    Pin n;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Ground
    Pin pin;
  equation
    pin.v = 0;
  end Ground;
  Source a(v = 6);
  Load none(loaded = false);
  Source b(v = 6);
  Load some;
  Real error = b.pin.i + 4;
  Real error_none = a.pin.i + 1;
equation
  connect(a.pin, none.pin);
  connect(b.pin, some.pin);
end Conditional;
