Chapter 5: visibility, inner and outer, lookup.

// illegal protected-by-dot: N07 protected
model A
protected
  Real x = 1;
end A;
model M
  A a;
  Real y = a.x;
end M;
// illegal protected-by-dot: N07 protected
package P
protected
  constant Real c = 1;
end P;
model M
  Real y = P.c;
end M;
// illegal protected-by-dot: N07 protected
package P
protected
  model A
    Real x = 1;
  end A;
end P;
model M
  P.A a;
end M;
// illegal protected-by-dot: N07 protected
package P
protected
  function f
    input Real x;
    output Real y = x;
  end f;
end P;
model M
  Real y = P.f(1);
end M;
// illegal protected-by-dot: N07 protected
model A
protected
  Real x;
end A;
model M
  A a;
equation
  a.x = 1;
end M;
// illegal protected-by-dot: N07 protected
connector C
  Real x;
end C;
model A
protected
  C c;
end A;
model M
  A a;
  C c;
equation
  connect(a.c, c);
end M;
// legal protected-by-dot
model A
  Real y = x;
protected
  Real x = 1;
end A;
model B
  extends A;
  Real z = x;
end B;
model M
  B b;
  Real y = b.z;
end M;

// illegal protected-extends: N07 protected
model A
protected
  model B
    Real x = 1;
  end B;
end A;
model M
  extends A.B;
end M;
// legal protected-extends
model A
  model B
    Real x = 1;
  end B;
end A;
model M
  extends A.B;
end M;

// illegal protected-by-extends: N07
model A
  Real x = 1;
end A;
model B
protected
  extends A;
end B;
model M
  B b;
  Real y = b.x;
end M;
// legal protected-by-extends
model A
  Real x = 1;
end A;
model B
  Real z = x;
protected
  extends A;
end B;
model M
  B b;
  Real y = b.z;
end M;

// illegal protected-import: N07 protected
package P
protected
  constant Real c = 1;
end P;
model M
  import P.c;
  Real y = c;
end M;
// legal protected-import
package P
  constant Real c = 1;
end P;
model M
  import P.c;
  Real y = c;
end M;

// illegal protected-modified: N07 protected
model A
protected
  parameter Real x = 1;
end A;
model M
  A a(x = 2);
end M;
// legal protected-modified
model A
protected
  parameter Real x = 1;
end A;
model M
  extends A(x = 2);
end M;

// illegal inner-type: N08
model A
  outer Real x;
  Real y = x;
end A;
model M
  inner Boolean x = true;
  A a;
end M;
// illegal inner-type: N08
model C
  Real v = 1;
end C;
model D
  Real w = 1;
end D;
model A
  outer C x;
end A;
model M
  inner D x;
  A a;
end M;
// illegal inner-type: N08 [2]
model A
  outer Real x[3];
  Real y = x[1];
end A;
model M
  inner Real x[2] = {1, 2};
  A a;
end M;
// illegal inner-type: 
model A
  outer parameter Real x;
  parameter Real y = x;
end A;
model M
  inner Real x = time;
  A a;
end M;
// legal inner-type
model C
  Real v = 1;
end C;
model D
  extends C;
  Real w = 1;
end D;
model A
  outer C x;
  Real z = x.v;
end A;
model M
  inner D x;
  A a;
end M;

// illegal outer-modified: N48 outer
model A
  outer Real x(start = 2);
  Real y = x;
end A;
model M
  inner Real x = 1;
  A a;
end M;
// illegal outer-modified: N48 outer
model A
  outer Real x = 2;
  Real y = x;
end A;
model M
  inner Real x;
  A a;
equation
  x = 1;
end M;
// illegal outer-modified: N48 outer
model A
  outer Real x;
  Real y = x;
end A;
model M
  inner Real x = 1;
  A a(x = 3);
end M;
// legal outer-modified
model A
  outer Real x;
  Real y = x;
end A;
model M
  inner Real x(start = 2) = 1;
  A a;
end M;

// illegal missing-inner: N08 inner
model A
  outer Real x;
  Real y = x;
end A;
model M
  A a;
end M;
// warning missing-inner: N08 one is added to the model
model World
  parameter Real g = 9.81;
