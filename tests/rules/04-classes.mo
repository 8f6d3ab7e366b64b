Chapter 4: classes, predefined types, declarations.

// illegal record-sections: N40 equation
record R
  Real x;
equation
  x = 1;
end R;
model M
  R r;
end M;
// illegal record-sections: N40 algorithm
record R
  Real x;
algorithm
  x := 1;
end R;
model M
  R r;
end M;
// illegal record-sections: N40 equation
record R
  Real x;
initial equation
  x = 1;
end R;
model M
  R r(x = 2);
end M;
// legal record-sections
record R
  Real x;
end R;
model M
  R r;
equation
  r.x = 1;
end M;

// illegal record-protected: N40 protected
record R
  Real x;
protected
  Real y = 2;
end R;
model M
  R r(x = 1);
end M;
// legal record-protected
record R
  Real x;
  Real y = 2;
end R;
model M
  R r(x = 1);
end M;

// illegal record-prefixes: N40 input
record R
  input Real x;
end R;
model M
  R r(x = 1);
end M;
// illegal record-prefixes: N40 output
record R
  output Real x;
end R;
model M
  R r(x = 1);
end M;
// illegal record-prefixes: N40 flow
record R
  flow Real x;
end R;
model M
  R r(x = 1);
end M;
// illegal record-prefixes: N40 stream
record R
  stream Real x;
end R;
model M
  R r(x = 1);
end M;
// illegal record-prefixes: N40 inner
record R
  inner Real x;
end R;
model M
  R r(x = 1);
end M;
// illegal record-prefixes: N40 outer
record R
  outer Real x;
end R;
model M
  inner Real x = 1;
  R r;
end M;
// legal record-prefixes
record R
  parameter Integer n = 2;
  constant Real c = 3;
  Real x[n];
end R;
model M
  R r(x = {1, 2});
end M;

// illegal record-components: N40 model
model A
  Real y = 1;
end A;
record R
  A a;
end R;
model M
  R r;
end M;
// illegal record-components: N40 connector
connector C
  Real y;
end C;
record R
  C a;
end R;
model M
  R r(a(y = 1));
end M;
// illegal record-components: N40 block
block B
  output Real y = 1;
end B;
record R
  B a;
end R;
model M
  R r;
end M;
// legal record-components
record A
  Real y;
end A;
type T = Real(unit = "m");
type E = enumeration(one, two);
record R
  A a;
  T t;
  E e;
end R;
model M
  R r(a(y = 1), t = 2, e = E.one);
end M;

// illegal connector-sections: N40 equation
connector C
  Real x;
equation
  x = 1;
end C;
model M
  C c;
end M;
// illegal connector-sections: N40 algorithm
connector C
  Real x;
algorithm
  x := 1;
end C;
model M
  C c;
end M;
// legal connector-sections
connector C
  Real x;
  flow Real f;
end C;
model M
  C c;
equation
  c.x = 1;
end M;

// illegal connector-protected: N40 protected
connector C
  Real x;
protected
  parameter Real y = 2;
end C;
model M
  C c(x = 1);
end M;
// legal connector-protected
connector C
  Real x;
  flow Real f;
  parameter Real y = 2;
end C;
model M
  C c(x = 1);
end M;

// illegal connector-inner: N40 inner
connector C
  inner Real x;
end C;
model M
  C c(x = 1);
end M;
// illegal connector-inner: N40 outer
connector C
  outer Real x;
end C;
model M
  inner Real x = 1;
  C c;
end M;
// legal connector-inner
connector C
  Real x;
  flow Real f;
end C;
model M
  inner Real x = 1;
  inner C c(x = x);
end M;

// illegal connector-components: N40 model
model A
  Real y = 1;
end A;
connector C
  A a;
end C;
model M
  C c;
end M;
// illegal connector-components: N40 block
block A
  output Real y = 1;
end A;
connector C
  A a;
end C;
model M
  C c;
