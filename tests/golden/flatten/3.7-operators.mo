model Operators "operators in function syntax that the flat model keeps or decides"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Part
    Pin a;
    Pin b;
    Integer n = cardinality(a) + 10*cardinality(b);
    String name = getInstanceName();
  equation
    b.v = a.v;
    a.i + b.i = 0;
  end Part;
  Part one;
  Part two;
  Real u = time - 1;
  Real slope = semiLinear(u, 2, 3);
  Real slopes[2] = semiLinear({u, -u}, {2, 3}, {4, 5});
  Real actual = homotopy(u^2, u);
  Real named = homotopy(simplified = u, actual = u^3);
  Real start = if initial() then 1 else 0;
  Real end_ = if terminal() then 1 else 0;
  Real still = noEvent(if u > 0 then u else 0);
  Real soft = smooth(1, if u > 0 then u^2 else 0);
  Boolean tick = sample(0.5, 0.1);
equation
  connect(one.b, two.a);
end Operators;
