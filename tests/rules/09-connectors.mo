Chapter 9: connectors and connections. 15: stream connectors.

// illegal connect-subscript: T11
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model M
  C c[3];
  P p;
  discrete Integer k(start = 1);
equation
  when time > 1 then
    k = 2;
  end when;
  connect(c[k].p, p);
end M;
// legal connect-subscript
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model M
  C c[3];
  P p;
  constant Integer k = 2;
equation
  connect(c[k].p, p);
end M;

// illegal connect-dimensions: F02
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p[3]; equation p.i = {1, 2, 3}; end D;
model M
  C c[2];
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-dimensions: F02
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c[2];
  D d;
equation
  connect(c.p, d.p);
end M;
// legal connect-dimensions
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p[2]; equation p.i = {1, 2}; end D;
model M
  C c[2];
  D d;
equation
  connect(c.p, d.p);
end M;

// illegal connect-no-connector: F02
model C Real p = 1; end C;
model M
  C c, d;
equation
  connect(c, d);
end M;
// illegal connect-no-connector: F02
model M
  Real x = 1;
  Real y;
equation
  connect(x, y);
end M;
// illegal connect-no-connector: F02
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model M
  C c;
  C d;
equation
  connect(c.p, d);
end M;
// illegal connect-no-connector: P01
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model M
  C c;
  C d;
equation
  connect(c.p, 2);
end M;
// illegal connect-no-connector: N01
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model M
  C c;
  C d;
equation
  connect(c.p, d.q);
end M;
// legal connect-no-connector
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;

// illegal connect-deep: F02
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model E C c; end E;
model D P p; equation p.i = 1; end D;
model M
  E e;
  D d;
equation
  connect(e.c.p, d.p);
end M;
// legal connect-deep
connector P Real v; flow Real i; end P;
connector Q P p; end Q;
model C Q q; equation q.p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.q.p, d.p);
end M;

// illegal connect-mixed-flow: F02
connector P Real v; flow Real i; end P;
connector Q flow Real v; Real i; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.v = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-mixed-flow: F02
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model M
  C c, d;
equation
  connect(c.p.v, d.p.i);
end M;
// legal connect-mixed-flow
connector P Real v; flow Real i; end P;
connector Q flow Real i; Real v; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;

// illegal expandable-flow: N40
expandable connector B flow Real i; Real v; end B;
model M
  B b;
equation
end M;
// legal expandable-flow
connector P Real v; flow Real i; end P;
expandable connector B P p; end B;
model C P p; equation p.v = 1; end C;
model M
  B b;
  C c;
equation
  connect(b.p, c.p);
end M;

// illegal expandable-to-plain: F02
expandable connector B Real v; end B;
connector P Real v; end P;
model C P p; equation p.v = 1; end C;
model M
  B b;
  C c;
equation
  connect(b, c.p);
end M;
// legal expandable-to-plain
expandable connector B end B;
connector O = output Real;
model C O y = 1; end C;
model D B b; end D;
model M
  B b;
  C c;
  D d;
equation
  connect(b, d.b);
  connect(b.v, c.y);
end M;

// illegal expandable-absent: S03
expandable connector B Real v; end B;
model M
  B b;
  Real x = b.v;
end M;
// illegal expandable-absent: N01
expandable connector B end B;
model M
  B b;
  Real x = b.w;
end M;
// illegal expandable-absent: T05
expandable connector B Real v[:]; end B;
connector O = output Real;
model C O y = 1; end C;
model M
  B b;
  C c;
  Real x = b.v[2];
equation
  connect(c.y, b.v[1]);
end M;
// legal expandable-absent
expandable connector B Real v; end B;
connector O = output Real;
model C O y = 1; end C;
model M
  B b;
  C c;
  Real x = b.v;
equation
  connect(c.y, b.v);
end M;

// illegal expandable-undeclared-both: F02
expandable connector B end B;
model M
  B b;
  B a;
equation
  connect(a.x, b.y);
end M;
// illegal expandable-undeclared-both: N01
expandable connector B end B;
connector O = output Real;
model C O y = 1; end C;
model M
  C c;
equation
  connect(c.y, q.y);
end M;
// legal expandable-undeclared-both
expandable connector B end B;
connector O = output Real;
model C O y = 1; end C;
model M
  C c;
  B b;
