Chapter 7: inheritance, modification, redeclaration.

// illegal redeclare-what: N09
model A
  Real x = 1;
end A;
model M
  extends A(redeclare Integer x = 1);
end M;
// illegal redeclare-what: N09
model A
  model B
    Real x = 1;
  end B;
  B b;
end A;
model M
  extends A(redeclare model B = C);
  model C
    Real x = 2;
  end C;
end M;
// illegal redeclare-what: N09
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  B b;
end A;
model M
  A a(redeclare C b);
end M;
// legal redeclare-what
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b;
  replaceable model D = B;
  D d;
end A;
model M
  A a(redeclare C b, redeclare model D = C);
end M;

// illegal redeclare-final: N09
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  final replaceable B b;
end A;
model M
  A a(redeclare C b);
end M;
// illegal redeclare-final: N09
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b;
end A;
model D
  extends A(redeclare final C b);
end D;
model M
  extends D(redeclare C b);
end M;
// illegal redeclare-final: N09
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable model T = B;
  T b;
end A;
model D
  extends A(redeclare final model T = C);
end D;
model M
  D d(redeclare model T = B);
end M;
// legal redeclare-final
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b;
end A;
model D
  extends A(redeclare replaceable C b);
end D;
model M
  extends D(redeclare C b);
end M;

// illegal redeclare-twice: N09
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b;
end A;
model D
  extends A(redeclare C b);
end D;
model M
  extends D(redeclare C b);
end M;
// illegal redeclare-twice: N04
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b;
end A;
model M
  A a(redeclare C b, redeclare B b);
end M;
// legal redeclare-twice
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b;
end A;
model M
  A a(redeclare C b(x = 4));
end M;

// illegal redeclare-constraint: N16
model B
  Real x = 1;
end B;
model C
  Real y = 1;
end C;
model A
  replaceable B b;
end A;
model M
  A a(redeclare C b);
end M;
// illegal redeclare-constraint: N16
model B
  Real x = 1;
end B;
model C
  Boolean x = true;
end C;
model A
  replaceable B b;
end A;
model M
  A a(redeclare C b);
end M;
// illegal redeclare-constraint: N16
model B
  Real x = 1;
end B;
model C
  Real y = 1;
end C;
model A
  replaceable model T = B;
  T b;
end A;
model M
  A a(redeclare model T = C);
end M;
// illegal redeclare-constraint: N16
model B
  Real x = 1;
end B;
model C
  Real y = 1;
end C;
model A
  replaceable B b constrainedby C;
end A;
model M
  A a;
end M;
// illegal redeclare-constraint: N16
model Base
  Real x = 1;
  Real y = 1;
end Base;
model B
  extends Base;
end B;
model C
  Real x = 1;
end C;
model A
  replaceable B b constrainedby Base;
end A;
model M
  A a(redeclare C b);
end M;
// legal redeclare-constraint
model Base
  Real x = 1;
end Base;
model B
  extends Base;
  Real y = 1;
end B;
model C
  extends Base;
end C;
model A
  replaceable B b constrainedby Base;
end A;
model M
  A a(redeclare C b);
  A c;
end M;

// illegal constraint-use: N01
model Base
  Real x = 1;
end Base;
model B
  extends Base;
  Real y = 1;
end B;
model A
  replaceable B b constrainedby Base;
  Real z = b.y;
end A;
model C
  extends Base;
end C;
model M
  A a(redeclare C b);
end M;
// legal constraint-use
model Base
  Real x = 1;
end Base;
model B
  extends Base;
  Real y = 1;
end B;
model A
  replaceable B b constrainedby Base;
  Real z = b.x;
end A;
model C
  extends Base;
end C;
model M
  A a(redeclare C b);
end M;

// illegal redeclare-constant: N09
model A
  replaceable constant Real c = 1;
  Real x = c;
end A;
model M
  A a(redeclare constant Real c = 2);
end M;
// legal redeclare-constant
model A
  constant Real c = 1;
  Real x = c;
end A;
model M
  A a(c = 2);
end M;

// illegal redeclare-variability: T35
model A
  replaceable parameter Real p = 1;
  Real x = p;
end A;
model M
  A a(redeclare Real p = time);
end M;
// legal redeclare-variability
model A
  replaceable Real p = 1;
  Real x = p;
