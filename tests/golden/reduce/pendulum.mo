model Pendulum "Cartesian pendulum, index 3"
  parameter Real L = 1;
  parameter Real g = 9.81;
  Real x(start = 1, stateSelect = StateSelect.prefer);
  Real y;
  Real vx(stateSelect = StateSelect.prefer);
  Real vy;
  Real F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
end Pendulum;