end World;
model A
  outer World world;
  Real y = world.g;
end A;
model M
  A a;
  A b;
end M;
// legal missing-inner
model A
  outer Real x;
  Real y = x;
end A;
model M
  inner Real x = 1;
  A a;
end M;

// illegal partial-inner: N12 partial
partial model C
  Real v = 1;
end C;
model A
  outer C x;
end A;
model M
  inner C x;
  A a;
end M;
// legal partial-inner
partial model C
  Real v = 1;
end C;
model D
  extends C;
end D;
model A
  outer C x;
  Real z = x.v;
end A;
model M
  inner D x;
  A a;
end M;

// legal inner-outer
model B
  outer Real g;
  Real y = g;
end B;
model A
  inner outer Real g = 2;
  B b;
end A;
model M
  inner Real g = 9;
  A a;
end M;

// illegal unknown-name: N01
model M
  Real y = z;
end M;
// legal unknown-name
model M
  Real z = 1;
  Real y = z;
end M;

// illegal lookup-non-package: N43
model A
  model B
    Real x = 1;
  end B;
  Real z = 1;
end A;
model M
  A.B b;
end M;
// illegal lookup-non-package: N43
record A
  type T = Real;
  Real y;
end A;
model M
  A.T x = 1;
end M;
// legal lookup-non-package
package A
  model B
    Real x = 1;
  end B;
  constant Real z = 1;
end A;
model M
  A.B b;
end M;

// illegal lookup-partial: N43 partial
partial package P
  constant Real c = 1;
end P;
model M
  Real y = P.c;
end M;
// illegal lookup-partial: N43 partial
partial package P
  model A
    Real x = 1;
  end A;
end P;
model M
  P.A a;
end M;
// legal lookup-partial
partial package P
  constant Real c = 1;
end P;
package Q
  extends P;
end Q;
model M
  Real y = Q.c;
end M;

// illegal encapsulated: N0
package P
  constant Real c = 1;
  encapsulated model A
    Real x = c;
  end A;
end P;
model M
  P.A a;
end M;
// legal encapsulated
package P
  constant Real c = 1;
  encapsulated model A
    import P.c;
    Real x = c;
  end A;
end P;
model M
  P.A a;
end M;

// illegal variable-of-enclosing: N11 constant
model M
  Real z = 1;
  model A
    Real x = z;
  end A;
  A a;
end M;
// illegal variable-of-enclosing: N11 constant
model M
  parameter Real z = 1;
  model A
    Real x = z;
  end A;
  A a;
end M;
// legal variable-of-enclosing
model M
  constant Real z = 1;
  model A
    Real x = z;
  end A;
  A a;
end M;

// illegal class-through-component: N02 class
model A
  model B
    Real x = 1;
  end B;
  Real z = 1;
end A;
model M
  A a;
  a.B b;
end M;
// legal class-through-component
model A
  function f
    input Real x;
    output Real y = x;
  end f;
  Real z = 1;
end A;
model M
  A a;
  Real b = a.f(2);
end M;

// illegal function-through-array: N20
model A
  function f
    input Real x;
    output Real y = x;
  end f;
  Real z = 1;
end A;
model M
  A a[2];
  Real b = a.f(2);
end M;
// illegal function-through-array: N43
model A
  function f
    input Real x;
    output Real y = x;
  end f;
  Real z = 1;
end A;
model M
  A a[2];
  Real b = a[1:1].f(2);
end M;
// legal function-through-array
model A
  function f
    input Real x;
    output Real y = x;
  end f;
  Real z = 1;
end A;
model M
  A a;
  A c[2];
  Real b = a.f(2) + c[2].f(3);
end M;
// illegal outer-class-body: N48
model A
  outer model C
    Real q = 1;
  end C;
  C c;
end A;
model M
  inner model C
    Real q = 2;
  end C;
  A a;
end M;
// legal outer-class-body
model A
  outer model C = Base;
  C c;
end A;
partial model Base
  Real q;
end Base;
model M
  inner model C
    extends Base(q = 2);
  end C;
  A a;
end M;

// legal outer-function
model A
  outer function f = F;
  Real y = f(2);
