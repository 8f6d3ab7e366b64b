model RedeclareBinding "a redeclaration without a binding keeps that of the original"
  record Short
    Real a = 1;
  end Short;
  record Long
    extends Short;
    parameter Integer n = 1;
    Real b[n] = fill(0, n);
  end Long;
  model Plain
    replaceable parameter Short given;
    replaceable parameter Short used = given;
    Real y = used.a;
  end Plain;
  model Derived
    extends Plain(redeclare Long given, redeclare Long used);
    Real z = sum(used.b);
  end Derived;
  Derived d(given(a = 2, n = 2, b = {3, 4}));
end RedeclareBinding;
