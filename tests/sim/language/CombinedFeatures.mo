// Two or more features of the language at once, in small models whose variable e is zero, written from
// the sections of the specification. All of them are components of one model.
// simulate: --stop 1 --interval 0.05
// zero: error[1] 1e-9
// zero: error[2] 1e-9
// zero: error[3] 1e-9
// zero: error[4] 1e-9
// zero: error[5] 1e-9
// zero: error[6] 1e-9
// zero: error[7] 1e-9
// zero: error[8] 1e-9
// zero: error[9] 1e-9
// zero: error[10] 1e-9
// zero: error[11] 1e-9
// zero: error[12] 1e-9
// zero: error[13] 1e-9
// zero: error[14] 1e-9
// zero: error[15] 1e-9
// zero: error[16] 1e-9
// zero: error[17] 1e-9
// zero: error[18] 1e-9
// zero: error[19] 1e-9
// zero: error[20] 1e-9
// zero: error[21] 1e-9
// zero: error[22] 1e-9
// zero: error[23] 1e-9
// zero: error[24] 1e-9
// zero: error[25] 1e-9
// zero: error[26] 1e-9
// zero: error[27] 1e-9
// zero: error[28] 1e-9
// zero: error[29] 1e-9
// zero: error[30] 1e-9
// zero: error[31] 1e-9
// zero: error[32] 1e-9
// zero: error[33] 1e-9
// zero: error[34] 1e-9
// zero: error[35] 1e-9
// zero: error[36] 1e-9
// zero: error[37] 1e-9
// zero: error[38] 1e-9
// zero: error[39] 1e-9
// zero: error[40] 1e-9
// zero: error[41] 1e-9
// zero: error[42] 1e-9
// zero: error[43] 1e-9
// zero: error[44] 1e-9
// zero: error[45] 1e-9
// zero: error[46] 1e-9
// zero: error[47] 1e-9
model C01 "conditional array component with record and each"
  record R
    parameter Real a = 1;
    Real b = a*2;
  end R;
  model S
    parameter Boolean on = true;
    parameter Integer n = 2;
    R r[n](a = {3, 4}) if on;
    output Real y;
  equation
    y = 1;
  end S;
  S s[2](on = {true, false}, each n = 2);
  Real e = s[1].y + s[2].y - 2;
end C01;

model C02 "replaceable package constant determines a size, function from it"
  partial package Base
    constant Integer n;
    replaceable partial function f
      input Real u[n];
      output Real y;
    end f;
  end Base;
  package Two
    extends Base(n = 2);
    redeclare function extends f
    algorithm
      y := u*u;
    end f;
  end Two;
  package Three
    extends Base(n = 3);
    redeclare function extends f
    algorithm
      y := sum(u);
    end f;
  end Three;
  model Use
    replaceable package P = Two constrainedby Base;
    Real u[P.n] = {k*time for k in 1:P.n};
    Real y = P.f(u);
  end Use;
  Use a, b(redeclare package P = Three);
  Real e = a.y - 5*time^2 + b.y - 6*time;
end C02;

model C03 "enumeration-indexed arrays in records with for over type"
  type D = enumeration(x, y, z);
  record V
    Real c[D];
  end V;
  V v(c = {1, 2, 3}*time), w;
  Real e;
equation
  for d in D loop
    w.c[d] = v.c[d]*Integer(d);
  end for;
  e = w.c[D.x] + w.c[D.y] + w.c[D.z] - 14*time;
end C03;

model C04 "Boolean-indexed array, implicit range"
  Real t[Boolean] = {1, 2};
  Real e = sum(t[b]*(if b then 10 else 1) for b) - 21;
end C04;

model C05 "nested modifiers over three levels with final and arrays of arrays"
  model A
    parameter Real p[2] = {1, 1};
    Real x = p[1]*p[2];
  end A;
  model B
    A a[2];
  end B;
  model C
    B b(a(p = {{1, 2}, {3, 4}}));
  end C;
  C c[2](b(a(p = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})));
  Real e = sum(c.b.a.x) - (2 + 12 + 30 + 56);
end C05;

