// MLS 9.2: flow variables of operator records are added by '+' of their record, those of outside
// connectors negative by '-', and the sum is '0'; also of two fields, in arrays, and where nothing is
// connected. Velocities of special relativity, factors, and pairs in polar form are such groups.
// simulate: --stop 1 --interval 0.1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-9
// zero: error[5] 1e-12
operator record Velocity "of which c = 1 is the greatest"
  Real v;
  encapsulated operator function '+'
    import Velocity;
    input Velocity a;
    input Velocity b;
    output Velocity c(v = (a.v + b.v)/(1 + a.v*b.v));
  algorithm
  end '+';
  encapsulated operator function '-'
    import Velocity;
    input Velocity a;
    output Velocity c(v = -a.v);
  algorithm
  end '-';
  encapsulated operator function '0'
    import Velocity;
    output Velocity c(v = 0);
  algorithm
  end '0';
end Velocity;

operator record Factor "whose zero is 1"
  Real f;
  encapsulated operator function '+'
    import Factor;
    input Factor a;
    input Factor b;
    output Factor c(f = a.f*b.f);
  algorithm
  end '+';
  encapsulated operator function '-'
    import Factor;
    input Factor a;
    output Factor c(f = 1/a.f);
  algorithm
  end '-';
  encapsulated operator function '0'
    import Factor;
    output Factor c(f = 1);
  algorithm
  end '0';
end Factor;

operator record Spiral "exp(s)*(cos(phi), sin(phi)) under multiplication, written as s and phi/2"
  Real s;
  Real half;
  encapsulated operator function '+'
    import Spiral;
    input Spiral a;
    input Spiral b;
    output Spiral c(s = a.s + b.s, half = a.half + b.half - 1);
  algorithm
  end '+';
  encapsulated operator function '-'
    import Spiral;
    input Spiral a;
    output Spiral c(s = -a.s, half = 2 - a.half);
  algorithm
  end '-';
  encapsulated operator function '0'
    import Spiral;
    output Spiral c(s = 0, half = 1);
  algorithm
  end '0';
end Spiral;

connector VelocityPort
  Real p;
  flow Velocity w;
end VelocityPort;

connector FactorPort
  Real p[2];
  flow Factor w[2];
end FactorPort;

connector SpiralPort
  Real p[2];
  flow Spiral w;
end SpiralPort;

model VelocitySource
  VelocityPort c;
  parameter Real y = 0.5;
equation
  c.w.v = y*time;
end VelocitySource;

model VelocityGround
  VelocityPort c;
equation
  c.p = 0;
end VelocityGround;

model Inside "two sources behind one connector"
  VelocityPort c;
  VelocitySource a(y = 0.125), b(y = 0.25);
equation
  connect(a.c, c);
  connect(b.c, c);
end Inside;

model FactorSource
  FactorPort c;
  parameter Real y[2] = {2, 3};
equation
  c.w.f = y;
end FactorSource;

model FactorGround
  FactorPort c;
equation
  c.p = {0, 0};
end FactorGround;

model FactorAlone "an open connector has the flow '0'"
  FactorPort c;
equation
  c.p = {1, 2};
end FactorAlone;

model SpiralSource
  SpiralPort c;
  parameter Real s = 1, half = 3;
equation
  c.w.s = s*time;
  c.w.half = half;
end SpiralSource;

model SpiralGround
  SpiralPort c;
equation
  c.p = {0, 0};
end SpiralGround;

model FlowsOfRecords
  VelocitySource a, b(y = -0.25), d(y = 0.75);
  VelocityGround g;
  Inside inside;
  FactorSource f1, f2(y = {5, 0.25});
  FactorGround fg;
  FactorAlone alone;
  SpiralSource s1, s2(s = 2, half = 0.5);
  SpiralGround sg;
  Real error[5];
equation
  connect(a.c, g.c);
  connect(b.c, g.c);
  connect(d.c, b.c);
  connect(inside.c, g.c);
  connect(f1.c, fg.c);
  connect(f2.c, fg.c);
  connect(s1.c, sg.c);
  connect(s2.c, s1.c);
  error[1] = inside.c.w.v - 0.375*time/(1 + 0.125*0.25*time^2);
  error[2] = sum(abs(fg.c.w.f - {1/10, 4/3}));
  error[3] = sum(abs(alone.c.w.f - {1, 1}));
  error[4] = g.c.w.v
    + tanh(sum(log((1 + v)/(1 - v))/2 for v in {0.5, -0.25, 0.75, 0.125, 0.25}*time));
  error[5] = abs(sg.c.w.s + 3*time) + abs(sg.c.w.half - (2 - (3 + 0.5 - 1)));
end FlowsOfRecords;
