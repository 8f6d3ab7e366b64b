// simulate: --stop 1 --tolerance 1e-8
// methods: ida
// zero: error 1e-6
// moves: y 0.4
model CancelledLater "A value equals an expression that holds a variable which follows from it and cancels"
  parameter Integer n = 300;
  Real a[n](each start = 0.001, each fixed = true), v(start = 1, fixed = true), w, u, y, x;
  Real error = abs(w - y) + abs(y - (exp(-time)/2 + n*0.001*exp(-time))) + abs(x - 3*y);
equation
  w = ((v + x)*0.5 + sum(a)) - 0.5*x;
  u = 2*v;
  y = 0.25*u + sum(a);
  x = 3*y;
  der(a) = -a;
  der(v) = -v;
end CancelledLater;