model C06 "extends with break of connection and redeclared component"
  connector P
    Real v;
    flow Real i;
  end P;
  model R
    P a, b;
    parameter Real r = 1;
  equation
    a.v - b.v = r*a.i;
    a.i + b.i = 0;
  end R;
  model G
    P p;
  equation
    p.v = 0;
  end G;
  model S
    P p;
    parameter Real v = 1;
  equation
    p.v = v;
  end S;
  model Net
    S s;
    R r;
    G g;
    R q(r = 3);
  equation
    connect(s.p, r.a);
    connect(r.b, g.p);
    connect(q.a, s.p);
    connect(q.b, g.p);
  end Net;
  model Less
    extends Net(break q);
  end Less;
  model Other
    extends Net(break connect(r.b, g.p), break q);
    R t(r = 4);
  equation
    connect(r.b, t.a);
    connect(t.b, g.p);
  end Other;
  Net n;
  Less l;
  Other o;
  Real e = n.s.p.i + 4/3 + l.s.p.i + 1 + o.s.p.i + 0.2;
end C06;

model C07 "for and if equations over parameters with arrays of records"
  record R
    Real a;
    Real b;
  end R;
  parameter Integer n = 4;
  R r[n];
  Real e;
equation
  for i in 1:n loop
    if mod(i, 2) == 0 then
      r[i] = R(i, 2*i);
    else
      r[i].a = -i;
      r[i].b = r[i].a^2;
    end if;
  end for;
  e = sum(r.a) - 2 + sum(r.b) - (1 + 4 + 9 + 8);
end C07;

model C08 "slices with end and step, negative ranges, in an algorithm with nested for"
  Real A[3, 4];
  Real e;
  Real B[2, 2];
algorithm
  for i in 3:-1:1 loop
    for j in 4:-2:2 loop
      A[i, j] := 10*i + j;
    end for;
    for j in 1:2:3 loop
      A[i, j] := A[i, j + 1]/2;
    end for;
  end for;
  B := A[1:2:end, {end, 1}];
  e := B[1, 1] - 14 + B[1, 2] - 6 + B[2, 1] - 34 + B[2, 2] - 16;
end C08;

model C09
  "function with varying number of outputs used as array, nested function call default referencing others"
  function f
    input Real a;
    input Real b = 2*a;
    input Real c = a + b;
    output Real y;
    output Real z[2];
  algorithm
    y := a*b*c;
    z := {a, c};
  end f;
  Real y, z[2], e;
equation
  (y, z) = f(time, c = 3);
  e = y - 6*time^2 + z[1] - time + z[2] - 3 + f(1) - 6;
end C09;

model C10 "function partial application through record and array"
  partial function F
    input Real x;
    output Real y;
  end F;
  function quad
    input F f;
    input Real a, b;
    output Real s;
  algorithm
    s := (b - a)/6*(f(a) + 4*f((a + b)/2) + f(b));
  end quad;
  function poly
    extends F;
    input Real c[:];
  algorithm
    y := 0;
    for k in size(c, 1):-1:1 loop
      y := y*x + c[k];
    end for;
  end poly;
  Real e = quad(function poly(c = {1, time, 3}), 0, 2) - (2 + 2*time + 8);
end C10;

model C11 "recursive function and if-expression in size"
  function fib
    input Integer n;
    output Integer y;
  algorithm
    y := if n < 2 then n else fib(n - 1) + fib(n - 2);
  end fib;
  parameter Integer n = fib(6);
  Real x[n] = {fib(k) for k in 1:n};
  Real e = sum(x) - 54;
end C11;

model C12 "protected function variables with sizes of inputs, while and break"
  function f
    input Real x[:];
    output Real y;
  protected
    Real s[size(x, 1) + 1] = cat(1, {0}, x);
    Integer i = 1;
  algorithm
    while true loop
      if i > size(s, 1) then
        break;
      end if;
      s[i] := s[i]^2;
      i := i + 1;
    end while;
    y := sum(s);
  end f;
  Real e = f({1, 2, time}) - 5 - time^2;
end C12;

