// A final 1 with a unit keeps its name, since another unit would make it another number; zeros, other
// numbers and ratios stand for themselves.
model UnitOfOne
  final parameter Real length[3](each unit = "m") = {1, 0, -1};
  final parameter Real mass(unit = "kg") = 2;
  final parameter Real ratio(unit = "1") = 1;
  final parameter Real plain = 1;
  Real x[3](each unit = "m");
  Real y(unit = "kg"), z;
equation
  x = time * length;
  y = time * mass;
  z = time * ratio * plain;
end UnitOfOne;
