// MLS 7.2: the outermost modification wins; nested, each, final, and through extends
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
model ModificationsMerge
  model Leaf
    parameter Real p = 1;
    parameter Real q = 2*p;
    parameter Real r[2] = {p, q};
  end Leaf;
  model Branch
    parameter Real s = 5;
    Leaf leaf(p = s, r = {s, 7});
    Leaf leaves[2](each p = s, q = {1, 2});
  end Branch;
  model Special
    extends Branch(s = 6, leaf(q = 9));
  end Special;
  Branch a;
  Branch b(leaf(p = 3));
  Special c(leaf(final p = 4), leaves(q = {8, 9}));
  parameter Real s = 50 "not the s of a component";
  Real error[6];
equation
  error[1] = a.leaf.p - 5 + (a.leaf.q - 10);
  error[2] = b.leaf.p - 3 + (b.leaf.q - 6) + (b.leaf.r[1] - 5);
  error[3] = c.leaf.p - 4 + (c.leaf.q - 9) + (c.leaf.r[1] - 6) + (c.leaf.r[2] - 7);
  error[4] = a.leaves[1].p - 5 + (a.leaves[2].q - 2);
  error[5] = c.leaves[1].q - 8 + (c.leaves[2].q - 9) + (c.leaves[2].p - 6);
  error[6] = s - 50;
end ModificationsMerge;