model C13 "clock: subSample with shift of array and record"
  record R
    Real a;
    Real b;
  end R;
  Clock c = Clock(1, 10);
  R r;
  R h;
  Real v[2];
  Real w[2];
  Integer k(start = 0);
  Real e1, e;
equation
  k = previous(k) + 1;
  when c then
    r.a = sample(time);
    r.b = k;
    v = {r.a, r.b};
  end when;
  w = subSample(v, 2);
  h.a = hold(w[1]);
  h.b = hold(w[2]);
  e1 = subSample(r.b, 2) - w[2];
  e = hold(e1);
end C13;

model C14 "streams with three ports and zero flow"
  connector F
    Real p;
    flow Real m;
    stream Real h;
  end F;
  model Src
    F f;
    parameter Real m, h;
  equation
    f.m = -m;
    f.h = h;
  end Src;
  model Sink
    F f;
    parameter Real h = 0;
  equation
    f.p = 1;
    f.h = h;
  end Sink;
  Src a(m = 1, h = 10), b(m = 3, h = 20);
  Sink s;
  Real e = inStream(s.f.h) - 17.5;
equation
  connect(a.f, s.f);
  connect(b.f, s.f);
end C14;

model C15
  "constants of packages through short classes with modifiers, array constant indexed by parameter"
  package A
    constant Real c[3] = {1, 2, 3};
    constant Integer n = size(c, 1);
  end A;
  package B = A(c = {4, 5, 6});
  parameter Integer k = B.n - 1;
  Real e = B.c[k] - 5 + A.c[k] - 2 + sum(B.c[i]*A.c[i] for i in 1:A.n) - 32;
end C15;

model C16 "inner parameter record modified, outer in extends"
  record W
    parameter Real g = 9;
    parameter Real d[2] = {0, -1};
  end W;
  partial model B
    outer W w;
    Real a[2] = w.g*w.d;
  end B;
  model C
    extends B;
    Real s = sum(a);
  end C;
  inner W w(g = 10, d = {1, 2});
  C c[2];
  Real e = sum(c.s) - 60;
end C16;

model C17 "nested inner hides outer"
  model L
    outer Real x;
    Real y = x;
  end L;
  model K
    outer Real x;
    inner Real z = 2*x;
    model I
      outer Real z;
      Real y = z;
    end I;
    I i;
    L l;
  end K;
  inner Real x = time;
  K k;
  model H
    inner Real x = 5;
    L l;
  end H;
  H h;
  Real e = k.i.y - 2*time + k.l.y - time + h.l.y - 5;
end C17;

model C18 "redeclare component of array with constrainedby modifiers"
  partial model I
    parameter Real p = 1;
    Real y;
  end I;
  model A
    extends I;
  equation
    y = p;
  end A;
  model B
    extends I(p = 7);
    parameter Real q = 2;
  equation
    y = p*q;
  end B;
  model H
    replaceable A a[2] constrainedby I(each p = 3);
  end H;
  H h, k(redeclare B a[2](q = {1, 2}));
  Real e = sum(h.a.y) - 6 + sum(k.a.y) - 9;
end C18;

model C19 "redeclare with each and record field dims"
  record R
    replaceable Real v[2] = {1, 2};
    Integer n = size(v, 1);
  end R;
  R r, s(redeclare Real v[3] = {1, 2, 3});
  Real e = sum(r.v) + r.n - 5 + sum(s.v) + s.n - 9;
end C19;

model C20 "reinit of arrays, states in a for when"
  Real x[3](start = {1, 2, 3}, each fixed = true);
  Real e;
equation
  for i in 1:3 loop
    der(x[i]) = 0;
    when time > 0.1*i then
      reinit(x[i], -pre(x[i]));
    end when;
  end for;
  e = if time > 0.35 then sum(x) + 6 else 0;
end C20;

model C21 "array of functions results with vectorised call and named array args"
  function f
    input Real x;
    input Real k = 1;
    output Real y;
  algorithm
    y := k*x^2;
  end f;
  Real e = sum(f({1, 2, 3}, k = {1, 10, 100})) - 941 + sum(f([1, 2; 3, 4])) - 30
    + sum(f(time, {1, 2})) - 3*time^2;
end C21;

