// rung count examples/rlc_ladder.mo --sweep n=8,16,32
// model: RlcLadder
// simulate: --stop 5 --tolerance 1e-9
// zero: error 1e-7
// moves: node[1].p.v 0.05
model RlcLadder "Resistors bridged by coils along a line, capacitors with losses across it"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  partial model TwoPin
    Pin p, n;
    Real v(unit = "V") = p.v - n.v;
  equation
    p.i + n.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    v = R*p.i;
  end Resistor;
  model Inductor
    extends TwoPin(p(i(start = 0, fixed = true)));
    parameter Real L(unit = "H") = 1;
  equation
    L*der(p.i) = v;
  end Inductor;
  model Capacitor
    extends TwoPin(v(fixed = true));
    parameter Real C(unit = "F") = 1;
  equation
    C*der(v) = p.i;
  end Capacitor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Line "A resistor bridged by a coil"
    Pin p, n;
    Resistor resistor;
    Inductor inductor;
  equation
    connect(p, resistor.p);
    connect(p, inductor.p);
    connect(resistor.n, n);
    connect(inductor.n, n);
  end Line;
  model Node "A capacitor with a series resistance to the ground"
    Pin p, n;
    Resistor loss;
    Capacitor capacitor;
  equation
    connect(p, loss.p);
    connect(loss.n, capacitor.p);
    connect(capacitor.n, n);
  end Node;

  constant Real pi = 3.141592653589793;
  parameter Integer n = 12 "Number of nodes between the grounded ends";
  parameter Real R = 2, L = 0.5, C = 0.3, r = 0.4;
  Line line[n + 1](each resistor.R = R, each inductor.L = L);
  Node node[n](each loss.R = r, each capacitor.C = C,
    capacitor.v(start = {sin(pi*k/(n + 1)) for k in 1:n}));
  Ground ground;

  // started in its first mode it stays there: two states tell all
  parameter Real mu = 4*sin(pi/(2*(n + 1)))^2;
  Real a(start = 1, fixed = true) "Capacitors' share of the mode";
  Real b(start = 0, fixed = true) "Coils' share of the mode";
  Real c = (a/r - b*mu)/(1/r + mu/R) "Nodes' share of the mode";
  output Real error = sqrt(sum((node[k].capacitor.v - a*sin(pi*k/(n + 1)))^2 for k in 1:n))
    "Against the closed form";
equation
  C*der(a) = (c - a)/r;
  L*der(b) = c;
  connect(ground.p, line[1].p);
  connect(ground.p, line[n + 1].n);
  for k in 1:n loop
    connect(line[k].n, node[k].p);
    connect(node[k].p, line[k + 1].p);
    connect(node[k].n, ground.p);
  end for;
end RlcLadder;