equation
  connect(c.y, b.y);
end M;

// illegal expandable-sources: F02
expandable connector B end B;
connector O = output Real;
model C O y = 1; end C;
model M
  B b;
  C c, d;
equation
  connect(c.y, b.y);
  connect(d.y, b.y);
end M;
// legal expandable-sources
expandable connector B end B;
connector O = output Real;
connector I = input Real;
model C O y = 1; end C;
model D I u; end D;
model M
  B b;
  C c;
  D d;
equation
  connect(c.y, b.y);
  connect(d.u, b.y);
end M;

// illegal connect-conditions: T11
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  if time > 1 then
    connect(c.p, d.p);
  end if;
end M;
// illegal connect-conditions: F02
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  when time > 1 then
    connect(c.p, d.p);
  end when;
end M;
// illegal connect-conditions: P01
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c;
  D d;
algorithm
  connect(c.p, d.p);
end M;
// illegal connect-conditions: F40
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c;
  D d;
initial equation
  connect(c.p, d.p);
end M;
// legal connect-conditions
connector P Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  parameter Boolean on = true;
  C c;
  D d(p(i(start = 2)));
equation
  if on then
    connect(c.p, d.p);
  end if;
end M;

// illegal connector-prefix: N41
connector P Real v; flow Real i; end P;
model M
  parameter P p;
end M;
// illegal connector-prefix: N41
connector P Real v; flow Real i; end P;
model M
  constant P p;
end M;
// illegal connector-prefix: N41
connector P = Real;
model M
  parameter P p = 2;
end M;
// legal connector-prefix
connector P parameter Real n = 2; Real v; flow Real i; end P;
model M
  P p;
equation
  p.v = 1;
end M;

// illegal connect-parameter: F02
connector P parameter Real n = 2; Real v; flow Real i; end P;
connector Q Real n; Real v; flow Real i; flow Real j; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.v = 1; p.n = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-parameter: F02
connector P parameter Real n = 2; Real v; flow Real i; end P;
connector Q constant Real n = 2; Real v; flow Real i; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-parameter: F02
connector P constant Real n = 3; Real v; flow Real i; end P;
connector Q constant Real n = 2; Real v; flow Real i; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// legal connect-parameter
connector P parameter Real n = 2; Real v; flow Real i; end P;
model C P p; equation p.v = 1; end C;
model D P p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;

// illegal connect-elements: F02
connector P Real v; flow Real i; end P;
connector Q Real u; flow Real i; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-elements: F02
connector P Real v; flow Real i; end P;
connector Q Real v; flow Real i; Real w; flow Real j; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.i = 1; p.w = 2; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-elements: F02
connector P Real v[2]; flow Real i[2]; end P;
connector Q Real v[3]; flow Real i[3]; end Q;
model C P p; equation p.v = {1, 2}; end C;
model D Q p; equation p.i = {1, 2, 3}; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-elements: F02
connector P Real v; end P;
connector Q Integer v; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-elements: F02
connector O = output Boolean;
connector I = input Integer;
block C O p = true; end C;
block D I p; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-elements: F02
connector O = output Integer;
connector I = input Real;
block C O p = 1; end C;
block D I p; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-elements: F02
type E1 = enumeration(a, b);
type E2 = enumeration(a, c);
connector O = output E1;
connector I = input E2;
block C O p = E1.a; end C;
block D I p; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// legal connect-elements
type E1 = enumeration(a, b);
type E2 = enumeration(a, b);
connector O = output E1;
connector I = input E2;
block C O p = E1.a; end C;
block D I p; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;

// illegal connect-causality: F06
connector O = output Real;
connector P = Real;
block C O p = 1; end C;
model D P p; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-causality: F02
connector O = output Real;
block C O p = 1; end C;
model M
  C c, d;
equation
  connect(c.p, d.p);
end M;
// illegal connect-causality: F02
connector O = output Real;
connector I = input Real;
block C O p = 1; end C;
block M
  C c;
  I u;
equation
  connect(c.p, u);
end M;
// illegal connect-causality: S03
connector I = input Real;
block D I p; end D;
model M
  D c, d;
equation
  connect(c.p, d.p);