end A;
partial function F
  input Real x;
  output Real y;
end F;
model M
  inner function f
    extends F;
  algorithm
    y := 3*x;
  end f;
  A a;
end M;

// illegal inner-and-outer: N08
model World
  Real g = 1;
end World;
model A
  outer Integer world;
  Integer k = world;
end A;
model M
  inner outer World world;
  A a;
end M;
// legal inner-and-outer
connector P
  Real v;
  flow Real i;
end P;
model World
  P p;
equation
  p.v = 1;
end World;
model M
  P q;
  inner outer World world;
equation
  connect(q, world.p);
end M;
// illegal extends-lookup: 
model A
  model B
    Real x = 1;
  end B;
end A;
model B
  Integer y = 1;
end B;
model M
  extends A;
  extends B;
end M;
// legal extends-lookup
model A
  model C
    Real x = 1;
  end C;
end A;
model B
  Integer y = 1;
end B;
model M
  extends A;
  extends B;
  C c;
end M;
// illegal outer-in-connector:
connector P
  Real v;
  outer P a;
end P;
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
// legal outer-in-connector
model P
  Real v = time;
end P;
model C
  outer P a;
  output Real y = a.v;
end C;
model M
  inner P a;
  C c;
end M;
// illegal inner-of-other-kind: N08 needs an 'inner P a'
model P
  Real v = 1;
end P;
model C
  outer P a;
  Real x = a.v;
end C;
model M
  P a;
  C c;
end M;
// legal inner-of-other-kind
model P
  Real v = 1;
end P;
model C
  outer P a;
  Real x = a.v;
end C;
model M
  P b;
  C c;
end M;

// legal encapsulated-in-model
model Car
  model Engine
    parameter Real m = 100;
    encapsulated model Map
      parameter Real a = 1;
      Real x = a;
    end Map;
  end Engine;
  Engine.Map map(a = 3);
end Car;
// legal encapsulated-in-model
model Engine
  parameter Real m = 100;
  encapsulated package Functions
    function f
      input Real x;
      output Real y = 2*x;
    end f;
    constant Real c = 3;
    package Inner
      model B
        Real x = 1;
      end B;
    end Inner;
  end Functions;
end Engine;
model M
  Real x = Engine.Functions.f(2);
  Real y = Engine.Functions.c;
  Engine.Functions.Inner.B b;
end M;
// legal encapsulated-in-model
model Engine
  parameter Real m = 100;
  encapsulated model Map
    Real x = 1;
  end Map;
end Engine;
model M
  extends Engine.Map;
  model N = Engine.Map;
  N n;
end M;
// legal encapsulated-in-model
record R
  Real y;
  encapsulated type T = Real(unit = "m");
end R;
model M
  R.T x = 1;
end M;
// illegal encapsulated-in-model: N43 'm'
model Car
  model Engine
    parameter Real m = 100;
    model Map
      Real x = 1;
    end Map;
  end Engine;
  Engine.Map map;
end Car;
// illegal encapsulated-in-model: N43 'm'
encapsulated model Engine
  parameter Real m = 100;
  model Map
    Real x = 1;
  end Map;
end Engine;
model M
  Engine.Map map;
end M;
// illegal encapsulated-in-model: N43 'k'
model Engine
  parameter Real m = 100;
  encapsulated model Map
    parameter Real k = 1;
    model N
      Real x = 1;
    end N;
  end Map;
end Engine;
model M
  Engine.Map.N n;
end M;
// illegal encapsulated-in-model: N43 'm'
model Engine
  parameter Real m = 100;
  function f
    input Real x;
    output Real y = 2*x;
  end f;
end Engine;
model M
  Real x = Engine.f(2);
end M;
// illegal encapsulated-in-model: N43 'm'
model Engine
  parameter Real m = 100;
  constant Real c = 3;
end Engine;
model M
  Real x = Engine.c;
end M;
// illegal encapsulated-in-model: N43 'm'
model Engine
  parameter Real m = 100;
  model Map
    Real x = 1;
  end Map;
end Engine;
model M
  extends Engine.Map;
end M;
// illegal encapsulated-in-model: N43 'm'
model Engine
  parameter Real m = 100;
  model Map
    Real x = 1;
  end Map;
