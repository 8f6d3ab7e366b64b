// A component whose condition is false is absent, and so are connections to it.
model Conditional
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Wall
    Pin p;
  equation
    p.v = 1;
  end Wall;
  model Source
    Pin p;
    parameter Boolean heated = false;
    Pin heat if heated;
    Wall wall;
    Real loss[if heated then 1 else 0] = {wall.p.i for k in 1:size(loss, 1)};
  equation
    p.v = time;
    connect(heat, wall.p);
  end Source;
  model Load
    Pin p;
  equation
    p.i = 3;
  end Load;
  parameter Integer n = 2;
  Source a;
  Source b(heated = n > 1);
  Load load;
equation
  connect(a.heat, b.p);
  connect(b.heat, load.p);
end Conditional;