end M;
// legal connect-causality
connector O = output Real;
connector I = input Real;
block C O p; I u; equation p = u; end C;
block M
  C c;
  I u;
  O y;
equation
  connect(c.p, y);
  connect(u, c.u);
end M;

// illegal connect-protected: S03
connector O = output Real;
connector I = input Real;
block C O p = 1; end C;
block M
protected
  O y;
equation
end M;
// legal connect-protected
connector O = output Real;
connector I = input Real;
block C O p = 1; end C;
block M
  C c;
protected
  O y;
equation
  connect(c.p, y);
end M;

// illegal connect-quantity: F02
connector P Real v(quantity = "Length"); flow Real i; end P;
connector Q Real v(quantity = "Mass"); flow Real i; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;
// legal connect-quantity
connector P Real v(quantity = "Length"); flow Real i; end P;
connector Q Real v; flow Real i; end Q;
model C P p; equation p.v = 1; end C;
model D Q p; equation p.i = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;

// illegal connect-outer: F02
connector P Real v; flow Real i; end P;
model C
  outer P a, b;
equation
  connect(a, b);
end C;
model M
  inner P a, b;
  C c;
equation
  a.v = 1;
end M;
// illegal connect-outer: F02
connector P Real v; flow Real i; end P;
model A P p; end A;
model C
  outer A a, b;
equation
  connect(a.p, b.p);
end C;
model M
  inner A a, b;
  C c;
equation
  a.p.v = 1;
end M;
// legal connect-outer
connector P Real v; flow Real i; end P;
model C
  outer P a;
  P b;
equation
  connect(a, b);
  b.v = 1;
end C;
model M
  inner P a;
  C c;
end M;

// illegal connector-balance: F07
connector P Real v; Real u; flow Real i; end P;
model M
  P p;
equation
  p.v = 1;
  p.u = 2;
end M;
// illegal connector-balance: F07
connector P flow Real i; end P;
model M
  P p;
equation
end M;
// illegal connector-balance: F07
connector P Real v[3]; flow Real i[2]; end P;
model M
  P p;
equation
  p.v = {1, 2, 3};
end M;
// legal connector-balance
connector P Real v[3]; flow Real i[2]; flow Real j; parameter Real k = 1; input Real z; output Real y; end P;
model M
  P p;
equation
  p.v = {1, 2, 3};
  p.y = p.z;
end M;

// illegal equality-constraint: F03
record R
  extends Q;
  function equalityConstraint
    input R a;
    input R b;
    output Real residue[1];
  algorithm
    residue := {a.x - b.x};
  end equalityConstraint;
end R;
record Q Real x; end Q;
connector P R r; flow Real f; end P;
model M
  P p;
equation
  Connections.root(p.r);
  Connections.branch(p.r, 3);
  p.r.x = 1;
end M;
// illegal equality-constraint: F03
record R
  Real x;
end R;
connector P R r; flow Real f; end P;
model M
  P p;
equation
  Connections.root(p.r);
  p.r.x = 1;
end M;
// illegal equality-constraint: F02
type A
  extends Real;
  function equalityConstraint
    input A a;
    input A b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end A;
connector P A r; Real x; flow Real f; end P;
model C P p; equation p.x = 1; p.r = 1;
  when time > 1 then
    Connections.root(p.r);
  end when;
end C;
model M
  C c;
end M;
// illegal equality-constraint: F03
type A
  extends Real;
  function equalityConstraint
    input A a;
    input A b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end A;
connector P A r; Real x; flow Real f; end P;
model C P p; equation p.x = 1; if Connections.rooted(p.r) then p.r = 1; else p.r = 2; end if;
end C;
model M
  C c;
end M;
// illegal equality-constraint: F03
type A
  extends Real;
  function equalityConstraint
    input A a;
    input A b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end A;
connector P A r; Real x; flow Real f; end P;
model C P p, q; equation p.x = 1; q.x = 1; connect(p, q);
end C;
model M
  C c;
end M;
// illegal equality-constraint: T03
type A
  extends Real;
  function equalityConstraint
    input A a;
    input A b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end A;
connector P A r; Real x; flow Real f; end P;
model C P p; equation p.x = 1; p.r = 1;
  Connections.potentialRoot(p.r, 1.5);
end C;
model M
  C c;
