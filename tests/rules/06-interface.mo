Chapter 6: interfaces and types.

// illegal plug-input: F06
partial model B end B;
connector I = input Real;
model D extends B; I u; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal plug-input: N16 MLS 6.5
model B end B;
model D parameter Real k; Real x = k; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal plug-input: N16 MLS 6.5
model B end B;
model D extends B; expandable connector X end X; X x; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal plug-input: F06
connector P Real v; flow Real i; end P;
model B end B;
model D extends B; input Real u; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// legal plug-input
model B end B;
model D extends B; parameter Real k; Real x = k; end D;
model C
  replaceable B b;
end C;
model M
  extends C(redeclare D b(k = 2));
end M;
// legal plug-input
model B end B;
connector I = input Real;
model D extends B; parameter Real k; I u; Real x = k; end D;
model C
  replaceable B b;
end C;
model M
  extends C(redeclare D b(k = 2));
equation
  b.u = 3;
end M;
// legal plug-input
connector P Real v; flow Real i; end P;
model B end B;
model D extends B; P p; parameter Real k = 1; equation p.v = k; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;

// illegal subtype-prefix: N16 constant
model B constant Real k = 1; end B;
model D parameter Real k = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: N16 parameter
model B parameter Real k = 1; end B;
model D Real k = 1; end D;
model C
  replaceable model T = B;
  T b;
end C;
model M
  C c(redeclare model T = D);
end M;
// legal subtype-prefix
model B parameter Real k = 1; end B;
model D constant Real k = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: N16
model B Real k = 1; end B;
model D Integer k = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: N16 MLS 6.4
model B Real k[2] = {1, 2}; end B;
model D Real k = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: F07
connector P Real v; flow Real i; end P;
connector Q Real v; Real i; end Q;
model B P p; equation p.v = 1; end B;
model D Q p; equation p.v = 1; p.i = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: N16 MLS 6.4
block B input Real k; output Real y = k; end B;
block D output Real k = 1; output Real y = k; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: N16 MLS 6.4
model B Real k = 1; end B;
model D protected Real k = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: N16 MLS 6.4
model B final parameter Real k = 1; end B;
model D parameter Real k = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-prefix: N16 MLS 6.4
model B Real k = 1; end B;
model D parameter Boolean on = false; Real k = 1 if on; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// legal subtype-prefix
model B Real k = 1; end B;
model D parameter Real k = 1; Real l = 2; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;

// illegal subtype-kind: N16 MLS 6.4
record B Real k = 1; end B;
model D Real k = 1; equation assert(k > 0, "a"); end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-kind: N43
package B constant Real k = 1; end B;
model D constant Real k = 1; end D;
model C
  replaceable package P = B;
  Real x = P.k;
end C;
model M
  C c(redeclare package P = D);
end M;
// illegal subtype-kind: F07
model B Real k = 1; end B;
connector D Real k = 1; end D;
model C
  replaceable B b;
end C;
model M
  C c(redeclare D b);
end M;
// illegal subtype-kind: N16 MLS 6.4
type E = enumeration(a, b);
type F = enumeration(a, c);
model C
  replaceable parameter E b = E.a;
end C;
model M
  C c(redeclare parameter F b = F.a);
end M;
// illegal subtype-kind: N16
model C
  replaceable Real b = 1;
end C;
model M
  C c(redeclare Integer b = 1);
end M;
// legal subtype-kind
type E = enumeration(:);
type F = enumeration(a, c);
model C
  replaceable type T = E;
end C;
model M
  C c(redeclare type T = F);
end M;

// illegal function-compatible: T07
function f input Real x; output Real y = x; algorithm end f;
function g input Real x; input Real k; output Real y = k*x; algorithm end g;
model C
  replaceable function h = f;
  Real x = h(time);
end C;
model M
  C c(redeclare function h = g);
end M;
// illegal function-compatible: N16
function f input Real x; output Real y = x; algorithm end f;
function g input Real u; output Real y = u; algorithm end g;
model C
  replaceable function h = f;
  Real x = h(time);
end C;
model M
  C c(redeclare function h = g);
end M;
// illegal function-compatible: N16
function f input Real x; output Real y = x; algorithm end f;
function g input Real x; output Real z = x; algorithm end g;
model C
  replaceable function h = f;
  Real x = h(time);
end C;
model M
  C c(redeclare function h = g);
