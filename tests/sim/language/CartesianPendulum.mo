// x^2 + y^2 = 1 all the way round: neither x nor y determines the other everywhere, so the run begins
// again with both as states (--states redundant).
// simulate: --stop 10 --tolerance 1e-10
// methods: esdirk ida
// zero: error_x 2e-5
// zero: error_y 2e-5
// zero: off 1e-7
// agree: x 2e-5
// moves: y 1.9
model CartesianPendulum "In Cartesian coordinates, beside the same in an angle"
  Real x(start = 0.1), y(start = -0.995), vx(start = 6.8), vy, lambda;
  Real phi(start = asin(0.1), fixed = true), w(start = 6.8/sqrt(0.99), fixed = true);
  output Real error_x = x - sin(phi), error_y = y + cos(phi), off = x^2 + y^2 - 1;
initial equation
  x = 0.1;
  vx = 6.8;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  der(phi) = w;
  der(w) = -9.81*sin(phi);
end CartesianPendulum;
