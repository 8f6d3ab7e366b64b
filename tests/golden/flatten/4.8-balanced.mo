// MLS 4.8: balanced in each of the ways there are: connectors connected inside or not, inputs bound, given
// or connected, protected ones, arrays of connectors, streams, records, outer connectors
model Balanced
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  connector In = input Real;
  connector Out = output Real;
  record Pair
    Real a, b;
  end Pair;

  model Resistor
    Pin p, n;
  equation
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end Resistor;

  model Two "connected inside only"
    Pin p, n;
    Resistor r1, r2;
  equation
    connect(p, r1.p);
    connect(r1.n, r2.p);
    connect(r2.n, n);
  end Two;

  model Ground
    Pin p[2];
  equation
    p.v = zeros(2);
  end Ground;

  block Gain
    In u;
    Out y;
    input Real k = 2;
    input Real free;
  protected
    In inner_u;
    input Real hidden = 3;
  equation
    connect(u, inner_u);
    y = k * inner_u + hidden + free;
  end Gain;

  block Chain
    In u;
    Out y;
    Gain a(free = time), b(k = 3);
  equation
    connect(u, a.u);
    connect(a.y, b.u);
    connect(b.y, y);
    b.free = 1;
  end Chain;

  model Tank
    Port port;
    Pair state;
    input Pair given = Pair(1, 2);
  equation
    der(state.a) = port.m;
    state.b = given.a + given.b;
    port.p = state.a;
    port.h = state.b;
  end Tank;

  model Reporter "connects its own to an outer one"
    outer Out total;
    Out mine;
  equation
    mine = time;
  end Reporter;

  Two two;
  Ground ground;
  Chain chain(u = time);
  Tank tank1, tank2;
  inner Out total = 1;
  Reporter reporter;
equation
  connect(two.p, ground.p[1]);
  connect(two.n, ground.p[2]);
  connect(tank1.port, tank2.port);
end Balanced;
