// MLS 17.3.3: clocked integration in states stops while they are not active, goes on or starts anew:
// seven steps of a by 0.9, two lots of six of b by 1.1, of which the last is not finished
// simulate: --stop 2 --interval 0.1
// ends: a.x 0.4782969 1e-12
// ends: b.x 1 1e-12
// moves: y 0.4
model SuspendedIntegration
  block S
    parameter Real k;
    outer output Real y;
    Real x(start = 1);
  equation
    der(x) = k * x;
    y = x;
  end S;
  inner Real y;
  S a(k = -1), b(k = 1);
  Clock c = Clock(Clock(1, 10), "ExplicitEuler");
  Real z = sample(1.0, c) * y;
equation
  initialState(a);
  transition(a, b, y < 0.6, immediate = false);
  transition(b, a, y > 1.5, immediate = false, reset = false);
end SuspendedIntegration;