end A;
model M
  A a(redeclare parameter Real p = 3);
end M;

// illegal redeclare-dimensions: N16
model B
  Real x = 1;
end B;
model A
  replaceable B b[2];
end A;
model M
  A a(redeclare B b[2, 2]);
end M;
// illegal redeclare-dimensions: N16
model B
  Real x = 1;
end B;
model A
  replaceable B b;
end A;
model M
  A a(redeclare B b[3]);
end M;
// legal redeclare-dimensions
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b[2];
end A;
model M
  A a(redeclare C b[2]);
end M;

// illegal redeclare-protected: N07
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
protected
  replaceable B b;
end A;
model M
  A a(redeclare C b);
end M;
// illegal redeclare-protected: N09
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
  replaceable B b;
end A;
model M
  extends A;
protected
  redeclare C b;
end M;
// legal redeclare-protected
model B
  Real x = 1;
end B;
model C
  extends B;
end C;
model A
protected
  replaceable B b;
end A;
model M
  extends A;
protected
  redeclare C b;
end M;

// illegal redeclare-kind: N09
model B
  Real x = 1;
end B;
model A
  replaceable model T = B;
  T b;
end A;
model M
  A a(redeclare B T);
end M;
// illegal redeclare-kind: N09
model B
  Real x = 1;
end B;
model A
  replaceable B b;
end A;
model M
  A a(redeclare model b = B);
end M;
// legal redeclare-kind
model B
  Real x = 1;
end B;
model A
  replaceable model T = B;
  T b;
end A;
model M
  A a(redeclare model T = B);
end M;

// illegal redeclare-nothing: N03
model B
  Real x = 1;
end B;
model A
  replaceable B b;
end A;
model M
  A a(redeclare B c);
end M;
// illegal redeclare-nothing: N09
model B
  Real x = 1;
end B;
model M
  redeclare B b;
end M;
// illegal redeclare-nothing: N09
model A
  Real x = 1;
end A;
model M
  extends A;
  redeclare model B = A;
  B b;
end M;
// legal redeclare-nothing
model B
  Real x = 1;
end B;
model A
  replaceable B b;
end A;
model M
  extends A;
  redeclare B b(x = 3);
end M;

// illegal class-extends: N09
model A
  Real x = 1;
end A;
model M
  extends A;
  redeclare model extends B
    Real y = 1;
  end B;
  B b;
end M;
// illegal class-extends: N09
model A
  model B
    Real x = 1;
  end B;
end A;
model M
  extends A;
  redeclare model extends B
    Real y = 1;
  end B;
  B b;
end M;
// illegal class-extends: N09
model M
  model extends B
    Real y = 1;
  end B;
  B b;
end M;
// legal class-extends
model A
  replaceable model B
    Real x = 1;
  end B;
end A;
model M
  extends A;
  redeclare model extends B
    Real y = 1;
  end B;
  B b;
end M;

// illegal extends-replaceable: N43
model A
  replaceable model B
    Real x = 1;
  end B;
  model C
    extends B;
  end C;
  C c;
end A;
model M
  A a;
end M;
// legal extends-replaceable
model A
  model B
    Real x = 1;
  end B;
  model C
    extends B;
  end C;
  C c;
end A;
model M
  A a;
end M;

// illegal extends-cycle: N06
model A
  extends B;
end A;
model B
  extends A;
end B;
model M
  A a;
end M;
// illegal extends-cycle: N06
model M
  extends M;
end M;
// legal extends-cycle
model A
  Real x = 1;
end A;
model M
  extends A;
end M;

// illegal extends-what: N02
model A
  Real x = 1;
end A;
model M
  A a;
  extends a;
end M;
// illegal extends-what: N02
model M
  extends Missing;
end M;
// illegal extends-what: N02
model B
  model D
    Real x = 1;
  end D;
end B;
model M
  extends B;
  extends D;
end M;
// legal extends-what
model B
  model D
    Real x = 1;
  end D;
end B;
model M
  extends B;
  extends B.D;
end M;

// illegal extends-twice: N05
model A
  Real x = 1;
end A;
model B
  Integer x = 1;
end B;
model M
  extends A;
  extends B;
end M;
// illegal extends-twice: N05
model A
  Real x = 1;
end A;
model M
  extends A;
  Real x = 2;
end M;
// illegal extends-twice: N05
model A
  parameter Real x = 1;