end M;
// legal connector-components
connector A
  Real y;
  flow Real f;
end A;
record R
  Real z;
end R;
connector C
  A a;
  R r;
  flow R g;
end C;
model M
  C c(a(y = 1), r(z = 2));
end M;

// illegal block-directions: N40 input
block B
  Real x = 1;
  connector C
    Real u;
  end C;
  C c(u = 1);
end B;
model M
  B b;
end M;
// legal block-directions
block B
  Real x = u;
  connector C = input Real;
  C u;
  output Real y = x;
  parameter Real p = 2;
protected
  Real z = x;
end B;
model M
  B b(u = 1);
end M;

// illegal package-contents: N40 constant
package P
  Real x = 1;
end P;
model M
  Real y = P.x;
end M;
// illegal package-contents: N40 constant
package P
  parameter Real x = 1;
end P;
model M
  Real y = P.x;
end M;
// illegal package-contents: N40 equation
package P
  constant Real x = 1;
equation
  x = 1;
end P;
model M
  Real y = P.x;
end M;
// illegal package-contents: N40 algorithm
package P
  constant Real x = 1;
algorithm
  x := 1;
end P;
model M
  Real y = P.x;
end M;
// legal package-contents
package P
  constant Real x = 1;
  model A
    Real y = x;
  end A;
end P;
model M
  P.A a;
end M;

// illegal type-extends: N40 type
type T
  extends Real;
  Real x;
end T;
model M
  T t = 1;
end M;
// illegal type-extends: N40 type
record R
  Real x;
end R;
type T = R;
model M
  T t(x = 1);
end M;
// illegal type-extends: N40 type
model A
  Real x = 1;
end A;
type T
  extends A;
end T;
model M
  T t;
end M;
// legal type-extends
type E = enumeration(a, b);
type T
  extends Real(unit = "m");
end T;
type V = T[3];
type F = E;
model M
  T t = 1;
  V v = {1, 2, 3};
  F f = E.a;
end M;

// illegal operator-contents: N40 operator
operator record C
  Real re;
  encapsulated operator '+'
    Real x;
    function add
      import C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re + b.re);
    end add;
  end '+';
end C;
model M
  C a = C(1);
  C b = a + a;
end M;
// illegal operator-contents: N40 operator
operator record C
  Real re;
  encapsulated operator '+'
    function add
      import C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re + b.re);
    end add;
    model A
    end A;
  end '+';
end C;
model M
  C a = C(1);
  C b = a + a;
end M;
// illegal operator-contents: N40 operator
model M
  operator O
  end O;
  Real x = 1;
end M;
// illegal operator-contents: N40 operator
package P
  operator function f
    input Real x;
    output Real y = x;
  end f;
end P;
model M
  Real x = P.f(1);
end M;
// legal operator-contents
operator record C
  Real re;
  encapsulated operator '+'
    function add
      import C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re + b.re);
    end add;
  end '+';
  encapsulated operator function '-'
    import C;
    input C a;
    output C c;
  algorithm
    c := C(-a.re);
  end '-';
end C;
model M
  C a = C(1);
  C b = -(a + a);
end M;

// illegal expandable-contents: N40 flow
expandable connector Bus
  flow Real f;
end Bus;
model M
  Bus b;
end M;
// legal expandable-contents
connector C
  Real x;
  flow Real f;
end C;
expandable connector Bus
  C c;
  Real y;
end Bus;
model M
  Bus b;
end M;

// illegal partial-component: N12 partial
partial model A
  Real x = 1;
end A;
model M
  A a;
end M;
// legal partial-component
partial model A
  Real x = 1;
end A;
model B
  extends A;
end B;
model M
  B b;
end M;

// illegal component-of-function: T34
function f
  input Real x;
  output Real y = x;
end f;
model M
  f g;
end M;
// illegal component-of-function: T34
package P
end P;
model M
  P p;
end M;
// legal component-of-function
function f
  input Real x;
  output Real y = x;
