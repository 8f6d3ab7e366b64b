// rung count examples/resistor_grid.mo --sweep n=4,8,16
// model: ResistorGrid
// simulate: --stop 3 --tolerance 1e-9
// zero: error 1e-7
// moves: node[1,1].p.v 0.05
model ResistorGrid
  "A square of resistors between grounded borders, at each node a capacitor with losses"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  model Resistor
    Pin p, n;
    parameter Real R(unit = "Ohm") = 1;
  equation
    p.i + n.i = 0;
    p.v - n.v = R*p.i;
  end Resistor;
  model Node "A capacitor with a series resistance to the ground"
    Pin p;
    parameter Real C(unit = "F") = 1, r(unit = "Ohm") = 1;
    Real v(unit = "V", fixed = true);
  equation
    p.v = v + r*p.i;
    C*der(v) = p.i;
  end Node;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  constant Real pi = 3.141592653589793;
  parameter Integer n = 5 "Nodes along a side";
  parameter Real R = 2, C = 0.3, r = 0.4;
  Node node[n, n](each C = C, each r = r,
    v(start = {sin(pi*i/(n + 1))*sin(pi*k/(n + 1)) for k in 1:n, i in 1:n}));
  Resistor right[n, n + 1](each R = R), down[n + 1, n](each R = R);
  Ground ground;

  // started in its first mode it decays there
  parameter Real mu = 8*sin(pi/(2*(n + 1)))^2;
  parameter Real rate = mu/(C*(R + r*mu));
  output Real error = sqrt(sum(
    (node[i, k].v - exp(-rate*time)*sin(pi*i/(n + 1))*sin(pi*k/(n + 1)))^2 for i in 1:n, k in 1:n))
    "Against the closed form";
equation
  for i in 1:n loop
    connect(ground.p, right[i, 1].p);
    connect(ground.p, right[i, n + 1].n);
    connect(ground.p, down[1, i].p);
    connect(ground.p, down[n + 1, i].n);
    for k in 1:n loop
      connect(right[i, k].n, node[i, k].p);
      connect(node[i, k].p, right[i, k + 1].p);
      connect(down[i, k].n, node[i, k].p);
      connect(node[i, k].p, down[i + 1, k].p);
    end for;
  end for;
end ResistorGrid;
