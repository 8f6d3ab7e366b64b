// rung count examples/spring_chain.mo --sweep n=8,16,32
// model: SpringChain
// simulate: --stop 10 --tolerance 1e-9
// methods: dopri5
// zero: error 1e-7
// moves: mass[1].s 0.3
model SpringChain "Masses between springs, dampers and inerters, along a line between two walls"
  connector Flange
    Real s(unit = "m");
    flow Real f(unit = "N");
  end Flange;
  model Mass
    Flange a;
    parameter Real m(unit = "kg") = 1;
    Real s(unit = "m", fixed = true), v(unit = "m/s", start = 0, fixed = true);
  equation
    a.s = s;
    der(s) = v;
    m*der(v) = a.f;
  end Mass;
  model Strut "Spring, damper and inerter in parallel; an inerter resists relative acceleration"
    Flange a, b;
    parameter Real c(unit = "N/m") = 1, d(unit = "N.s/m") = 0, inertance(unit = "kg") = 0;
    Real s(unit = "m") = b.s - a.s;
    Real v(unit = "m/s") = der(s);
  equation
    b.f = c*s + d*v + inertance*der(v);
    a.f + b.f = 0;
  end Strut;
  model Wall
    Flange a;
  equation
    a.s = 0;
  end Wall;

  constant Real pi = 3.141592653589793;
  parameter Integer n = 12 "Number of masses";
  parameter Real m = 1.5, c = 40, d = 0.8, inertance = 0.6;
  Mass mass[n](each m = m, s(start = {sin(pi*k/(n + 1)) for k in 1:n}));
  Strut strut[n + 1](each c = c, each d = d, each inertance = inertance);
  Wall left, right;
  // started in its first mode it stays there
  parameter Real mu = 4*sin(pi/(2*(n + 1)))^2;
  parameter Real decay = d*mu/(2*(m + inertance*mu));
  parameter Real omega = sqrt(c*mu/(m + inertance*mu) - decay^2);
  Real swing = exp(-decay*time)*(cos(omega*time) + decay/omega*sin(omega*time));
  output Real error = sqrt(sum((mass[k].s - swing*sin(pi*k/(n + 1)))^2 for k in 1:n))
    "Against the closed form";
equation
  connect(left.a, strut[1].a);
  for k in 1:n loop
    connect(strut[k].b, mass[k].a);
    connect(mass[k].a, strut[k + 1].a);
  end for;
  connect(strut[n + 1].b, right.a);
end SpringChain;