end f;
model M
  Real z = f(2);
end M;

// illegal simulate-model: N12
record M
  Real x = 1;
end M;
// illegal simulate-model: N12
connector M
  Real x = 1;
end M;
// legal simulate-model
class M
  Real x = 1;
end M;

// illegal class-name-once: N05 twice
model M
  Real x = 1;
  Real x = 2;
end M;
// illegal class-name-once: N05 twice
model M
  model x
  end x;
  Real x = 2;
end M;
// legal class-name-once
model M
  model x
    Real x = 1;
  end x;
  x y;
end M;

// illegal component-named-as-type: N02 not a class
model A
  Real y = 1;
end A;
model M
  A A;
end M;
// legal component-named-as-type
model A
  Real y = 1;
end A;
model M
  A a;
end M;

// illegal predefined-names: N44 predefined
model M
  Real Real = 1;
end M;
// illegal predefined-names: N44 predefined
model M
  Integer Boolean = 1;
end M;
// illegal predefined-names: N44 predefined
model M
  type String = Real;
  String x = 1;
end M;
// legal predefined-names
model M
  Real real = 1;
  Real times = 2;
end M;

// illegal enumeration-literals: N05 twice
model M
  type E = enumeration(a, b, a);
  E e = E.a;
end M;
// illegal enumeration-literals: N44 attribute
model M
  type E = enumeration(min, max);
  E e = E.max;
end M;
// illegal enumeration-literals: N44 attribute
model M
  type E = enumeration(start, b);
  E e = E.b;
end M;
// legal enumeration-literals
model M
  type E = enumeration(minimum, maximum);
  E e = E.maximum;
end M;

// illegal open-enumeration: 
model M
  type E = enumeration(:);
  E e;
end M;
// legal open-enumeration
model A
  replaceable type E = enumeration(:);
  E e;
end A;
model M
  type F = enumeration(a, b);
  A a(redeclare type E = F, e = F.a);
end M;

// illegal duplicate-prefix: P01
model M
  parameter constant Real x = 1;
end M;
// legal duplicate-prefix
model M
  final parameter Real x = 1;
end M;

// illegal flow-type: N41 flow
connector C
  Real x;
  flow Boolean f;
end C;
model M
  C c;
end M;
// illegal flow-type: N41 flow
connector C
  Real x;
  flow String f;
end C;
model M
  C c;
end M;
// illegal flow-type: N41 stream
connector C
  flow Real f;
  Real x;
  stream Boolean s;
end C;
model M
  C c;
end M;
// illegal flow-type: N41 flow
type E = enumeration(a, b);
connector C
  Real x;
  flow E f;
end C;
model M
  C c;
end M;
// legal flow-type
record R
  Real a;
  Real b;
end R;
connector C
  R x;
  flow R f;
end C;
model M
  C c(x(a = 1, b = 2));
end M;

// illegal flow-in-flow: N41 flow
record R
  flow Real a;
end R;
connector C
  Real x;
  flow R f;
end C;
model M
  C c(x = 1);
end M;
// legal flow-in-flow
record R
  Real a;
end R;
connector C
  Real x;
  flow R f;
end C;
model M
  C c(x = 1);
end M;

// illegal flow-outside-connector: N41 no prefix
model A
  Real x = 1;
end A;
model M
  flow A a;
end M;

// legal flow-outside-connector
connector C
  Real v;
  flow Real i;
end C;
model M
  C c(v = 1);
end M;

// illegal input-in-input: N41 input
record R
  Real x;
end R;
connector C
  input R r;
end C;
connector D
  input C c;
end D;
model M
  D d(c(r(x = 1)));
end M;
// illegal input-in-input: N41 output
connector C
  output Real y;
end C;
block B
  output C c(y = 1);
end B;
model M
  B b;
end M;
// legal input-in-input
record R
  Real x;
end R;
connector C
  input R r;
end C;
connector D
  C c;
