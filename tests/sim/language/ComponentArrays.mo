// MLS 10, 9.1: arrays of components and of connectors, connected whole and by element
// simulate: --stop 1 --tolerance 1e-9
// zero: error[1] 1e-6
// zero: error[2] 1e-12
// zero: error[3] 1e-12
model ComponentArrays
  connector Port
    Real x;
    flow Real f;
  end Port;
  model Mass
    parameter Real m = 1;
    Port a;
    Real v(start = 0, fixed = true);
  equation
    der(a.x) = v;
    m*der(v) = a.f;
  end Mass;
  model Bus
    parameter Integer n = 2;
    Port port[n];
  equation
    for k in 1:n loop
      port[k].f = -k;
    end for;
  end Bus;
  parameter Integer n = 3;
  Mass mass[n](m = {1, 2, 3}, a(x(each start = 0, each fixed = true)));
  Bus bus(n = n);
  Mass grid[2, 3](m = {{1, 1, 1}, {2, 2, 2}}, a(x(each start = 0, each fixed = true)));
  Real total = sum(mass.m);
  Real error[3];
equation
  connect(mass.a, bus.port);
  // each mass is pushed with its own weight: x = t^2/2
  error[1] = mass[1].a.x + mass[2].a.x + mass[3].a.x - 1.5*time^2;
  error[2] = total - 6 + sum(grid.m) - 9;
  error[3] = sum(mass[k].m*k for k in 1:n) - 14 + sum(mass[2:3].m) - 5;
end ComponentArrays;
