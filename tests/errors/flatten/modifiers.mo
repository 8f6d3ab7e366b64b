model Modifiers
  model A
    final parameter Real f = 1;
    parameter Real p = 1;
    parameter Real v[3] = {1, 2, 3};
    parameter Integer i = 1;
    Real x(start = 1);
  equation
    der(x) = p;
  end A;
  A a1(f = 2); // error N10: final
  A a2(p = true); // error T31: Boolean
  A a3(i = 1.5); // error T31: Integer
  A a4(v = {1, 2}); // error T32: [3]
  A a5[2](p = {1, 2, 3}); // error T32: size
  A a6[2](p = 1); // error T32: each
  A a7(p = a1.x); // error T35: varies
  A a8(x(start = true)); // error T31: Real
  parameter Real c = d; // error N13: depends on itself
  parameter Real d = c;
  Real y[2](start = 1); // error T32: each
  A a9 = 3; // error T34: nothing can be bound
equation
  y = {1, 2};
end Modifiers;