end A;
model B
  Real x = 1;
end B;
model M
  extends A;
  extends B;
end M;
// legal extends-twice
model A
  Real x = 1;
end A;
model B
  Real x = 1;
end B;
model M
  extends A;
  extends B;
end M;

// illegal modify-unknown: N03
model A
  Real x = 1;
end A;
model M
  A a(y = 2);
end M;
// illegal modify-unknown: N03
model A
  Real x = 1;
end A;
model M
  A a(x(foo = 2));
end M;
// illegal modify-unknown: N03
model A
  Real x = 1;
end A;
model M
  extends A(y = 3);
end M;
// legal modify-unknown
model A
  Real x = 1;
end A;
model M
  A a(x(start = 2));
end M;

// illegal modify-twice: N04
model A
  Real x = 1;
end A;
model M
  A a(x = 2, x = 3);
end M;
// illegal modify-twice: N04
model A
  Real x = 1;
end A;
model B
  A a;
end B;
model M
  B b(a.x = 2, a(x = 3));
end M;
// illegal modify-twice: N04
model A
  Real x = 1;
end A;
model M
  A a(x(start = 2, start = 3));
end M;
// legal modify-twice
model A
  Real x = 1;
end A;
model B
  A a;
end B;
model M
  B b(a.x = 2, a(x(start = 3)));
end M;

// illegal modify-final: N10
model A
  final parameter Real x = 1;
end A;
model M
  A a(x = 2);
end M;
// illegal modify-final: N10
model A
  parameter Real x = 1;
end A;
model B
  A a(final x = 2);
end B;
model M
  B b(a(x = 3));
end M;
// illegal modify-final: N10
model A
  Real x(final start = 1) = 2;
end A;
model M
  A a(x(start = 3));
end M;
// illegal modify-final: N10
type T = Real(final unit = "m");
model M
  T x(unit = "s") = 1;
end M;
// legal modify-final
model A
  parameter Real x(final unit = "m") = 1;
end A;
model M
  A a(x = 2);
end M;

// illegal modify-protected: N07
model A
protected
  parameter Real x = 1;
end A;
model M
  A a(x = 2);
end M;
// legal modify-protected
model A
protected
  parameter Real x = 1;
end A;
model M
  extends A(x = 2);
end M;

// illegal modify-type: T31
model A
  parameter Real x = 1;
end A;
model M
  A a(x = "s");
end M;
// illegal modify-type: T31
model M
  Real x(start = "s") = 1;
end M;
// illegal modify-type: T31
model M
  Real x(unit = 1) = 1;
end M;
// illegal modify-type: T31
model M
  Real x(fixed = 1) = 1;
end M;
// illegal modify-type: T31
model A
  parameter Integer n = 1;
end A;
model M
  A a(n = 2.5);
end M;
// illegal modify-type: T34
model A
  Real x = 1;
end A;
model M
  A a = 3;
end M;
// legal modify-type
model A
  parameter Real x = 1;
end A;
model M
  A a(x = 2);
  Real y(start = 2, unit = "m", fixed = false) = 1;
end M;

// illegal modify-class: N09
model A
  model B
    Real x = 1;
  end B;
  B b;
end A;
model M
  A a(B = 3);
end M;
// legal modify-class
model A
  replaceable model B
    Real x = 1;
  end B;
  B b;
end A;
model M
  A a(b(x = 3));
end M;
// legal redeclare-constrained-again
package Phases
  constant Integer n = 1;
end Phases;
package Two
  extends Phases(n = 2);
end Two;
model Base
  replaceable package P = Phases;
  Real x[P.n] = fill(time, P.n);
end Base;
model Twice
  extends Base(redeclare package P = Two);
end Twice;
model Holder
  replaceable Base b constrainedby Base(redeclare package P = Two);
end Holder;
model M
  Holder h(redeclare Twice b);
  Real y = h.b.x[2];
end M;
// illegal redeclare-constrained-again: N09
package Phases
  constant Integer n = 1;
end Phases;
package Two
  extends Phases(n = 2);
end Two;
model Base
  replaceable package P = Phases;
  Real x[P.n] = fill(time, P.n);
end Base;
model Twice
  extends Base(redeclare package P = Two);
end Twice;
model M
  Twice t(redeclare package P = Phases);
