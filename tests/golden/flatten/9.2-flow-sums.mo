// Sums of inside and outside connectors; what is not connected has no flow.
model FlowSums
  connector Pin
    Real v[2];
    flow Real i[2];
  end Pin;
  model R
    Pin p;
    Pin n;
  equation
    p.i + n.i = {0, 0};
    p.v - n.v = p.i;
  end R;
  model Two
    Pin p;
    Pin n;
    R a;
    R b;
  equation
    connect(p, a.p);
    connect(a.p, b.p);
    connect(a.n, b.n);
    connect(b.n, n);
  end Two;
  model Ground
    Pin p;
  equation
    p.v = {0, 1};
  end Ground;
  Two two;
  R r;
  Ground g;
equation
  connect(two.p, g.p);
  connect(two.n, r.p);
end FlowSums;
