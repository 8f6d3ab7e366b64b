// As StiffBetween, where the iteration has a matrix of differences.
// simulate: --tolerance 1e-6 --stop 10 --interval 0.01 --jacobian coloured
// methods: esdirk
// zero: e 2e-5
model StiffBetweenColoured "A stiff component between the ends of long steps, with a matrix"
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real e = y - sin(x);
equation
  der(x) = 1;
  der(y) = cos(x) - 1e6*(y - sin(x));
end StiffBetweenColoured;
