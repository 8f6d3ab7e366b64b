// MLS 7.2.2, 7.3.2: the outermost modifier counts: a record bound as a whole before what is declared inside
// of it; of redeclarations that are replaced nothing stays but their constraints' modifications
// simulate: --stop 1
// ends: c.r.x 9 1e-12
// ends: c.r.y 6 1e-12
// ends: d.r.x -1 1e-12
// ends: e.r.x 8 1e-12
// ends: e.r.y 6 1e-12
// ends: l3.w.y 12 1e-12
// ends: l4.w.y 302 1e-12
// ends: l5.w.y 152 1e-12
// ends: f1.w.y 35 1e-12
// ends: f2.w.y 45 1e-12
model OutermostCounts
  record R
    Real x = 1;
    Real y = 2*x;
  end R;
  record Q
    R r(x = -1);
  end Q;
  partial model Base
    parameter Real p = 1;
    parameter Real q = 2;
    Real y = 10*p + q;
  end Base;
  model A
    extends Base;
  end A;
  model L0
    replaceable A w;
  end L0;
  model L1
    extends L0(redeclare replaceable A w(p = 65));
  end L1;
  model L2
    extends L1(redeclare replaceable A w(q = 7));
  end L2;
  model L3
    extends L2(redeclare A w);
  end L3;
  model L4 "a constraint of its own, and one around"
    extends K1(redeclare replaceable A w(q = 7) constrainedby A(p = 30));
  end L4;
  model K1
    extends L0(redeclare replaceable A w(q = 5) constrainedby A(p = 20));
  end K1;
  model L5
    extends K2(redeclare A w);
  end L5;
  model K2
    extends L0(redeclare replaceable A w(p = 8, q = 7) constrainedby A(p = 15));
  end K2;
  model F0
    replaceable model W = A;
    W w;
  end F0;
  model F1
    extends F0(redeclare replaceable model W = A(p = 3) constrainedby A(p = 4, q = 5));
  end F1;
  model F2
    extends F1(redeclare model W = A);
  end F2;
  F1 f1;
  F2 f2;
  Q q(r(x = 9*time, y = 6));
  Q c = q;
  Q d;
  Q e(r(x = 8)) = q;
  L3 l3;
  L4 l4(w(q = 2));
  L5 l5;
end OutermostCounts;
