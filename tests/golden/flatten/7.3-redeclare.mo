// Redeclarations of components and classes, in modifiers and in the body; the constraint's
// modifiers stay.
model Redeclare
  partial model Base
    parameter Real k = 1;
    Real y;
  end Base;
  model Slow
    extends Base;
  equation
    der(y) = -k*y;
  end Slow;
  model Fast
    extends Base(k = 100);
    parameter Real extra = 5;
  equation
    der(y) = -k*y - extra;
  end Fast;
  model Engine
    replaceable model Cylinder = Slow(k = 2) constrainedby Base(k = 3);
    replaceable Slow part(k = 4) constrainedby Base(y(start = 9));
    Cylinder c[2];
  end Engine;
  model Big
    extends Engine(redeclare Fast part(extra = 6));
    redeclare model Cylinder = Fast(extra = 7);
  end Big;
  parameter Real e = 8;
  Engine plain;
  Engine swapped(redeclare model Cylinder = Fast(extra = e), redeclare Fast part);
  Big big;
end Redeclare;
