// Prothero and Robinson 1974: y follows sin(x) at once. Rows are between the ends of steps, where a
// polynomial through derivatives of stages would be off by 0.06.
// simulate: --tolerance 1e-6 --stop 10 --interval 0.01
// methods: esdirk ida cvode
// zero: e 2e-5
model StiffBetween "A stiff component between the ends of long steps"
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real e = y - sin(x);
equation
  der(x) = 1;
  der(y) = cos(x) - 1e6*(y - sin(x));
end StiffBetween;
