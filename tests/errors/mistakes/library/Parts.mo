package Parts "Components of another file, as a library has them"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector In = input Real;
  connector Out = output Real;
  partial model OnePort
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;
  model Resistor
    extends OnePort;
    parameter Real R = 1;
  equation
    v = R*i;
  end Resistor;
  model Capacitor
    extends OnePort;
    parameter Real C = 1;
  equation
    C*der(v) = i;
  end Capacitor;
  model Voltage
    extends OnePort;
    parameter Real V = 1;
  equation
    v = V;
  end Voltage;
  model Current
    extends OnePort;
    parameter Real I = 1;
  equation
    i = I;
  end Current;
  model VoltageBySignal
    extends OnePort;
    In u;
  equation
    v = u;
  end VoltageBySignal;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Open "lacks an equation"
    Pin p;
    Real x;
  equation
    p.v + x = 1;
  end Open;
end Parts;
