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
