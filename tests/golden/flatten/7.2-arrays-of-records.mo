// Bindings and modifiers of arrays of records and of records in arrays of components.
model ArraysOfRecords
  record P
    Real x = 0;
    Real y[2] = {0, 0};
  end P;
  model M
    parameter P p[2](each x = 1, y = {{1, 2}, {3, 4}});
    parameter P q = P(5, {6, 7});
    Real s = sum(p.x) + q.x;
  end M;
  M a;
  M b(p = {P(1, {2, 3}), P(4, {5, 6})}, q(x = 8));
  M c[2](q = {P(k, {k, k}) for k in 1:2}, each p(x = {9, 10}));
  M d[2](q(x = {11, 12}, each y = {13, 14}));
  parameter P whole[2, 2] = {{P(i + j, {i, j}) for j in 1:2} for i in 1:2};
  Real e = whole[2, 1].y[1] + whole[1, 2].x + sum(whole[:, 1].y[2]);
end ArraysOfRecords;