end M;
// legal equality-constraint
type A
  extends Real;
  function equalityConstraint
    input A a;
    input A b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end A;
connector P A r; Real x; flow Real f; end P;
model C P p; equation p.x = 1; p.r = 1;
  Connections.potentialRoot(p.r);
end C;
model D P p, q; equation p.x = q.x; 0 = p.f + q.f;
  Connections.branch(p.r, q.r);
  if Connections.rooted(p.r) then q.r = p.r; else p.r = q.r; end if;
end D;
model M
  C c;
  D d;
equation
  connect(c.p, d.p);
end M;

// illegal stream-place: N41
model M
  stream Real h;
equation
  h = 1;
end M;
// illegal stream-place: N40
record R stream Real h; end R;
model M
  R r(h = 1);
end M;
// legal stream-place
connector P Real p; flow Real m; stream Real h; end P;
model M
  P a;
equation
  a.h = 1;
  a.p = 2;
end M;

// illegal stream-flow: F07
connector P Real p; stream Real h; end P;
model M
  P a;
equation
  a.h = 1;
end M;
// illegal stream-flow: F07
connector P Real p, q; flow Real m, n; stream Real h; end P;
model M
  P a;
equation
  a.h = 1;
  a.p = 2;
  a.q = 2;
end M;
// illegal stream-flow: F07
connector P Real p[2]; flow Real m[2]; stream Real h; end P;
model M
  P a;
equation
  a.h = 1;
  a.p = {2, 2};
end M;
// illegal stream-flow: N41
connector P Integer p; flow Integer m; stream Real h; end P;
model M
  P a;
equation
  a.h = 1;
  a.p = 2;
end M;
// illegal stream-flow: P01
connector P Real p; flow Real m; flow stream Real h; end P;
model M
  P a;
equation
  a.h = 1;
  a.p = 2;
end M;
// illegal stream-flow: N41
connector P Real p; flow Real m; stream Integer h; end P;
model M
  P a;
equation
  a.h = 1;
  a.p = 2;
end M;
// legal stream-flow
connector P Real p; flow Real m; stream Real h; stream Real x[3]; end P;
model M
  P a;
equation
  a.h = 1;
  a.x = {1, 2, 3};
  a.p = 2;
end M;

// illegal in-stream: T08
connector P Real p; flow Real m; stream Real h; end P;
model M
  P a;
  Real y = inStream(a.p);
equation
  a.h = 1;
  a.p = 2;
end M;
// illegal in-stream: T08
model M
  Real x = time;
  Real y = inStream(x);
end M;
// illegal in-stream: T08
model M
  Real x = time;
  Real y = actualStream(x);
end M;
// illegal in-stream: T08
connector P Real p; flow Real m; stream Real h; end P;
model M
  P a;
  Real y = inStream(2*a.h);
equation
  a.h = 1;
  a.p = 2;
end M;
// illegal in-stream: T08
connector P Real p; flow Real m; stream Real h; end P;
model M
  P a;
  Real y = actualStream(a.m);
equation
  a.h = 1;
  a.p = 2;
end M;
// illegal in-stream: T08
connector P Real p; flow Real m; stream Real h; end P;
function f
  input P a;
  output Real y;
algorithm
  y := inStream(a.h);
end f;
model M
  P a;
  Real y = f(a);
equation
  a.h = 1;
  a.p = 2;
end M;
// illegal in-stream: T07
connector P Real p; flow Real m; stream Real h; end P;
model M
  P a;
  Real y = inStream();
equation
  a.h = 1;
  a.p = 2;
end M;
// legal in-stream
connector P Real p; flow Real m; stream Real h[2]; end P;
model C
  P a;
  Real y[2] = inStream(a.h);
  Real z[2] = actualStream(a.h);
  Real w = inStream(a.h[1]);
equation
  a.h = {1, 2};
  a.p = 2;
end C;
model D
  P a;
equation
  a.h = {3, 4};
  a.m = 1;
end D;
model M
  C c;
  D d;
equation
  connect(c.a, d.a);
end M;

// illegal stream-element-connect: F02
connector P Real p; flow Real m; stream Real h; end P;
connector Q Real p; flow Real m; Real h; end Q;
model C P a; equation a.h = 1; a.p = 2; end C;
model D Q a; equation a.m = 2; a.h = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.a, d.a);
end M;
// legal stream-element-connect
connector P Real p; flow Real m; stream Real h; end P;
model C P a; equation a.h = 1; a.p = 2; end C;
model D P a; equation a.m = 2; a.h = 1; end D;
model M
  C c;
  D d;
