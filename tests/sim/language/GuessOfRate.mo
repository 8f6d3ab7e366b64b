// MLS 8.6: a variable without a start value is guessed from one with it, over equations of two unknowns
// simulate: --stop 1 --tolerance 1e-9
// methods: dopri5 esdirk
// ends: w 3 1e-8
// ends: u 2 1e-8
// ends: z -2 1e-8
model GuessOfRate
  parameter Real start = 3;
  constant Integer n = 20;
  // a speed, and the gears from which Newton's method sees it
  Real phi(start = 0, fixed = true), psi[n], v, w(start = start), a;
  // a speed that is the derivative itself
  Real s(start = 0, fixed = true), u(start = 2.2), b;
  // at all times, not at the start alone
  Real y(start = -4), z;
equation
  w = der(phi);
  psi[1] = -phi/2;
  for i in 2:n loop
    psi[i] = psi[i - 1]*(if mod(i, 2) == 0 then 2 else 1/2);
  end for;
  v = der(psi[n]);
  a = (v + 1)*(v + 2)*(v + 3);
  der(w) = a;
  u = der(s);
  b = (der(s) - 1)*(der(s) - 2)*(der(s) - 3);
  der(u) = -b;
  y = 2*z;
  0 = (z + 1)*(z + 2)*(z + 3)*(1 + 0.1*sin(time)^2);
initial equation
  der(w) = 0;
  der(u) = 0;
end GuessOfRate;
