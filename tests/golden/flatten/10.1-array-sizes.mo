// Sizes from bindings, from other sizes, by enumerations; empty arrays.
model Sizes
  type Side = enumeration(left, right);
  parameter Real table[:, 2] = [1, 2; 3, 4; 5, 6];
  final parameter Integer n = size(table, 1);
  Real x[n] = table[:, 2]*time;
  parameter Real square[:, size(square, 1)] = [1, 2; 3, 4];
  Real y[Side] = {1, 2};
  Real z = y[Side.right];
  parameter Integer m = 0;
  Real none[m];
  Real all[:] = {k^2 for k in x};
  model Part
    parameter Integer k = 1;
    parameter Real v[k] = ones(k);
    Real s = v*v;
  end Part;
  Part part(k = 2);
  Part parts[n](k = 1:n);
  Part nobody[m];
  Real total = sum(parts.s) + sum(nobody.s);
end Sizes;