end M;
// illegal deselection: N50 has no component
model A
  Real x = time;
end A;
model B
  A a;
end B;
model M
  extends B(break b);
end M;
// illegal deselection: N50 is no model
model B
  parameter Real p = 1;
end B;
model M
  extends B(break p);
end M;
// illegal deselection: N50 no such connection
connector C
  Real v;
  flow Real i;
end C;
model B
  C a, b;
equation
  connect(a, b);
end B;
model M
  extends B(break connect(a, c));
end M;
// illegal deselection: N50 no such connection
connector C
  Real v;
  flow Real i;
end C;
model B
  C a, b[2];
equation
  connect(a, b[1 + 1]);
end B;
model M
  extends B(break connect(a, b[2]));
end M;
// illegal deselection: N50 no such connection
connector C
  Real v;
  flow Real i;
end C;
model B
  C a, b;
equation
  connect(a, b);
end B;
model M
  extends B(break b, break connect(a, b));
equation
  a.v = time;
end M;
// illegal deselection:
model A
  parameter Real p = 1;
end A;
model B
  A a;
end B;
model M
  extends B(break a, a(p = 2));
end M;
// illegal deselection:
model A
  parameter Real p = 1;
end A;
model B
  A a;
end B;
model C
  extends B(break a);
end C;
model M
  C c(a(p = 2));
end M;
// illegal deselection: P
model A
end A;
model B
  A a;
end B;
model M
  B b(break a);
end M;
// illegal deselection: N01
model A
  Real x = time;
end A;
model B
  A a;
  Real y = a.x;
end B;
model M
  extends B(break a);
end M;
// illegal deselection: N16
model A
end A;
model B
  A a;
end B;
model C
  extends B(break a);
end C;
model D
  replaceable B b;
end D;
model M
  D d(redeclare C b);
end M;
// legal deselection
connector C
  Real v;
  flow Real i;
end C;
model A
  parameter Real p = 1;
  C c;
equation
  c.v = p;
end A;
partial model Base
  A a;
end Base;
model B
  extends Base;
  C b[3];
  A unused if false;
equation
  connect(a.c, b[1]);
  for i in 1:2 loop
    connect(b[i], b[i + 1]);
  end for;
end B;
model M
  extends B(break a, break unused, break connect(b[i+1], b[i]));
  A a[3](p = {1, 2, 3});
equation
  connect(a.c, b);
end M;

// illegal constraint-own: N16 has no
model C
  parameter Real k = 1;
  Real x = k;
end C;
model D
  Real z = 1;
end D;
model M
  replaceable model A = D constrainedby C;
end M;
// illegal constraint-own: N16 has no
model C
  parameter Real k = 1;
  Real x = k;
end C;
model D
  Real z = 1;
end D;
model M
  replaceable model A = D constrainedby C;
  A a;
end M;
// illegal constraint-own: N16 has no
model C
  parameter Real k = 1;
  Real x = k;
end C;
model M
  replaceable model A
    Real z = 1;
  end A constrainedby C;
  A a;
end M;
// illegal constraint-own: N16 has no
model C
  parameter Real k = 1;
  Real x = k;
end C;
model D
  Real z = 1;
end D;
model M
  replaceable D d constrainedby C;
end M;
// illegal constraint-own: N16 has no
model C
  parameter Real k = 1;
  Real x = k;
end C;
model D
  Real z = 1;
end D;
model A
  replaceable D d constrainedby C;
end A;
model M
  A a(redeclare C d);
end M;
// illegal constraint-own: N16
type T = Real;
model M
  replaceable Integer n = 1 constrainedby T;
end M;
// illegal constraint-own: N16
function F
  input Real x;
  output Real y;
end F;
model M
  replaceable function g
    input Real x;
    output Real z = 2*x;
  end g constrainedby F;
  Real u = g(1);
end M;
// illegal constraint-own: N16
partial package F
  constant Real k = 2;
end F;
model M
  replaceable package G
    constant Real l = 3;
  end G constrainedby F;
  Real u = G.l;
end M;
// legal constraint-own
model C
  parameter Real k = 1;
end C;
model D
  extends C;
  Real z = 1;
end D;
function F
  input Real x;
  output Real y;
end F;
partial package P
  constant Real k;
