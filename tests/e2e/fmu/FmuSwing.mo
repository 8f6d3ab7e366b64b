model FmuSwing "starts where y is no state, swings through where x is none"
  parameter Real L = 1, g = 9.81;
  Real x(start = L), y(start = 0), vx, vy, F;
  output Real error = 0.5*(vx^2 + vy^2) + g*y, off = x^2 + y^2 - L^2;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
initial equation
  y = 0;
  vy = 0;
end FmuSwing;