model C22 "matrix operators: outerProduct, symmetric, cross, skew, power, reshapes"
  Real v[3] = {1, time, 2};
  Real w[3] = {0, 1, -1};
  Real e = sum(abs(cross(v, w) - skew(v)*w))
    + sum(abs(outerProduct(v, w) - matrix(v)*transpose(matrix(w))))
    + sum(abs([1, 2; 3, 4]^3 - [37, 54; 81, 118])) + abs(scalar({{{time}}}) - time)
    + sum(abs(vector([1; 2; 3]) - {1, 2, 3})) + sum(abs(symmetric([1, 2; 7, 4]) - [1, 2; 2, 4]));
end C22;

model C23 "min max over arrays, reductions with several iterators, product, boolean min"
  Integer n = sum(i*j for i in 1:3, j in 1:2);
  Real e = n - 18 + max(i - j for i in 1:3, j in {0.5, 2}) - 2.5 + product(i for i in 1:4) - 24
    + min([3, 1; 2, time + 1]) - 1
    + (if max({false, true}) and not min({false, true}) then 0 else 1) + sum({i for i in 1:0})
    + product(i for i in 1:0) - 1;
end C23;

model C24 "ranges real, enum; array constructors nested"
  type D = enumeration(a, b, c, d);
  Real r[5] = 0:0.25:1;
  D d[2] = D.b:D.c;
  Real e = sum(r) - 2.5 + Integer(d[2]) - 3 + sum({{i*j for i in 1:2} for j in 1:3}) - 18
    + size(10:-3:0, 1) - 4 + size(1:0, 1);
end C24;

model C25 "Strings in records, arrays, functions, conditions at translation"
  record R
    String s = "x";
    Integer n = 1;
  end R;
  function count
    input String s[:];
    input String t;
    output Integer n;
  algorithm
    n := 0;
    for k in s loop
      if k == t then
        n := n + 1;
      end if;
    end for;
  end count;
  parameter R r[3](s = {"a", "b", "a"});
  Real e = count(r.s, "a") - 2 + (if r[2].s + "c" == "bc" then 0 else 1)
    + (if "abc" < "abd" then 0 else 1);
end C25;

model C26 "derivative annotation used when differentiated in index reduction"
  function f
    input Real x;
    output Real y;
  algorithm
    y := sin(x);
    annotation(Inline = false, derivative = df);
  end f;
  function df
    input Real x;
    input Real dx;
    output Real dy;
  algorithm
    dy := cos(x)*dx;
    annotation(Inline = false, derivative(order = 2) = ddf);
  end df;
  function ddf
    input Real x;
    input Real dx;
    input Real ddx;
    output Real ddy;
  algorithm
    ddy := -sin(x)*dx^2 + cos(x)*ddx;
  end ddf;
  Real x = f(2*time);
  Real v = der(x);
  Real a = der(v);
  Real e = v - 2*cos(2*time) + a + 4*sin(2*time);
end C26;

model C27 "function with record in/out with array sized by other input, and default"
  record R
    Real a[2];
    Real b;
  end R;
  function f
    input R r;
    input Integer n = size(r.a, 1);
    output R o[n];
  algorithm
    for i in 1:n loop
      o[i] := r;
      o[i].b := r.b*i;
    end for;
  end f;
  R r(a = {1, time}, b = 2);
  R s[2] = f(r);
  R q[3] = f(r, 3);
  Real e = sum(s.b) - 6 + sum(q.b) - 12 + sum(q.a) - 3 - 3*time;
end C27;

model C28 "delay, pre, edge with array conditions"
  Boolean b[2] = {time > 0.3, time > 0.6};
  Integer n(start = 0, fixed = true);
  Real d = delay(time, 0.1);
  Real e;
equation
  when edge(b[1]) or edge(b[2]) then
    n = pre(n) + 1;
  end when;
  e = (if time > 0.7 then n - 2 else 0) + (if time > 0.2 then d - time + 0.1 else 0);
end C28;