end P;
model M
  replaceable model A = D constrainedby C;
  replaceable D d constrainedby C;
  replaceable model B
    parameter Real k = 3;
  end B constrainedby C;
  replaceable function g
    input Real x;
    output Real y = 2*x;
  end g constrainedby F;
  replaceable package G
    constant Real k = 4;
    constant Real l = 3;
  end G constrainedby P;
  A a;
  B b;
  Real u = g(1) + G.l;
end M;
// illegal constraint-redeclared: N16
model C
  parameter Real k = 1;
end C;
model D
  extends C;
  parameter Real l = 2;
end D;
model E
  extends C;
  parameter Real m = 2;
end E;
model A
  replaceable C c;
end A;
model B
  extends A(redeclare replaceable D c constrainedby D);
end B;
model M
  extends B(redeclare E c);
end M;
// illegal constraint-redeclared: N16
model C
  parameter Real k = 1;
end C;
model D
  extends C;
  parameter Real l = 2;
end D;
model A
  replaceable model N = C;
end A;
model B
  extends A;
  redeclare replaceable model N = C constrainedby D;
end B;
model M
  B b;
end M;
// illegal constraint-redeclared: N16
model C
  parameter Real k = 1;
end C;
model Z
  parameter Real z = 1;
end Z;
model D
  extends C;
  parameter Real z = 2;
end D;
model A
  replaceable C c;
end A;
model M
  extends A(redeclare replaceable D c constrainedby Z);
end M;
// illegal constraint-redeclared: N16
model Resistor
  parameter Real R = 1;
end Resistor;
model Thermo
  extends Resistor;
  parameter Real T0 = 300;
end Thermo;
model Circuit
  replaceable model N = Resistor(R = 100);
  N n;
end Circuit;
model Circuit2
  extends Circuit(redeclare replaceable model N = Thermo(T0 = 310));
end Circuit2;
model Circuit4
  extends Circuit2(redeclare replaceable model N = Thermo constrainedby Thermo);
end Circuit4;
model M
  extends Circuit4(redeclare replaceable model N = Resistor);
end M;
// legal constraint-redeclared
model Resistor
  parameter Real R = 1;
end Resistor;
model Thermo
  extends Resistor;
  parameter Real T0 = 300;
end Thermo;
model Thermo2
  extends Thermo;
  parameter Real T1 = 300;
end Thermo2;
model Circuit
  replaceable model N = Resistor(R = 100);
  N n;
end Circuit;
model Circuit2
  extends Circuit(redeclare replaceable model N = Thermo(T0 = 310));
end Circuit2;
model Circuit3
  extends Circuit2(redeclare replaceable model N = Resistor(R = 200));
end Circuit3;
model Circuit4
  extends Circuit2(redeclare replaceable model N = Thermo constrainedby Thermo);
end Circuit4;
model M
  extends Circuit4(redeclare replaceable model N = Thermo2);
  Circuit3 c;
end M;
// illegal constraint-dimensions: N16
type T1 = Real[3];
type T2 = Real;
model M
  replaceable T1 x = {1, 2, 3} constrainedby T2;
end M;
// illegal constraint-dimensions: N16
type T1 = Real;
type T2 = Real[3];
model M
  replaceable T1 x = 1 constrainedby T2;
end M;
// illegal constraint-dimensions: N16
type T1 = Real[3];
type T2 = Real;
model M
  replaceable type T = T1 constrainedby T2;
  T x = {1, 2, 3};
end M;
// illegal constraint-dimensions:
type T1 = Real;
model A
  replaceable T1 x[3] = {1, 2, 3};
end A;
model M
  extends A(redeclare Real x = 1);
end M;
// legal constraint-dimensions
type T1 = Real;
type T2 = Real;
type V1 = Real[3];
type V2 = Real[3];
model A
  replaceable T1 x[3] = {1, 2, 3} constrainedby T2;
  replaceable T1[3] w = {1, 2, 3} constrainedby T2;
  replaceable type T = T1[3] constrainedby T2;
  replaceable V1 v = {1, 2, 3} constrainedby V2;
  T y = {1, 2, 3};
end A;
model M
  extends A(redeclare T2 x[3] = {2, 3, 4});
end M;
// illegal redeclare-visibility: N09
model A
protected
  replaceable model B
    Real x = 1;
  end B;
end A;
model C
  Real x = 2;
end C;
model M
  extends A;
public
  redeclare model B = C;
