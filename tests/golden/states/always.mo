// Nothing differentiates w1 and w2, and they are states all the same.
model always "A cart on two wheels that roll: they constrain velocities only"
  parameter Real m = 2, J = 0.3, r = 0.1, b = 0.25, torque = 0.05;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), phi(start = 0, fixed = true);
  Real theta1(start = 0, fixed = true), theta2(start = 0, fixed = true);
  // as states these hold at all angles; vx and vy each fail where the cart is at right angles to them
  Real w1(start = 5, fixed = true, stateSelect = StateSelect.always);
  Real w2(start = 10, fixed = true, stateSelect = StateSelect.always);
  Real wz, vx, vy, side, f1, f2;
equation
  w1 = der(theta1);
  w2 = der(theta2);
  vx = der(x);
  vy = der(y);
  wz = der(phi);
  vx*cos(phi) + vy*sin(phi) - b*wz = r*w1;
  vx*cos(phi) + vy*sin(phi) + b*wz = r*w2;
  vy*cos(phi) - vx*sin(phi) = 0;
  m*der(vx) = (f1 + f2)*cos(phi) - side*sin(phi);
  m*der(vy) = (f1 + f2)*sin(phi) + side*cos(phi);
  J*der(wz) = b*(f2 - f1);
  torque = r*f1;
  torque = r*f2;
end always;
