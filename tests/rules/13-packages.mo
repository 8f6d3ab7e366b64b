Chapter 13: packages, imports.

// illegal import-unknown-library: N02 Nowhere
model M
  import Nowhere.*;
  Real x = 1;
end M;
// illegal import-unknown-library: N02 Nowhere
package P
  import Nowhere.Units;
  model M
    Units.Mass m = 1;
  end M;
end P;
model M
  extends P.M;
end M;
// legal import-unknown-library
package Nowhere
  type Mass = Real;
end Nowhere;
model M
  import Nowhere.*;
  Mass x = 1;
end M;
// illegal import-unknown-element: N02 Moss
package P
  constant Real Mass = 1;
end P;
model M
  import P.Moss;
  Real x = 1;
end M;
// illegal import-unknown-element: N02 Q
package P
  constant Real Mass = 1;
end P;
model M
  import P.Q.*;
  Real x = 1;
end M;
// illegal import-unknown-element: N02 b
package P
  constant Real a = 1;
end P;
model M
  import P.{a, b};
  Real x = a;
end M;
// legal import-unknown-element
package P
  constant Real a = 1;
  constant Real b = 1;
end P;
model M
  import P.{a, b};
  import c = P.a;
  Real x = a + b + c;
end M;
// illegal import-from-no-package: N43 model
model A
  type T = Real;
end A;
model M
  import A.T;
  T x = 1;
end M;
// illegal import-from-no-package: N43 record
record A
  Real x = 1;
end A;
model M
  import A.x;
  Real y = 1;
end M;
// illegal import-from-no-package: N43 package
package P
  constant Real a = 1;
end P;
model M
  import P.a.*;
  Real y = 1;
end M;
// legal import-from-no-package
model A
  Real x = 1;
end A;
package P
  record R
    Real x = 1;
  end R;
end P;
model M
  import A;
  import B = P.R;
  A a;
  B b;
end M;

// illegal import-twice: N05 'a'
package P
  constant Real a = 1;
  package Q
    constant Real a = 2;
  end Q;
end P;
model M
  import P.a;
  import P.Q.a;
  Real x = a;
end M;
// illegal import-twice: N05 'a'
package P
  constant Real a = 1;
  constant Real b = 2;
end P;
model M
  import a = P.b;
  import P.{a, b};
  Real x = a;
end M;
// illegal import-twice: N05 'a'
package P
  constant Real a = 1;
end P;
package Q
  constant Real a = 2;
end Q;
model M
  import P.*;
  import Q.*;
  Real x = a;
end M;
// legal import-twice
package P
  constant Real a = 1;
  constant Real b = 1;
end P;
package Q
  extends P;
  constant Real c = 2;
protected
  constant Real d = 3;
end Q;
package S
  constant Real d = 3;
  constant Real e = 3;
end S;
package T
  constant Real e = 4;
end T;
model M
  import P.*;
  import Q.*;
  import S.*;
  import T.*;
  import P.b;
  Real x = a + b + c + d;
end M;

// illegal import-inherited: N01 'a'
package P
  constant Real a = 1;
end P;
model A
  import P.a;
end A;
model M
  extends A;
  Real x = a;
end M;
// illegal import-inherited: N01 'a'
package P
  constant Real a = 1;
end P;
model A
  import P.a;
end A;
model M
  A e;
  Real x = e.a;
end M;
// illegal import-inherited: N03 'a'
package P
  constant Real a = 1;
end P;
model A
  import P.a;
end A;
model M
  A e(a = 3);
end M;
// illegal import-inherited: N07
package P
protected
  constant Real a = 1;
end P;
model M
  import P.a;
  Real x = a;
end M;
// illegal import-inherited: N01 'a'
package P
protected
  constant Real a = 1;
end P;
model M
  import P.*;
  Real x = a;
end M;
// legal import-inherited
package P
  constant Real a = 1;
end P;
model A
  import P.a;
  model B
    Real y = a;
  end B;
end A;
model M
  import P.*;
  A.B b;
  Real x = a;
  Real y = a;
end M;

// illegal import-relative: N02 'R'
package P
  constant Real a = 1;
end P;
model M
  package R = P;
  import R.a;
  Real x = a;
end M;
// illegal import-relative: N02
package P
  package Q
    constant Real a = 1;
  end Q;
  model A
    import Q.a;
    Real x = a;
  end A;
end P;
model M
  extends P.A;
end M;
// legal import-relative
package P
  package Q
    constant Real a = 1;
  end Q;
  model A
    import P.Q.a;
    Real x = a;
  end A;
end P;
model M
  extends P.A;
end M;

// illegal package-contents: N40 constant
package P
  parameter Real a = 1;
end P;
model M
  Real x = P.a;
end M;
// illegal package-contents: N40 constant
package P
  Real a = 1;
end P;
model M
  Real x = 1;
  package Q = P;
  constant Real y = Q.a;
end M;
// illegal package-contents: N40 equation
package P
  constant Real a = 1;
equation
  assert(a > 0, "a");
end P;
model M
  Real x = P.a;
end M;
// legal package-contents
package P
  constant Real a = 1;
protected
  constant Real b = 2*a;
  package Q
    constant Real c = b;
  end Q;
public
  constant Real d = Q.c;
end P;
model M
  Real x = P.d;
end M;
// illegal package-contents: N40
package P
  parameter Real p = 2;
end P;
model M
  Real x = P.p;
end M;
// illegal package-contents: N40
package P
  Real p = 2;
end P;
model M
  Real x = P.p;
end M;
// legal package-contents
package P
  constant Real p = 2;
end P;
model M
  Real x = P.p;
end M;

// legal import-through-model
model Car
  parameter Real m = 1;
  encapsulated package P
    model A
      Real x = 1;
    end A;
    constant Real c = 2;
  end P;
end Car;
model M
  import Car.P.A;
  import Car.P.*;
  import Q = Car.P.c;
  A a;
  Real y = Q + c;
end M;
// illegal import-through-model: N43 model
model Car
  parameter Real m = 1;
  encapsulated model A
    Real x = 1;
  end A;
end Car;
model M
  import Car.A;
  A a;
end M;
// illegal import-through-model: N43 encapsulated
model Car
  parameter Real m = 1;
  package P
    model A
      Real x = 1;
    end A;
  end P;
end Car;
model M
  import Car.P.A;
  A a;
end M;
// illegal import-through-model: N43 model
package Cars
  model Car
    parameter Real m = 1;
    encapsulated model P
      model A
        Real x = 1;
      end A;
    end P;
  end Car;
end Cars;
model M
  import Cars.Car.P.*;
  A a;
end M;