model C29 "connect with conditional connectors and arrays of causal blocks"
  connector I = input Real;
  connector O = output Real;
  block G
    parameter Boolean has = true;
    parameter Real k = 1;
    I u if has;
    O y;
  protected
    I in1;
  equation
    connect(u, in1);
    if not has then
      in1 = 7;
    end if;
    y = k*in1;
  end G;
  G g[3](has = {true, false, true}, k = {1, 2, 3});
  Real s = time;
  Real e = g[1].y - time + g[2].y - 14 + g[3].y - 42;
equation
  connect(g[2].y, g[3].u);
  g[1].u = s;
end C29;

model C30 "for loops with implicit ranges in equations over matrix and nested if"
  Real A[2, 3], B[3, 2];
  Real e;
equation
  for i, j loop
    A[i, j] = if i < j then i*time else j;
  end for;
  for i, j loop
    B[j, i] = A[i, j];
  end for;
  e = sum(transpose(A) - B) + A[1, 3] - time + A[2, 1] - 1;
end C30;

model C31 "initial algorithm and parameters fixed = false, arrays"
  parameter Real p[2](each fixed = false);
  parameter Real q(fixed = false, start = 1);
  Real x(start = 0, fixed = true);
  Real e;
initial algorithm
  for i in 1:2 loop
    p[i] := i*10;
  end for;
initial equation
  q^2 = p[1] - 1;
equation
  der(x) = p[2];
  e = x - 20*time + q - 3;
end C31;

model C32 "semiLinear, smooth, noEvent in arrays, integer ops"
  Real x = time - 0.5;
  Real y[2] = {semiLinear(x, 2, 3), noEvent(if x > 0 then x^2 else -x)};
  Real e = (if x >= 0 then y[1] - 2*x else y[1] - 3*x) + y[2] - (if x > 0 then x*x else -x)
    + div(-7, 2) + 3 + mod(-7, 2) - 1 + rem(-7, 2) + 1 + floor(-1.5) + 2 + integer(2.9) - 2
    + ceil(1.2) - 2;
end C32;

model C33 "component array of blocks with array ports, slices connects"
  connector I = input Real;
  connector O = output Real;
  block B
    parameter Integer n;
    I u[n];
    O y[n];
  equation
    y = u.*(1:n);
  end B;
  B b[2](each n = 3);
  Real e;
equation
  b[1].u = {time, 1, 2};
  connect(b[1].y[1:2], b[2].u[2:3]);
  connect(b[1].y[3], b[2].u[1]);
  e = sum(b[2].y) - 6 - 2*time - 6;
end C33;

model C34 "superSample with previous in arrays, integer clocks, firstTick and interval"
  Clock c = Clock(1, 5);
  Real u[2] = {sample(time, c), sample(2*time, c)};
  Real s[2](each start = 0) = previous(s) + u*interval(u[1]);
  Real up[2] = superSample(s, 2);
  Integer n(start = 0) = if firstTick(n) then 1 else previous(n) + 1;
  Boolean f = u[1] >= 0;
  Real q;
  Real e;
equation
  q = s[2] - 2*s[1] + (if n > 0 and f then 0 else 1);
  e = hold(q);
end C34;

model C35 "clocked controller in record with array of components"
  block PI
    input Real u;
    output Real y;
    parameter Real k = 1;
    Real i(start = 0);
  equation
    i = previous(i) + u;
    y = k*i;
  end PI;
  PI p[2](k = {1, 2});
  Real x = time;
  Real d;
  Real e;
equation
  p[1].u = sample(x, Clock(0.1));
  p[2].u = p[1].u;
  d = p[2].y - 2*p[1].y;
  e = hold(d);
end C35;

model C36 "event clock and when clock in for"
  Real x(start = 0, fixed = true);
  Clock c = Clock(sin(10*x) > 0);
  Integer n[3](each start = 0);
  Real e;
  Integer d;
equation
  der(x) = 1;
  when c then
    for i in 1:3 loop
      n[i] = previous(n[i]) + i;
    end for;
    d = n[3] - 3*n[1];
  end when;
  e = hold(d);
end C36;