end D;
model M
  D d(c(r(x = 1)));
end M;

// illegal prefix-on-class: N41 model
model A
  Real x = 1;
end A;
model M
  parameter A a;
end M;
// illegal prefix-on-class: N41 block
block A
  output Real x = 1;
end A;
model M
  constant A a;
end M;
// illegal prefix-on-class: N41 model
model A
  Real x = 1;
end A;
model M
  input A a;
end M;
// illegal prefix-on-class: N41 model
model A
  Real x = 1;
end A;
model M
  discrete A a;
end M;
// legal prefix-on-class
record A
  Real x;
end A;
model M
  parameter A a(x = 1);
end M;

// illegal constant-connector: N41 connector
connector C
  Real x;
end C;
model M
  parameter C c(x = 1);
end M;
// illegal constant-connector: N41 connector
connector C
  Real x;
end C;
model M
  constant C c(x = 1);
end M;
// legal constant-connector
connector C
  parameter Real x = 2;
end C;
model M
  C c;
end M;

// illegal discrete-not-real: T41 changes at events
model M
  discrete Real x;
equation
  x = time;
end M;
// illegal discrete-not-real: T41 changes at events
model M
  discrete Real x = time;
end M;
// illegal discrete-not-real: 
model M
  discrete Real x;
equation
  der(x) = 1;
end M;
// legal discrete-not-real
model M
  discrete Real x(start = 0, fixed = true);
equation
  when time > 0.5 then
    x = time;
  end when;
end M;

// illegal discrete-parameter: P01
model M
  discrete parameter Real x = 1;
end M;
// legal discrete-parameter
model M
  parameter Integer x = 1;
end M;

// illegal constant-binding: T41 constant
model M
  parameter Real p = 1;
  constant Real c = p;
end M;
// illegal constant-binding: T35 varies
model M
  constant Real c = time;
end M;
// illegal constant-binding: T35 varies
model M
  Real x = 3;
  constant Real c = 2*x;
end M;
// legal constant-binding
model M
  constant Real d = 3;
  constant Real c = 2*d;
end M;

// illegal constant-without-value: N14 has no value
model M
  constant Real c;
  Real x = c;
end M;
// illegal constant-without-value: N14 has no value
package P
  constant Real c;
end P;
model M
  Real x = P.c;
end M;
// legal constant-without-value
partial package P
  constant Real c;
end P;
package Q
  extends P(c = 2);
end Q;
model M
  Real x = Q.c;
end M;

// illegal parameter-binding: T35 varies
model M
  parameter Real p = time;
end M;
// illegal parameter-binding: T35 varies
model M
  Real x = 2*time;
  parameter Real p = x;
end M;
// legal parameter-binding
model M
  parameter Real q = 2;
  parameter Real p = q;
end M;

// illegal cyclic-parameters: N13 itself
model M
  parameter Real p = q;
  parameter Real q = p;
end M;
// legal cyclic-parameters
model M
  parameter Real p = q;
  parameter Real q = 1;
end M;

// illegal condition-variability: T11 condition
model M
  Real x = 1;
  Real y = 2 if x > 0;
end M;
// illegal condition-variability: T11 condition
model M
  Boolean b = time > 1;
  Real y = 2 if b;
end M;
// illegal condition-variability: T31 Boolean
model M
  parameter Integer b = 1;
  Real y = 2 if b;
end M;
// legal condition-variability
model M
  parameter Boolean b = false;
  Real y = 2 if b;
end M;

// illegal conditional-use: N47 conditional component
model A
  Real x = 1;
end A;
model M
  parameter Boolean b = true;
  A a if b;
  Real y = a.x;
end M;
// illegal conditional-use: N47 conditional component
model M
  parameter Boolean b = true;
  Real a = 1 if b;
  Real y;
equation
  y = 2*a;
end M;
// legal conditional-use
connector C
  Real v;
  flow Real i;
end C;
model A
  C p;
