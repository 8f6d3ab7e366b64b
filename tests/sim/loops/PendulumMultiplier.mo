// simulate: --loops ali3p --step 5e-4 --tolerance 1e-9 --interval 0.1 --stop 10
// methods: ali3p penalty half-explicit bdf dopri5 hedop5 gear ida
// ends: x 0.275087 2e-4
// ends: y -0.961419 1e-4
// constant: energy 1e-3
// zero: norm(phi) 1e-7
// moves: x 1
model PendulumMultiplier "A constraint written as an equation, in coordinates that no choice of states suits"
  parameter Real L = 1, m = 1, g = 9.81;
  Real x(start = 1, fixed = true), y(start = 0);
  Real vx, vy(start = 0, fixed = true);
  Real lambda "Its multiplier";
  Real energy = m*(vx^2 + vy^2)/2 + m*g*(y + 2);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -lambda*x;
  m*der(vy) = -lambda*y - m*g;
  x^2 + y^2 = L^2;
end PendulumMultiplier;
