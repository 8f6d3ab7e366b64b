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
  model R
    replaceable model M = X;
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
end Main;