equation
  p.v = 1;
end A;
model B
  C p;
equation
  p.i = 2;
end B;
model M
  parameter Boolean b = false;
  A a if b;
  A d;
  B c;
equation
  connect(a.p, c.p);
  connect(d.p, c.p);
end M;

// illegal conditional-redeclared: P03 condition
model A
  Real x = 1;
end A;
model B
  replaceable A a;
end B;
model M
  B b(redeclare A a if false);
end M;
// legal conditional-redeclared
model A
  Real x = 1;
end A;
model B
  replaceable A a if false;
end B;
model M
  B b(redeclare A a);
end M;

// illegal fixed-of-constant: T41 fixed
model M
  constant Real c(fixed = false) = 1;
end M;
// legal fixed-of-constant
model M
  parameter Real c(fixed = false);
initial equation
  c = 1;
end M;

// illegal start-variability: T41 start
model M
  Real y = time;
  Real x(start = y);
equation
  der(x) = 1;
end M;
// illegal start-variability: T41 start
model M
  Real x(start = time);
equation
  der(x) = 1;
end M;
// illegal start-variability: T41 max
model M
  Real x(max = time) = 0;
end M;
// legal start-variability
model M
  parameter Real y = 2;
  Real x(start = y, max = 2*y);
equation
  der(x) = 1;
end M;

// illegal attribute-type: T
model M
  Real x(start = true);
equation
  der(x) = 1;
end M;
// illegal attribute-type: T
model M
  Real x(unit = 1) = 1;
end M;
// illegal attribute-type: T
model M
  Real x(fixed = 1);
equation
  der(x) = 1;
end M;
// illegal attribute-type: N03
model M
  Boolean x(min = false) = true;
end M;
// illegal attribute-type: N03
model M
  Integer x(unit = "m") = 1;
end M;
// illegal attribute-type: N03
model M
  String x(max = "m") = "";
end M;
// legal attribute-type
model M
  Integer x(min = 0, max = 3, quantity = "q", start = 1, fixed = true) = 1;
  Boolean b(start = true) = true;
  Real r(unit = "m", nominal = 3, stateSelect = StateSelect.never, unbounded = true) = 1;
end M;

// illegal attribute-access: N
model M
  Real x(start = 1);
  Real y = x.start;
equation
  der(x) = 1;
end M;
// legal attribute-access
model M
  parameter Real s = 1;
  Real x(start = s);
  Real y = s;
equation
  der(x) = 1;
end M;

// illegal balance-binding: F
model A
  Real x;
end A;
model M
  A a;
equation
  a.x = 1;
  a.x = 2;
end M;
// legal balance-binding
model A
  input Real u;
  Real x;
equation
  x = u;
end A;
model M
  A a(u = 2);
end M;

// legal balance-input-bound
model A
  input Real u = 3;
  Real x;
equation
  x = u;
end A;
model M
  A a;
end M;

// illegal connector-balance: F
connector C
  Real x;
  Real y;
  flow Real f;
end C;
model A
  C c;
equation
  c.x = 1;
  c.y = 2;
end A;
model M
  A a;
end M;
// legal connector-balance
connector C
  Real x;
  Real y;
  flow Real f;
  flow Real g;
end C;
model A
  C c;
equation
  c.x = 1;
  c.y = 2;
end A;
model M
  A a;
end M;

// warning range-min: R01 'm' is -1, below its min of 0
model M
  parameter Real m(min = 0) = -1;
end M;
// warning range-max: R01 's.p' is 2, above its max of 1
model M
  model Part
    type Share = Real(min = 0, max = 1);
    parameter Share p = 0.5;
  end Part;
  Part s(p = 2);
end M;
// warning range-integer: R01 'n[2]' is 0, below its min of 1
model M
  parameter Integer n[3](each min = 1) = {1, 0, -1};
