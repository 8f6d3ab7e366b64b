// Modifiers of arrays of components: split element by element, or each for all.
model Each
  model Point
    parameter Real m = 1;
    parameter Real r[2] = {0, 0};
    Real v(start = m);
  equation
    der(v) = r*r;
  end Point;
  model Row
    Point p[2](m = {1, 2}, each r = {5, 6});
  end Row;
  Point a[3](m = {10*k for k in 1:3}, r = {{k, k} for k in 1:3});
  Point b[2, 2](m = {{1, 2}, {3, 4}}, each v(fixed = true));
  Row row[2](each p(m = {100, 200}));
  Row mat[2](p(m = {{1, 2}, {3, 4}}, each v(nominal = 2)));
end Each;