equation
  connect(c.a, d.a);
end M;

// illegal cardinality: T08
expandable connector B end B;
model M
  B b;
  Integer n = cardinality(b);
end M;
// illegal cardinality: T32
connector P Real v; flow Real i; end P;
model M
  P p[2];
equation
  p.v = {1, 2};
  if cardinality(p) > 0 then
  end if;
end M;
// illegal cardinality: T08
model M
  Real x = 1;
equation
  assert(cardinality(x) > 0, "no");
end M;
// legal cardinality
connector P Real v; flow Real i; end P;
model M
  P p[2];
equation
  p.v = {1, 2};
  assert(cardinality(p[1]) == 0, "no");
end M;
// illegal overdetermined-empty: F03
type T
  extends Real;
end T;
connector C
  Real u;
  flow Real i;
  T theta[0];
end C;
model M
  C a, b;
equation
  Connections.root(a.theta);
  a.u = time;
  b.u = 1;
end M;
// legal overdetermined-empty
type T
  extends Real;
  function equalityConstraint
    input T a;
    input T b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end T;
connector C
  Real u;
  flow Real i;
  T theta[0];
end C;
model Two
  C p, n;
equation
  p.u = n.u + p.i;
  p.i + n.i = 0;
  Connections.branch(p.theta, n.theta);
  p.theta = n.theta;
end Two;
model Source
  C p;
equation
  p.u = time;
  Connections.root(p.theta);
end Source;
model M
  Source s;
  Two t;
equation
  connect(s.p, t.p);
end M;

// illegal cardinality-of: T08
model M
  Real x = 1;
  Integer n = cardinality(x);
end M;
// illegal cardinality-of: T08
model A
  Real x = 1;
end A;
model M
  A a;
  Integer n = cardinality(a);
end M;
// illegal cardinality-of: T08
model M
  Integer n = cardinality(1 + 2);
end M;
// illegal cardinality-of: T08
record R
  Real x = 1;
end R;
model M
  R r;
  Integer n = cardinality(r);
end M;
// legal cardinality-of
connector C
  Real x;
  flow Real y;
end C;
connector O = output Real;
model A
  C c;
equation
  c.x = 1;
end A;
model B
  C c[2];
equation
  c.y = {0, 0};
end B;
model M
  A a;
  A d;
  B b;
  O o = time;
  Integer n = cardinality(a.c) + cardinality(b.c[2]) + cardinality(o);
equation
  connect(a.c, b.c[1]);
  connect(d.c, b.c[2]);
end M;

// illegal sizeless: F02 connected by its elements
expandable connector B Real x[:]; end B;
connector O = output Real;
model C O y[2] = {1, 2}; end C;
model M
  B b;
  C c;
equation
  connect(c.y, b.x);
end M;
// illegal sizeless: T33 its subscripts are numbers
expandable connector B end B;
connector O = output Real;
model C O y[2] = {1, 2}; end C;
model M
  B b;
  C c;
equation
  connect(c.y, b.x[:]);
end M;
// illegal sizeless: F02 do not determine its type
expandable connector B end B;
model M
  B b, c;
equation
  connect(b.x[2], c.x[2]);
end M;
// illegal sizeless: S03
expandable connector B Real x[:]; end B;
connector O = output Real;
model C O y = 1; end C;
model M
  B b;
  C c;
  Real absent = b.x[1];
equation
  connect(c.y, b.x[2]);
end M;
// illegal sizeless: F02
expandable connector B end B;
expandable connector D Real x[3]; end D;
connector O = output Real;
model C O y = 1; end C;
model M
  B b;
  D d;
  C c;
equation
  connect(c.y, b.x[4]);
  connect(b, d);
end M;
// legal sizeless
expandable connector B Real x[:]; end B;
connector O = output Real;
model C O y = 1; end C;
model M
  B b;
  C c[2];
  Real present[2] = b.x[{3, 1}];
equation
  connect(c[1].y, b.x[1]);
  connect(c[2].y, b.x[3]);
end M;
