// options: --states redundant
// x*x + y*y = 1 and its derivatives determine y, vy from x, vx, but not where y = 0: all four become
// states whose derivatives the constraint determines, and the constraint goes.
model Circle
  Real x(start = 1), y(start = 0), vx, vy(start = 1), f;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -f*x;
  der(vy) = -f*y;
  x*x + y*y = 1;
end Circle;