model C37 "overconstrained: rotation-like records with branches in arrays"
  record O
    Real a;
    function equalityConstraint
      input O o1;
      input O o2;
      output Real r[1];
    algorithm
      r[1] := o1.a - o2.a;
    end equalityConstraint;
  end O;
  connector P
    O o;
    flow Real t;
  end P;
  model Root
    P p;
  equation
    Connections.root(p.o);
    p.o.a = time;
  end Root;
  model L
    P a, b;
  equation
    Connections.branch(a.o, b.o);
    a.o.a = b.o.a;
    a.t + b.t = 0;
  end L;
  Root r;
  L l[3];
  Real e;
equation
  connect(r.p, l[1].a);
  connect(l[1].b, l[2].a);
  connect(l[2].b, l[3].a);
  e = l[3].b.o.a - time;
end C37;

model C38 "bus with record element via connect and input/output array"
  connector RO = output R;
  connector RI = input R;
  record R
    Real x;
    Real y[2];
  end R;
  expandable connector Bus
    Real declared;
  end Bus;
  model A
    Bus b;
    RO o;
  equation
    o.x = time;
    o.y = {1, 2};
    connect(o, b.data);
  end A;
  model B
    Bus b;
    RI i;
  equation
    connect(b.data, i);
  end B;
  A a;
  B b;
  Bus c;
  Real e = b.i.x - time + sum(b.i.y) - 3;
equation
  connect(a.b, c);
  connect(c, b.b);
end C38;

model C39
  "function with multiple-algorithms inherit and protected initialised by inputs; matrix input default"
  function base
    input Real A[:, :] = [1, 2; 3, 4];
    output Real t;
  protected
    Integer n = min(size(A));
    Real d[n] = {A[i, i] for i in 1:n};
  algorithm
    t := sum(d);
  end base;
  function twice
    extends base;
  algorithm
    t := 2*t;
  end twice;
  Real e = base() - 5 + base([time]) - time;
end C39;

model C40 "if-expression with array branches and records; nested"
  record R
    Real a;
    Real b[2];
  end R;
  R p(a = 1, b = {2, 3}), q(a = 4, b = {5, time});
  R r = if time > 0.5 then p else q;
  Real v[2] = if time > 0.5 then p.b elseif time > 0.25 then q.b else {0, 0};
  Real e = r.a - (if time > 0.5 then 1 else 4) + v[2]
    - (if time > 0.5 then 3 elseif time > 0.25 then time else 0);
end C40;

model C41 "parameter arrays computed with functions of other parameters and final sizes"
  parameter Integer n = 3;
  final parameter Real A[n, n] = {
    {if i == j then 2 else if abs(i - j) == 1 then -1 else 0 for j in 1:n} for i in 1:n};
  function trid
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1)];
    output Real x[size(b, 1)];
  protected
    Real M[size(A, 1), size(A, 1)] = A;
    Real c[size(b, 1)] = b;
    Integer n = size(A, 1);
    Real m;
  algorithm
    for k in 1:n - 1 loop
      m := M[k + 1, k]/M[k, k];
      M[k + 1, :] := M[k + 1, :] - m*M[k, :];
      c[k + 1] := c[k + 1] - m*c[k];
    end for;
    for k in n:-1:1 loop
      x[k] := (c[k] - (if k < n then M[k, k + 1:n]*x[k + 1:n] else 0))/M[k, k];
    end for;
  end trid;
  Real x[n] = trid(A, {time, 0, 1});
  Real e = sum(abs(A*x - {time, 0, 1}));
end C41;

model C42
  "replaceable function as model parameter default, redeclared with partial application default"
  partial function F
    input Real u;
    output Real y;
  end F;
  function lin
    extends F;
    input Real k = 2;
  algorithm
    y := k*u;
  end lin;
  model S
    replaceable function f = lin constrainedby F;
    Real y = f(time);
  end S;
  parameter Real g = 3;
  S a, b(redeclare function f = lin(k = g));
  Real e = a.y - 2*time + b.y - 3*time;
end C42;

model C43 "nested function in record package operator; constants with functions"
  constant Real c[4] = cumulative({1, 2, 3, 4});
  function cumulative
    input Real x[:];
    output Real y[size(x, 1)];
  algorithm
    y[1] := x[1];
    for i in 2:size(x, 1) loop
      y[i] := y[i - 1] + x[i];
    end for;
  end cumulative;
  parameter Integer n = integer(c[2]);
  Real z[n] = ones(n)*time;
  Real e = sum(z) - 3*time + c[end] - 10;
