package Inheritance
  model A
    extends B; // error N06: extends itself
  end A;
  model B
    extends A;
  end B;
  model Self
    extends Self; // error N06: extends itself
  end Self;
  model X
    Real x = 1;
  end X;
  model Y
    parameter Integer x = 2; // error N05: two elements named 'x'
  end Y;
  model Both
    extends X;
    extends Y;
  end Both;
  model Wrong
    extends X(nothing = 1); // error N03: no element 'nothing'
    redeclare model Inner = X; // error N09: nothing named 'Inner'
  end Wrong;
  partial model Part
    Real p = 1;
  end Part;
  model Other
    Real p = 1;
  end Other;
  model R
    replaceable X part;
    replaceable Real r = 1;
    replaceable model M = X;
    M m;
    model Fixed = X;
    Real y = 1;
  end R;
end Inheritance;
model Main
  Inheritance.B b;
  Inheritance.Self s;
  Inheritance.Both both;
  Inheritance.Wrong wrong;
  Inheritance.Part part; // error N12: partial
  Inheritance.R r1(redeclare model Fixed = Inheritance.X); // error N09: not replaceable
  Inheritance.R r2(redeclare Real M); // error N09: is a class
  Inheritance.R r3(redeclare model Nope = Inheritance.X); // error N03: no element 'Nope'
  Inheritance.R r4(redeclare model M = Inheritance.Other); // error N16: has no 'x'
  Inheritance.R r5(redeclare Inheritance.Other part); // error N16: has no 'x'
  Inheritance.R r6(redeclare Boolean r = true); // error N16: as a Real
end Main;