end M;
// illegal redeclare-visibility: N09
model A
protected
  replaceable Real x = 1;
end A;
model M
  extends A;
public
  redeclare Real x = 2;
end M;
// illegal redeclare-visibility: N09
model A
  replaceable Real x = 1;
end A;
model M
  extends A;
protected
  redeclare Real x = 2;
end M;
// illegal redeclare-visibility: N09
model A
  replaceable model B
    Real x = 1;
  end B;
end A;
model C
  Real x = 2;
end C;
model M
  extends A;
protected
  redeclare model B = C;
end M;
// illegal redeclare-visibility: N09
model A
protected
  replaceable model B
    Real x = 1;
  end B;
end A;
model M
  extends A;
public
  redeclare model extends B
    Real y = 2;
  end B;
end M;
// legal redeclare-visibility
model A
  replaceable Real z = 1;
protected
  replaceable Real x = 1;
  replaceable model B
    Real x = 1;
  end B;
end A;
model C
  Real x = 2;
end C;
model M
  extends A(redeclare Real z = 2);
protected
  redeclare Real x = 2;
  redeclare model B = C;
end M;
// legal redeclare-visibility
model A
protected
  replaceable Real x = 1;
  replaceable Real y = 1;
end A;
model M
  extends A(redeclare Real x = 2);
end M;
// legal redeclare-dimensions
model A
  Real x[:] = {1, 2, 3};
end A;
model B
  A a(redeclare Real x[2] = {1, 2});
end B;
model M
  B b;
end M;
// legal redeclare-dimensions
model A
  parameter Integer n = 2;
  Real x[:] = zeros(2);
end A;
model M
  extends A(redeclare Real x[2] = ones(2));
end M;
// legal redeclare-dimensions
model A
  Real x = 1;
end A;
model M
  extends A(redeclare parameter Real x = 2);
end M;
// legal redeclare-dimensions
model A
  parameter Integer n = 2;
  Real x[n] = zeros(n);
end A;
model M
  extends A(redeclare Real x[3], n = 3);
end M;
// illegal redeclare-dimensions:
model A
  Real x[:] = {1, 2};
end A;
model M
  extends A(redeclare Real x[2, 2] = ones(2, 2));
end M;
// illegal redeclare-dimensions: N09
model A
  Real x[:] = {1, 2};
end A;
model M
  extends A(redeclare Integer x[3] = {1, 2, 3});
end M;

// illegal block-extends-model: N43 7.1.3
model A
  Real x = 1;
end A;
block B
  extends A;
end B;
model M
  B b;
end M;
// illegal block-extends-model: N43 7.1.3
model A
  Real x = 1;
end A;
block B = A;
model M
  B b;
end M;
// illegal block-extends-model: N43 7.1.3
type T = Real;
model M
  extends T;
end M;
// illegal block-extends-model: N43 7.1.3
type T = Real;
block B = T;
model M
  B b = 1;
end M;
// illegal block-extends-model: N43 7.1.3
block B
  extends Real;
end B;
model M
  B b;
end M;
// illegal block-extends-model: N43 7.1.3
connector C
  Real x;
end C;
model M
  extends C;
end M;
// illegal block-extends-model: N43 7.1.3
connector C
  Real x;
end C;
block B
  extends C;
end B;
model M
  B b;
end M;
// illegal block-extends-model: N43 7.1.3
record R
  Real x = 1;
end R;
package P
  extends R;
  constant Real c = 1;
end P;
model M
  Real y = P.c;
end M;
// legal block-extends-model
record R
  Real x = 1;
end R;
block A
  extends R;
  Real z = 1;
end A;
block B
  extends A;
end B;
model M
  extends R;
  A a;
  B b;
end M;
// legal block-extends-model
class K
end K;
block A
  Real z = 1;
end A;
block B
  extends K;
  extends A;
end B;
model M
  extends B;
end M;

// illegal each-inside: T32 is for arrays, 'a' is none
model A
  parameter Real p = 1;
end A;
model N
  A a;
end N;
model M
  extends N(a(each p = 2));
end M;
// legal each-inside
model A
  parameter Real p = 1;
end A;
model N
  A a[2];
  A b;
end N;
model M
  extends N(a(each p = 2), b(p = 3));
  N n[2](b(each p = 3), a(each p = 2));
end M;