end C43;

model C44 "variable subscripts in equations and algorithms, with if and arrays of arrays"
  Integer k = if time > 0.5 then 2 else 1;
  Real A[2, 3] = [1, 2, 3; 4, 5, 6]*time;
  Real x = A[k, 3];
  Real y[3] = A[k, :];
  Real z;
  Real e;
algorithm
  z := 0;
  for j in 1:3 loop
    z := z + A[k, j]*j;
  end for;
equation
  e = x - k*3*time + sum(y) - (if k == 1 then 6 else 15)*time + z
    - (if k == 1 then 14 else 32)*time;
end C44;

model C45 "when in algorithm with pre of array element, change() and edge in conditions vector"
  Integer s[2](each start = 0, each fixed = true);
  Boolean b(start = false, fixed = true);
  Real e;
  Integer t(start = 0, fixed = true);
algorithm
  when sample(0.1, 0.1) then
    s[1] := pre(s[1]) + 1;
    b := not pre(b);
  end when;
  when {change(b), time > 0.95} then
    s[2] := s[2] + 1;
  end when;
equation
  when change(s[1]) then
    t = pre(t) + 1;
  end when;
  e = if time > 0.05 and time < 0.92 then s[2] - s[1] + t - s[1] else 0;
end C45;

model C46 "homotopy with arrays of parameters, initial equations with der"
  Real x(start = 1), y(start = 2);
  parameter Real a = 2;
  Real e;
initial equation
  der(x) = 0;
  y = homotopy(actual = x^2 + 1, simplified = 2*x);
equation
  der(x) = a - x;
  der(y) = -(y - 5)*0;
  e = x - 2 + y - 5;
end C46;

model C47 "Inline functions, constants of enumeration arrays and choices"
  type G = enumeration(lin, quad);
  constant G kinds[:] = {G.quad, G.lin};
  function f
    input Real x;
    input G g;
    output Real y;
  algorithm
    if g == G.lin then
      y := x;
    else
      y := x^2;
    end if;
    annotation(Inline = true);
  end f;
  Real y[2] = {f(time, kinds[i]) for i in 1:2};
  Real e = y[1] - time^2 + y[2] - time + (if String(kinds[1]) == "quad" then 0 else 1);
end C47;

model CombinedFeatures
  C01 c01;
  C02 c02;
  C03 c03;
  C04 c04;
  C05 c05;
  C06 c06;
  C07 c07;
  C08 c08;
  C09 c09;
  C10 c10;
  C11 c11;
  C12 c12;
  C13 c13;
  C14 c14;
  C15 c15;
  C16 c16;
  C17 c17;
  C18 c18;
  C19 c19;
  C20 c20;
  C21 c21;
  C22 c22;
  C23 c23;
  C24 c24;
  C25 c25;
  C26 c26;
  C27 c27;
  C28 c28;
  C29 c29;
  C30 c30;
  C31 c31;
  C32 c32;
  C33 c33;
  C34 c34;
  C35 c35;
  C36 c36;
  C37 c37;
  C38 c38;
  C39 c39;
  C40 c40;
  C41 c41;
  C42 c42;
  C43 c43;
  C44 c44;
  C45 c45;
  C46 c46;
  C47 c47;
  Real error[47] = {c01.e, c02.e, c03.e, c04.e, c05.e, c06.e, c07.e, c08.e, c09.e, c10.e, c11.e,
    c12.e, c13.e, c14.e, c15.e, c16.e, c17.e, c18.e, c19.e, c20.e, c21.e, c22.e, c23.e, c24.e,
    c25.e, c26.e, c27.e, c28.e, c29.e, c30.e, c31.e, c32.e, c33.e, c34.e, c35.e, c36.e, c37.e,
    c38.e, c39.e, c40.e, c41.e, c42.e, c43.e, c44.e, c45.e, c46.e, c47.e};
end CombinedFeatures;