end M;
// legal range
model M
  type Share = Real(min = 0, max = 1);
  constant Share c = 1;
  parameter Share p = 0, q = 1;
  parameter Share r(min = -1) = -0.5;
  parameter Integer n(max = 3) = 3;
  Share x(start = 2) = 5*time;
end M;
// illegal element-names: N05
model M
  Real x = 1;
  Integer x = 2;
end M;
// illegal element-names: N05
model A
  Real x = 1;
end A;
model M
  extends A;
  Integer x = 2;
end M;
// illegal element-names: N05
model M
  model x
  end x;
  Real x = 2;
end M;
// legal element-names
model A
  Real x = 1;
end A;
model M
  extends A;
  Real y = 2;
  model X
  end X;
end M;
// illegal cyclic-parameters: N13
model M
  parameter Real p = 2*q;
  parameter Real q = p + 1;
end M;
// illegal cyclic-parameters: N13
model M
  parameter Integer n = size(x, 1);
  Real x[n] = ones(n);
end M;
// legal cyclic-parameters
model M
  parameter Real p = 2*q;
  parameter Real q = 1;
  parameter Integer n = size(x, 1);
  Real x[3] = ones(n);
end M;
// illegal der-discrete: 
model M
  Integer i = if time > 1 then 2 else 1;
  Real x = der(i);
end M;
// illegal der-discrete: 
model M
  discrete Real d;
  Real x = der(d);
equation
  when time > 1 then
    d = 2;
  end when;
end M;
// legal der-discrete
model M
  Real y = time^2;
  Real x = der(y);
end M;
// illegal constant-value: 
model M
  constant Real c;
  Real x = c*time;
end M;
// legal constant-value
model M
  constant Real c = 2;
  Real x = c*time;
end M;
// illegal discrete-in-when: 
model M
  discrete Real d = 2*time;
end M;
// illegal discrete-in-when: 
model M
  discrete Real d;
equation
  d = sin(time);
end M;
// legal discrete-in-when
model M
  discrete Real d;
equation
  when time > 1 then
    d = sin(time);
  end when;
end M;
// illegal when-of-component: 
model A
  discrete Real d;
end A;
model M
  A a;
equation
  when time > 1 then
    a.d = 2;
  end when;
end M;
// legal when-of-component
record R
  discrete Real d;
end R;
connector C
  discrete output Real d;
end C;
model M
  R r;
  C c;
equation
  when time > 1 then
    r.d = 2;
    c.d = 3;
  end when;
end M;
// illegal condition-type: 
model M
  parameter Integer n = 1;
  Real x = 2 if n;
end M;
// illegal condition-type: 
model M
  Real y = time;
  Real x = 2 if y > 1;
end M;
// illegal condition-type: 
model M
  parameter Boolean b[2] = {true, false};
  Real x = 2 if b;
end M;
// legal condition-type
model M
  parameter Integer n = 1;
  Real x = 2 if n > 0;
end M;
// illegal conditional-use: N47
model M
  parameter Boolean b = true;
  Real x = 2 if b;
  Real y = x;
end M;
// legal conditional-use
connector C = Real;
model M
  parameter Boolean b = false;
  Real x = 2 if b;
end M;
// illegal extends-mixed: 
type V = Real[3];
model M
  extends V;
  Real x;
end M;
// illegal extends-mixed: 
type T
  extends Real;
  Real x;
end T;
model M
  T t;
end M;
// illegal extends-mixed: 
connector C
  extends Real;
  Integer i;
end C;
model M
  C c;
end M;
// legal extends-mixed
type T
  extends Real(unit = "m");
end T;
model M
  T t = 2;
end M;
// illegal input-of-component: 
block B
  input Real u;
  output Real y = u;
end B;
model M
  B b;
end M;
// legal input-of-component
block B
  input Real u;
  output Real y = u;
end B;
model M
  B b(u = time);
end M;
// illegal component-modifiers: 
model A
  Real x;
equation
  x = time;
end A;
model M
  A a(redeclare Integer x);
