// In an array some elements may have a component that others lack; their connections vanish alone.
model InArrays
  connector P
    Real v;
    flow Real i;
  end P;
  model Wall
    P p;
  equation
    p.v = 1;
  end Wall;
  model S
    parameter Boolean has = true;
    P p if has;
    Wall wall;
  equation
    connect(p, wall.p);
  end S;
  model R
    P p;
  equation
    p.i = 2;
  end R;
  S s[3](has = {true, false, true});
  R r[3];
equation
  connect(s.p, r.p);
end InArrays;