end M;
// illegal function-compatible: T07
function f input Real x; input Real k = 2; output Real y = x*k; algorithm end f;
function g input Real x; input Real k; output Real y = x*k; algorithm end g;
model C
  replaceable function h = f;
  Real x = h(time);
end C;
model M
  C c(redeclare function h = g);
end M;
// illegal function-compatible: T07
function f input Real x; input Real k = 2; output Real y = x*k; algorithm end f;
function g input Real k = 2; input Real x; output Real y = x*k; algorithm end g;
model C
  replaceable function h = f;
  Real x = h(time);
end C;
model M
  C c(redeclare function h = g);
end M;
// illegal function-compatible: N16 impure
function f input Real x; output Real y = x; algorithm end f;
impure function g input Real x; output Real y = x; algorithm end g;
model C
  replaceable function h = f;
  Real x;
equation
  when time > 1 then
    x = h(time);
  end when;
end C;
model M
  C c(redeclare function h = g);
end M;
// illegal function-compatible: N16
function f input Real x; output Real y = x; algorithm end f;
function g input Integer x; output Real y = x; algorithm end g;
model C
  replaceable function h = f;
  Real x = h(1);
end C;
model M
  C c(redeclare function h = g);
end M;
// legal function-compatible
function f input Real x; output Real y = x; algorithm end f;
function g input Real x; input Real k = 2; output Real y = k*x; output Real z = 1; algorithm end g;
model C
  replaceable function h = f;
  Real x = h(time);
end C;
model M
  C c(redeclare function h = g);
end M;

// illegal type-compatible: T10
record R Real a = 1; end R;
record Q Real b = 1; end Q;
model M
  R r[2] = {R(), Q()};
end M;
// illegal type-compatible: T10
model M
  Real x[2] = {1, {2}};
end M;
// illegal type-compatible: T10
model M
  Real x[2] = {1, true};
end M;
// illegal type-compatible: T10
model M
  String x[2] = {"a", 1};
end M;
// illegal type-compatible: T10
model M
  type E = enumeration(a, b);
  type F = enumeration(a, c);
  E x[2] = {E.a, F.a};
end M;
// illegal type-compatible: T10
model M
  type E = enumeration(a, b);
  E x[2] = {E.a, 1};
end M;
// legal type-compatible
model M
  type E = enumeration(a, b);
  type F = enumeration(a, b);
  E x[2] = {E.a, F.b};
  Real y[2] = {1, 2.5};
end M;

// illegal external-object: T31
class X
  extends ExternalObject;
  function constructor
    output X x;
    external "C" x = newX();
  end constructor;
  function destructor
    input X x;
    external "C" freeX(x);
  end destructor;
end X;
class Y
  extends ExternalObject;
  function constructor
    output Y x;
    external "C" x = newX();
  end constructor;
  function destructor
    input Y x;
    external "C" freeX(x);
  end destructor;
end Y;
model M
  X x = Y();
end M;
// illegal external-object: N40
class X
  extends ExternalObject;
  function constructor
    output X x;
    external "C" x = newX();
  end constructor;
end X;
model M
  X x = X();
end M;
// illegal external-object: N40
class X
  extends ExternalObject;
  function constructor
    output X x;
    external "C" x = newX();
  end constructor;
  function destructor
    input X x;
    external "C" freeX(x);
  end destructor;
  Real k = 1;
end X;
model M
  X x = X();
end M;
// illegal external-object: S02
class X
  extends ExternalObject;
  function constructor
    output X x;
    external "C" x = newX();
  end constructor;
  function destructor
    input X x;
    external "C" freeX(x);
  end destructor;
end X;
model M
  X x;
equation
  x = X();
end M;
// legal external-object
class X
  extends ExternalObject;
  function constructor
    output X x;
    external "C" x = newX();
  end constructor;
  function destructor
    input X x;
    external "C" freeX(x);
  end destructor;
end X;
model M
  X x = X();
end M;

// illegal constraint-of-replaced: N16
model A
  Real a = time;
end A;
model B
  extends A;
  Real b = 1;
end B;
model N
  replaceable model Z = A constrainedby B;
  Z z;
end N;
model M
  extends N(redeclare model Z = B);
end M;
// legal constraint-of-replaced
model A
  Real a = time;
end A;
model B
  extends A;
  Real b = 1;
end B;
model N
  replaceable model Z = B constrainedby A;
  Z z;
end N;
model M
  extends N(redeclare model Z = A);
end M;