end M;
// legal component-modifiers
model A
  replaceable Real x;
equation
  x = time;
end A;
model M
  A a(redeclare Real x(unit = "m"));
end M;
// illegal attribute-access: 
model M
  Real x(start = 2) = time;
  Real y = x.start;
end M;
// illegal attribute-access: 
model M
  Real x = time;
equation
  x.unit = "m";
end M;
// illegal attribute-access: 
model M
  Real x = time;
  Real y = x.value;
end M;
// legal attribute-access
model M
  parameter Real x0 = 2;
  Real x(start = x0);
  Real y = x0;
equation
  der(x) = -x;
end M;
// illegal enumeration-literals: 
type E = enumeration(a, b, a);
model M
  E e = E.a;
end M;
// legal enumeration-literals
type E = enumeration(a, b, A);
model M
  E e = E.a;
end M;
// illegal enumeration-conversion: 
type E = enumeration(a, b, c);
model M
  parameter E e = E(4);
  Integer i = Integer(e);
end M;
// illegal enumeration-conversion: 
type E = enumeration(a, b, c);
model M
  constant E e = E(0);
  Integer i = Integer(e);
end M;
// legal enumeration-conversion
type E = enumeration(a, b, c);
model M
  constant E e = E(2);
  Integer i = Integer(e);
end M;
// illegal fixed-values: 
model M
  Real x(fixed = 1);
equation
  der(x) = 1;
end M;
// legal fixed-values
model M
  Real x(start = 2, fixed = true);
equation
  der(x) = 1;
end M;
// illegal fixed-values: 
model M
  parameter Boolean b = true;
  Real x(start = "a");
equation
  der(x) = 1;
end M;
// illegal annotation-types: 
model M
  LinePattern p = LinePattern.Solid;
end M;
// illegal annotation-types: 
model M
  Color c;
end M;
// legal annotation-types
model M
  type LinePattern = enumeration(Solid, Dash);
  LinePattern p = LinePattern.Dash;
end M;

// illegal discrete-in-when: T41
model M
  discrete Real x = 1;
end M;
// illegal discrete-in-when: T41
model M
  discrete Real x;
equation
  x = 1;
end M;
// illegal discrete-in-when: T41
model M
  discrete Real x;
  Boolean b = time > 1;
equation
  x = if b then 1 else 0;
end M;
// illegal discrete-in-when: T41
model A
  discrete Real x = 1;
end A;
model M
  A a;
end M;
// illegal discrete-in-when: T41
model M
  discrete Real x;
algorithm
  x := 2;
end M;
// legal discrete-in-when
model M
  discrete Real x;
  discrete Integer n = 1;
  discrete Boolean b = time > 1;
algorithm
  when time > 1 then
    x := 2;
  end when;
end M;
// legal discrete-in-when
connector Y = discrete output Real;
partial model B
  discrete output Real x;
  Y y = x;
end B;
model A
  extends B;
equation
  when time > 1 then
    x = 2;
  end when;
end A;
model M
  A a;
  discrete Real z;
  Real w[2];
equation
  when time > 1 then
    z = 1;
    w = {1, 2};
  end when;
end M;
// illegal conditional-use: N47
model A
  input Real x;
end A;
model M
  parameter Boolean c = true;
  A a if c;
algorithm
  a.x := 1;
end M;
// illegal conditional-use: N47
record R
  Real x;
end R;
model M
  parameter Boolean c = true;
  R a if c;
algorithm
  a.x := 1;
end M;
// illegal conditional-use: N47
model M
  parameter Boolean c = true;
  Real a if c;
algorithm
  a := 1;
end M;
// illegal conditional-use: N47
model A
  function f
    input Real x;
    output Real y = x;
  end f;
  Real z = 1;
end A;
model M
  parameter Boolean c = true;
  A a if c;
  Real y = a.f(2);
end M;
// illegal conditional-use: N47
function f
  input Real x;
  output Real y = x;
  output Real z = 2*x;
