// simulate: --stop 0.04 --audit
// methods: esdirk cvode
// agree: half.v 3e-4
// agree: bridge.v 1e-4
// moves: half.v 9
// moves: bridge.v 7
model DiodesAudited "Rectifiers: the charging of a capacitor through a closed diode takes 1e-8 s, far less than a step"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Diode
    Pin p, n;
    Real v, s;
    Boolean off;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    off = s < 0;
    v = s*(if off then 1 else 1e-5);
    p.i = s*(if off then 1e-5 else 1);
  end Diode;
  model Load "a capacitor and a resistor"
    Pin p, n;
    Real v(start = 0, fixed = true);
  equation
    v = p.v - n.v;
    1e-3*der(v) = p.i - v/100;
    p.i + n.i = 0;
  end Load;
  model Line "a voltage behind a resistance"
    Pin p, n;
    parameter Real R = 0;
  equation
    p.v - n.v = 10*sin(314*time) + R*p.i;
    p.i + n.i = 0;
  end Line;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  Line line, behind(R = 0.1);
  Diode diode, d[4];
  Load half, bridge;
  Ground ground[2];
equation
  connect(line.p, diode.p);
  connect(diode.n, half.p);
  connect(half.n, ground[1].p);
  connect(line.n, ground[1].p);
  connect(behind.p, d[1].p);
  connect(behind.p, d[2].n);
  connect(behind.n, d[3].p);
  connect(behind.n, d[4].n);
  connect(d[1].n, bridge.p);
  connect(d[3].n, bridge.p);
  connect(d[2].p, bridge.n);
  connect(d[4].p, bridge.n);
  connect(bridge.n, ground[2].p);
end DiodesAudited;
