package Connections_
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Other
    Real v;
    Real i;
  end Other;
  connector Named
    Real u;
    flow Real i;
  end Named;
  connector Bool = Boolean;
  connector Num = Real;
  connector Sized
    parameter Integer n = 2;
    Real v[n];
  end Sized;
  expandable connector Bus
  end Bus;
end Connections_;
model Main
  import C = Connections_;
  C.Pin p;
  C.Pin q[3];
  C.Pin r[2];
  C.Other o;
  C.Named n;
  C.Bool b;
  C.Num x;
  C.Sized s2;
  C.Sized s3(n = 3);
  C.Bus bus;
  Real y;
equation
  connect(p, o); // error F02: flow
  connect(p, n); // error F02: no 'v'
  connect(p, y); // error F02: not a connector
  connect(p, z); // error N01: no variable 'z'
  connect(q, r); // error F02: size
  connect(p, q); // error F02: size
  connect(q[4], p); // error T05: outside
  connect(b, x); // error F02: Boolean
  connect(p, x); // error F02: parts
  connect(s2, s3); // error F02: one is [2]
  connect(p, bus); // error F02: only one is expandable
  connect(bus.x, bus.y); // error F02: not declared
  Connections.root(p.v); // error F03: equalityConstraint
end Main;