end f;
model M
  parameter Boolean c = true;
  Real a if c;
  Real b;
algorithm
  (a, b) := f(time);
end M;
// legal conditional-use
connector P
  Real v;
  flow Real i;
end P;
model A
  P p;
equation
  p.v = 1;
end A;
model M
  parameter Boolean c = true;
  A a if c;
  P p;
equation
  connect(p, a.p);
end M;
// illegal connector-input-twice: N41 4.4.2
connector D
  input Real x;
end D;
connector C = input D;
model M
  C c;
end M;
// illegal connector-input-twice: N41 4.4.2
connector D
  output Real x;
end D;
connector C = input D;
model M
  C c;
end M;
// illegal connector-input-twice: N41 4.4.2
connector D
  Real x;
  flow Real y;
end D;
connector C = output D;
model M
  C c;
end M;
// illegal connector-input-twice: N41 4.4.2
connector E = output Real;
connector D
  E e;
end D;
connector C = input D;
model M
  C c;
end M;
// illegal connector-input-twice: N41
connector D = output Real;
connector C = input D;
model M
  C c = 1;
end M;
// legal connector-input-twice
connector D
  Real x;
end D;
connector E = input D;
connector C = output D;
model M
  E e;
  C c;
equation
    c.x = 2;
end M;
// illegal component-balance: F06 4.8
model A
  Real x;
end A;
model M
  A a;
equation
  a.x = 1;
end M;
// illegal component-balance: F06 4.8
model A
  Real x;
  Real y;
equation
  x = 1;
  x + y = 2;
  y = 1;
end A;
model M
  A a;
  Real z;
equation
  a.x = z;
end M;
// legal component-balance
model A
  input Real u;
  Real x = 2*u;
end A;
model M
  A a(u = time);
end M;

// illegal predefined-name: N44
model Real
  Integer x = 1;
end Real;
model M
  Integer n = 1;
end M;
// illegal predefined-name: N44
model M
  type Real = Integer;
  Integer n = 1;
end M;
// illegal predefined-name: N44
package P
  function String
    input Integer x;
    output Integer y = x;
  end String;
end P;
model M
  Integer n = P.String(1);
end M;
// illegal predefined-name: N44
connector Boolean = input Integer;
model M
  Integer n = 1;
end M;
// illegal predefined-name: N44
model M
  Integer Real = 1;
end M;
// illegal predefined-name: N44
model M
  type E = enumeration(a, Real);
  E e = E.a;
end M;
// legal predefined-name
model Reel
  Integer x = 1;
end Reel;
model M
  Reel real;
  parameter Real string = 1;
end M;
// illegal state-select: S04 never
model M
  Real x(stateSelect = StateSelect.never, start = 1, fixed = true);
equation
  der(x) = -x;
end M;
// illegal state-select: S04 always
model M
  Real x(stateSelect = StateSelect.always);
equation
  x = time;
end M;
// legal state-select
model M
  Real x(stateSelect = StateSelect.never, start = 1, fixed = true);
  Real y(stateSelect = StateSelect.always);
equation
  der(x) = -x;
  y = 2*x;
end M;
// legal discrete-in-when
model M
  parameter Real c = 0.1;
  discrete Real k, l = previous(k);
  Real held;
equation
  k = sample(time, Clock(c));
  held = hold(k);
end M;

// illegal block-simple-connector: N40 input or output
connector C = Real;
block B
  C c = 1;
end B;
model M
  B b;
end M;
// legal block-simple-connector
connector C = output Real;
connector D = Real;
block B
  C c = 1;
  input D d;
end B;
model M
  B b(d = time);
end M;

// illegal record-simple-connector: N40 connector
connector C = Real;
record R
  C c = 1;
end R;
model M
  R r;
end M;
// legal record-simple-connector
type C = Real;
record R
  C c = 1;
end R;
model M
  R r;
end M;
