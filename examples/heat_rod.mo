// rung count examples/heat_rod.mo --sweep n=8,16,32
// model: HeatRod
// simulate: --stop 20 --tolerance 1e-9
// zero: error 1e-5
// moves: slice[1].T 0.1
model HeatRod "Heat along a rod whose ends are kept at one temperature"
  connector Port
    Real T(unit = "K");
    flow Real Q(unit = "W");
  end Port;
  model Slice "Its heat sits in the middle"
    Port a, b;
    parameter Real C(unit = "J/K") = 1, G(unit = "W/K") = 1;
    Real T(unit = "K", fixed = true);
  equation
    a.Q = 2*G*(a.T - T);
    b.Q = 2*G*(b.T - T);
    C*der(T) = a.Q + b.Q;
  end Slice;
  model Bath
    Port a;
    parameter Real T(unit = "K") = 0;
  equation
    a.T = T;
  end Bath;

  constant Real pi = 3.141592653589793;
  parameter Integer n = 12 "Number of slices";
  parameter Real C = 0.7, G = 1.5, T0 = 300;
  Slice slice[n](each C = C, each G = G, T(start = {T0 + sin(pi*(k - 0.5)/n) for k in 1:n}));
  Bath left(T = T0), right(T = T0);
  // started in its first mode it decays there
  parameter Real rate = 4*G/C*sin(pi/(2*n))^2;
  output Real error = sqrt(
    sum((slice[k].T - T0 - exp(-rate*time)*sin(pi*(k - 0.5)/n))^2 for k in 1:n))
    "Against the closed form";
equation
  connect(left.a, slice[1].a);
  for k in 2:n loop
    connect(slice[k - 1].b, slice[k].a);
  end for;
  connect(slice[n].b, right.a);
end HeatRod;
