model UnbalancedComponent "MLS 4.8: what some parts have too much does not make up for what others lack"
  connector Pin
    Real v;
    flow Real i;
  end Pin;

  model Lazy // error F06: model UnbalancedComponent.Lazy is not balanced: it has 2 unknowns and 1 equation
    Pin p;
    Real x;
  equation
    p.v = x;
  end Lazy;

  model Eager // error F06: model UnbalancedComponent.Eager is not balanced: it has 1 unknown and 2 equations
    Pin p;
  equation
    p.v = 1;
    p.i = time;
  end Eager;

  Lazy lazy, twin, third;
  Eager eager, other;
equation
  connect(lazy.p, eager.p);
  connect(twin.p, other.p);
end UnbalancedComponent;