end Engine;
model M
  model N = Engine.Map;
  N n;
end M;

// illegal function-through-component: N43 5.3.2
model A
  operator record C
    Real re;
    encapsulated operator function '+'
      import A.C;
      input C a;
      input C b;
      output C c = C(a.re + b.re);
    end '+';
    encapsulated operator '-'
      function minus
        import A.C;
        input C x;
        output C y = C(-x.re);
      end minus;
    end '-';
  end C;
  Real z = 1;
end A;
model M
  A a;
  A.C y = a.C.'-'.minus(A.C(2));
end M;
// illegal function-through-component: N43 5.3.2
model B
  function f
    input Real x;
    output Real y = x;
  end f;
  Real z = 1;
end B;
model A
  package P
    constant Real c = 1;
    function f
      input Real x;
      output Real y = x;
    end f;
  end P;
  package Q
    model R
      B b;
    end R;
    constant Real c = 1;
  end Q;
  Real z = 1;
end A;
model M
  A a;
  Real y = a.Q.R.b.f(2);
end M;
// illegal function-through-component:
model A
  operator record C
    Real re;
    encapsulated operator function '-'
      input Real x;
      output Real y = -x;
    end '-';
  end C;
  Real z = 1;
end A;
model M
  A a;
  Real y = a.C.'-'(2);
end M;
// legal function-through-component
model B
  parameter Real k = 2;
  function f
    input Real x;
    output Real y = 2*x;
  end f;
  Real z = 1;
end B;
model A
  B b[2];
end A;
model M
  A a[3];
  parameter Integer n = 2;
  Real y = a[n].b[1].f(2);
  Real z[2] = {a[n + 1].b[i].f(i) for i in 1:2};
end M;
// legal function-through-component
model B
  package P
    function f
      input Real x;
      output Real y = x;
    end f;
  end P;
  function g
    input Real x;
    output Real y = 2*x;
  end g;
  Real z = 1;
end B;
model A
  B b;
  package P
    package R
      function f
        input Real x;
        output Real y = x;
      end f;
    end R;
  end P;
end A;
model M
  A a;
  Real y = a.b.P.f(2) + a.b.g(1) + a.P.R.f(3);
end M;
// illegal outer-partial: N08 5.4
partial model World
  parameter Real g = 9.81;
end World;
model Own
  extends World;
  parameter Real extra = 2;
end Own;
model A
  outer World world;
  Real y = world.extra;
end A;
model M
  inner Own world;
  A a;
end M;
// illegal outer-partial:
model World
  parameter Real g = 9.81;
end World;
model Own
  extends World;
  parameter Real extra = 2;
end Own;
model A
  outer World world;
  Real y = world.extra;
end A;
model M
  inner Own world;
  A a;
end M;
// illegal outer-partial:
connector P
  Real v;
  flow Real i;
end P;
model World
  parameter Real g = 9.81;
end World;
model Own
  extends World;
  P p;
equation
  p.v = 1;
end Own;
model A
  outer World world;
  P q;
equation
  connect(q, world.p);
end A;
model M
  inner Own world;
  A a;
end M;
// illegal outer-partial:
partial function F
  input Real x;
  output Real y;
end F;
partial model World
  parameter Real g = 9.81;
end World;
model Own
  extends World;
  function f
    extends F;
  algorithm
    y := 2*x;
  end f;
end Own;
model A
  outer World world;
  Real y = world.f(1);
end A;
model M
  inner Own world;
  A a;
end M;
// legal outer-partial
partial model World
  parameter Real g = 9.81;
end World;
model Own
  extends World;
  parameter Real extra = 2;
end Own;
model A
  outer World world;
  Real y = world.g;
end A;
model M
  inner Own world;
  A a;
  Real z = world.extra;
end M;

// illegal encapsulated-around: N01 P has one, but P.E is encapsulated
package P
  constant Real c = 3;
  encapsulated model E
    Real x = c;
  end E;
end P;
model M
  P.E e;
end M;
// legal encapsulated-around
package P
  constant Real c = 3;
  encapsulated model E
    import P.c;
    Real x = c;
  end E;
end P;
model M
  P.E e;
end M;
