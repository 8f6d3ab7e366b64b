model TwoCurrents "two sources of current in series"
  Parts.Current a(I = 1);
  Parts.Current b(I = 2);
  Parts.Ground g;
equation
  connect(a.p, b.n);
  connect(b.p, g.p);
  connect(a.n, g.p);
end TwoCurrents;
