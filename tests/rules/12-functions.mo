Chapter 12: functions.

// illegal call-arguments: T07
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f();
end M;
// illegal call-arguments: T07
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(1, 2);
end M;
// illegal call-arguments: T07
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(1, x = 2);
end M;
// illegal call-arguments: T07
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(z = 2);
end M;
// illegal call-arguments: T07
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(x = 2, x = 3);
end M;
// illegal call-arguments: P01
function f
  input Real x;
  input Real z;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(x = 2, 3);
end M;
// illegal call-arguments: T07
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(y = 2, x = 3);
end M;
// illegal call-arguments: T07
function f
  input Real x;
  output Real y = x + z;
protected
  Real z = 1;
algorithm
end f;
model M
  Real x = f(z = 2, x = 3);
end M;
// legal call-arguments
function f
  input Real x;
  input Real z = 3;
  output Real y = x + z;
algorithm
end f;
model M
  Real x = f(1);
  Real y = f(z = 1, x = 2);
  Real z = f(1, z = 2);
end M;

// illegal argument-type: T08
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(true);
end M;
// illegal argument-type: T08
function f
  input Integer x;
  output Real y = x;
algorithm
end f;
model M
  Real x = f(1.5);
end M;
// illegal argument-type: T08
function f
  input String x;
  output Real y = 1;
algorithm
end f;
model M
  Real x = f(1.5);
end M;
// illegal argument-type: T08
function f
  input Real x[2];
  output Real y = x[1];
algorithm
end f;
model M
  Real x = f({1, 2, 3});
end M;
// illegal argument-type: T08
function f
  input Real x[:];
  output Real y = x[1];
algorithm
end f;
model M
  Real x = f(1);
end M;
// illegal argument-type: T08
record R
  Real a;
end R;
record S
  Real b;
end S;
function f
  input R r;
  output Real y = r.a;
algorithm
end f;
model M
  S s(b = 1);
  Real x = f(s);
end M;
// illegal argument-type: T31
function f
  input Real x;
  output Boolean y = x > 1;
algorithm
end f;
model M
  Real x = f(time);
end M;
// legal argument-type
function f
  input Real x[:];
  input Integer n;
  output Real y = x[1] + n;
algorithm
end f;
model M
  Real x = f({1, 2}, 3);
end M;

// illegal function-partial: F32
partial function p
  input Real x;
  output Real y;
end p;
model M
  Real x = p(1);
end M;
// illegal function-partial: F32
function p
  input Real x;
  output Real y;
end p;
model M
  Real x = p(1);
end M;
// legal function-partial
partial function p
  input Real x;
  output Real y;
end p;
function q
  extends p;
algorithm
  y := x;
end q;
model M
  Real x = q(1);
end M;

// illegal function-recursive-default: T16
function f
  input Real x = y;
  output Real y;
algorithm
  y := x;
end f;
model M
  Real x = f();
end M;
// legal function-recursive-default
function f
  input Real x;
  input Real z = 2*x;
  output Real y;
algorithm
  y := x + z;
end f;
model M
  Real x = f(2);
end M;

// illegal function-calls: F30
function f
  input Real x;
  output Real y;
algorithm
  y := der(x);
end f;
model M
  Real x = f(time);
end M;
// illegal function-calls: F40
function f
  input Real x;
  output Real y;
algorithm
  y := if initial() then x else 2;
end f;
model M
  Real x = f(time);
end M;
// illegal function-calls: F40
function f
  input Real x;
  output Boolean y;
algorithm
  y := sample(0, x);
end f;
model M
  Boolean x = f(1);
end M;
// illegal function-calls: F40
function f
  input Real x;
  output Real y;
algorithm
  y := pre(x);
end f;
model M
  Real x = f(1);
end M;
// illegal function-calls: F40
function f
  input Real x;
  output Real y;
algorithm
  y := delay(x, 1);
end f;
model M
  Real x = f(1);
end M;
// illegal function-calls: F40
function f
  input Real x;
  output Real y;
algorithm
  y := x;
  terminate("now");
end f;
model M
  Real x = f(1);
end M;
// legal function-calls
function f
  input Real x;
  output Real y;
algorithm
  assert(x > 0, "positive");
  y := abs(x) + mod(x, 2) + noEvent(if x > 1 then 1 else 2);
end f;
model M
  Real x = f(1);
end M;

// illegal function-uses-model: N11
model M
  Real z = 2;
  function f
    input Real x;
    output Real y;
  algorithm
    y := x + z;
  end f;
  Real x = f(1);
end M;
// legal function-uses-model
model M
  constant Real z = 2;
  function f
    input Real x;
    output Real y;
  algorithm
    y := x + z;
  end f;
  Real x = f(1);
end M;

// illegal function-result: T07
function f
  input Real x;
algorithm
  assert(x > 0, "positive");
end f;
model M
  Real x = f(1);
end M;
// illegal function-result: T32
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x[2] = f(1);
end M;
// legal function-result
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x = f(1) + 2;
end M;

// legal function-result
function none "Nothing to assign"
  input Real u;
  output Real y[0];
end none;
model M
  Real x = sum(none(time));
end M;
// warning function-unassigned: T16 assigned in some cases only
function f
  input Real x;
  output Real y;
algorithm
  if x > 1 then
    y := 2;
  end if;
end f;
model M
  Real x = f(time);
end M;
// illegal function-unassigned: T16
function f
  input Real x;
  output Real y;
protected
  Real z;
algorithm
  y := z + x;
end f;
model M
  Real x = f(time);
end M;
// legal function-unassigned
function f
  input Real x;
  output Real y, z, w, v = 1;
algorithm
  if x > 1 then
    y := 2;
  elseif x > 0 then
    y := 1;
  else
    assert(false, "negative");
  end if;
  if x > 1 then
    z := 2;
  end if;
  if x <= 1 then
    z := 3;
  end if;
  for i in 1:2 loop
    w := i;
  end for;
  if x > 1 then
    v := 2;
  end if;
end f;
model M
  Real x = f(time);
end M;
// legal function-unassigned
function f
  input Real x;
  output Real y;
algorithm
  if x > 1 then
    y := 2;
  else
    y := 3;
  end if;
end f;
model M
  Real x = f(time);
end M;

// illegal function-argument: T07
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y = f(1);
algorithm
end g;
function h
  input Real x;
  input Real z;
  output Real y = x;
algorithm
end h;
model M
  Real x = g(h);
end M;
// illegal function-argument: T08
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y = f(1);
algorithm
end g;
function h
  input Boolean x;
  output Real y = 1;
algorithm
end h;
model M
  Real x = g(h);
end M;
// illegal function-argument: T08
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y = f(1);
algorithm
end g;
model M
  Real x = g(3);
end M;
// illegal function-argument: T07
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y = f(1);
algorithm
end g;
function h
  input Real x;
  input Real z;
  output Real y = x;
algorithm
end h;
model M
  Real x = g(function h(q = 3));
end M;
// illegal function-argument: T08 Integer
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y = f(1);
algorithm
end g;
function h
  input Real x;
  output Integer y = 1;
algorithm
end h;
model M
  Real x = g(h);
end M;
// legal function-argument
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y = f(1);
algorithm
end g;
function h
  input Real x;
  input Real z;
  output Real y = x + z;
algorithm
end h;
model M
  Real x = g(function h(z = 3));
end M;

// illegal function-array-size: T08
function f
  input Real x[n];
  input Integer n;
  output Real y = x[1];
algorithm
end f;
model M
  Real x = f({1, 2}, 3);
end M;
// illegal function-array-size: T05
function f
  input Integer n;
  output Real y[:];
algorithm
  y[1] := 2;
end f;
model M
  Real x[2] = f(2);
end M;
// legal function-array-size
function f
  input Real x[:];
  output Real y[size(x, 1)];
algorithm
  y := 2*x;
end f;
model M
  Real x[2] = f({1, 2});
end M;

// illegal record-constructor: T07
record R
  Real x;
  Real y;
end R;
model M
  R r = R(1);
end M;
// illegal record-constructor: T07
record R
  Real x;
  Real y;
end R;
model M
  R r = R(1, 2, 3);
end M;
// illegal record-constructor: T07
record R
  Real x;
  Real y;
end R;
model M
  R r = R(1, z = 2);
end M;
// illegal record-constructor: T07
record R
  Real x;
  constant Real y = 2;
end R;
model M
  R r = R(1, 3);
end M;
// illegal record-constructor: T07 has no argument 'y'
record R
  Real x;
  final parameter Real y = 2;
end R;
model M
  R r = R(x = 1, y = 3);
end M;
// illegal record-constructor: T08
record R
  Real x;
end R;
model M
  R r = R(true);
end M;
// illegal record-constructor: T31 has no 'x'
record R
  Real x;
end R;
record S
  Real y;
end S;
model M
  R r = S(3);
end M;
// legal record-constructor
record R
  Real x;
  Real y = 2*x;
  constant Real z = 2;
end R;
model M
  R r = R(1);
  R s = R(y = 1, x = 3);
end M;

// illegal impure-call: F40 not declared impure
impure function f
  output Real y = 1;
algorithm
end f;
function g
  output Real y = f();
algorithm
end g;
model M
  Real x;
algorithm
  when time > 1 then
    x := g();
  end when;
end M;
// illegal impure-call: F40
impure function f
  output Real y = 1;
algorithm
end f;
model M
  Real x = f();
end M;
// illegal impure-call: F40
impure function f
  output Real y = 1;
algorithm
end f;
pure function g
  output Real y = f();
algorithm
end g;
model M
  parameter Real x = g();
end M;
// legal impure-call
impure function f
  output Real y = 1;
algorithm
end f;
impure function g
  output Real y = f();
algorithm
end g;
function h
  output Real y = pure(f());
algorithm
end h;
model M
  Real x;
  Real y;
  parameter Real z(fixed = false);
initial equation
  z = f();
algorithm
  when time > 1 then
    x := g();
    y := h();
  end when;
end M;

// illegal derivative-name: F34
function f
  input Real x;
  output Real y;
algorithm
  y := x^2;
  annotation(derivative = f_der);
end f;
model M
  Real x = f(time);
  Real y = der(x);
end M;
// legal derivative-name
function f
  input Real x;
  output Real y;
algorithm
  y := x^2;
  annotation(derivative = f_der);
end f;
function f_der
  input Real x;
  input Real x_der;
  output Real y_der;
algorithm
  y_der := 2*x*x_der;
end f_der;
model M
  Real x = f(time);
  Real y = der(x);
end M;

// illegal derivative-inputs: F34
function f
  input Real x;
  output Real y;
algorithm
  y := x^2;
  annotation(derivative = f_der);
end f;
function f_der
  input Real x;
  output Real y_der;
algorithm
  y_der := 2*x;
end f_der;
model M
  Real x = f(time);
  Real y = der(x);
end M;
// illegal derivative-inputs: T08
function f
  input Real x;
  output Real y;
algorithm
  y := x^2;
  annotation(derivative = f_der);
end f;
function f_der
  input Real x;
  input Boolean b;
  output Real y_der;
algorithm
  y_der := 2*x;
end f_der;
model M
  Real x = f(time);
  Real y = der(x);
end M;
// illegal derivative-inputs: E03
function f
  input Real x;
  output Real y;
algorithm
  y := x^2;
  annotation(derivative = f_der);
end f;
function f_der
  input Real x;
  input Real x_der;
  output Real y_der;
  output Real z;
algorithm
  y_der := 2*x;
  z := 2;
end f_der;
model M
  Real x = f(time);
  Real y = der(x);
end M;
// legal derivative-inputs
function f
  input Real x;
  input Boolean b;
  output Real y;
algorithm
  y := if b then x^2 else x;
  annotation(derivative = f_der);
end f;
function f_der
  input Real x;
  input Boolean b;
  input Real x_der;
  output Real y_der;
algorithm
  y_der := if b then 2*x*x_der else x_der;
end f_der;
model M
  Real x = f(time, true);
  Real y = der(x);
end M;

// illegal derivative-options: F34
function f
  input Real x;
  input Real z;
  output Real y;
algorithm
  y := x^2*z;
  annotation(derivative(noDerivative = q) = f_der);
end f;
function f_der
  input Real x;
  input Real z;
  input Real x_der;
  output Real y_der;
algorithm
  y_der := 2*x*x_der*z;
end f_der;
model M
  Real x = f(time, 2);
  Real y = der(x);
end M;
// legal derivative-options
function f
  input Real x;
  input Real z;
  output Real y;
algorithm
  y := x^2*z;
  annotation(derivative(noDerivative = z) = f_der);
end f;
function f_der
  input Real x;
  input Real z;
  input Real x_der;
  output Real y_der;
algorithm
  y_der := 2*x*x_der*z;
end f_der;
model M
  Real x = f(time, 2);
  Real y = der(x);
end M;

// illegal inverse: N40
function f
  input Real x;
  input Real p;
  output Real y;
algorithm
  y := x*p;
  annotation(inverse(q = g(y, p)));
end f;
function g
  input Real y;
  input Real p;
  output Real x;
algorithm
  x := y/p;
end g;
model M
  Real x = f(time, 2);
end M;
// illegal inverse: N40
function f
  input Real x;
  input Real p;
  output Real y;
algorithm
  y := x*p;
  annotation(inverse(x = g(y, z)));
end f;
function g
  input Real y;
  input Real p;
  output Real x;
algorithm
  x := y/p;
end g;
model M
  Real x = f(time, 2);
end M;
// illegal inverse: N01
function f
  input Real x;
  input Real p;
  output Real y;
algorithm
  y := x*p;
  annotation(inverse(x = nothing(y, p)));
end f;
model M
  Real x = f(time, 2);
end M;
// legal inverse
function f
  input Real x;
  input Real p;
  output Real y;
algorithm
  y := x*p;
  annotation(inverse(x = g(y, p)));
end f;
function g
  input Real y;
  input Real p;
  output Real x;
algorithm
  x := y/p;
end g;
model M
  Real x = f(time, 2);
end M;

// illegal external-language: F32
function f
  input Real x;
  output Real y;
external "Pascal" y = sin(x);
end f;
model M
  Real x = f(time);
end M;
// illegal external-language: F32
function f
  input Real x;
  output Real y;
external "C" z = sin(x);
end f;
model M
  Real x = f(time);
end M;
// illegal external-language: N01
function f
  input Real x;
  output Real y;
external "C" y = sin(z);
end f;
model M
  Real x = f(time);
end M;
// illegal external-language: F32
function f
  input Real x[2];
  output Real y[2];
external "C" y = sin(x);
end f;
model M
  Real x[2] = f({time, 2});
end M;
// illegal external-language: N40
function f
  input Real x;
  output Real y;
algorithm
  y := 2*x;
external "C" y = sin(x);
end f;
model M
  Real x = f(time);
end M;
// legal external-language
function f
  input Real x;
  output Real y;
external "C" y = sin(x);
end f;
model M
  Real x = f(time);
end M;

// illegal external-arguments: N40
function f
  input Real x;
  output Real y;
external "C" y = sin(2*x);
end f;
model M
  Real x = f(time);
end M;
// legal external-arguments
function f
  input Real x[:];
  output Real y;
external "C" y = norm(x, size(x, 1), 2.0) annotation(Include = "double norm(const double *x, size_t n, double p) {return x[0] * p;}");
end f;
model M
  Real x = f({time, 3});
end M;

// illegal der-of-function: F32
function f
  input Real x;
  output Real y = x^2;
algorithm
end f;
function g = der(f, z);
model M
  Real x = g(time);
end M;
// legal der-of-function
function f
  input Real x;
  output Real y = x^2;
algorithm
end f;
function g
  input Real x;
  output Real y = 2*x;
algorithm
end g;
model M
  Real x = g(time);
end M;

// illegal function-through-instance: N20
model A
  Real x = 1;
  function f
    input Real x;
    output Real y = x;
  algorithm
  end f;
end A;
model M
  A a[2];
  Real x = a.f(1);
end M;
// legal function-through-instance
model A
  Real x = 1;
  function f
    input Real x;
    output Real y = x;
  algorithm
  end f;
end A;
model M
  A a;
  Real x = a.f(1);
end M;

// illegal call-of-no-function: N21
model A
  Real x = 1;
end A;
model M
  Real x = A(1);
end M;
// illegal call-of-no-function: N20
model M
  Real y = 1;
  Real x = y(1);
end M;
// illegal call-of-no-function: N21
package P
end P;
model M
  Real x = P(1);
end M;
// legal call-of-no-function
record A
  Real x = 1;
end A;
model M
  A x = A(1);
end M;
// illegal return-outside: 
model M
  Real x;
algorithm
  x := 1;
  return;
end M;
// legal return-outside
function f
  input Real u;
  output Real y;
algorithm
  y := u;
  return;
end f;
model M
  Real x = f(time);
end M;

// illegal partial-function: F32 partial
partial function F
  input Real x;
  output Real y;
end F;
model M
  Real y = F(time);
end M;
// illegal partial-function: F32 partial
partial function F
  input Real x;
  output Real y;
algorithm
  y := 2*x;
end F;
model M
  Real y = F(time);
end M;
// illegal partial-function: F32 partial
partial function F
  input Real x;
  output Real y = 2*x;
end F;
model M
  function g = F;
  Real y = g(time);
end M;
// illegal partial-function: F32 partial
partial function F
  input Real x;
  output Real y;
  external "C" y = sin(x);
end F;
model M
  Real y = F(time);
end M;
// legal partial-function
partial function F
  input Real x;
  output Real y;
algorithm
  y := 2*x;
end F;
function H
  input F g;
  input Real x;
  output Real y = g(x);
end H;
model A
  replaceable function f = F;
  Real y = f(time);
end A;
model M
  function g
    extends F;
  end g;
  Real y = g(time);
  Real z = H(g, time);
  A a(redeclare function f = g);
end M;

// illegal vectorised-results: T07 12.4.6
function f
  input Real x;
  output Real y = x;
  output Real z = 2*x;
end f;
model M
  Real y[2];
  Real z[2];
equation
  (y, z) = f({1, time});
end M;
// illegal vectorised-results: T07 12.4.6
function f
  input Real x;
  output Real y = x;
  output Real z = 2*x;
end f;
model M
  Real y[2] = f({1, time});
end M;
// illegal vectorised-results: T07 12.4.6
function f
  input Real x;
  output Real y[2] = {x, x};
end f;
model M
  Real y[2, 2] = f({1, time});
end M;
// legal vectorised-results
function f
  input Real x;
  output Real y = x;
end f;
function g
  input Real x[:];
  output Real y = sum(x);
  output Real z = 2*sum(x);
end g;
model M
  Real y[2] = f({1, time});
  Real u, v;
equation
  (u, v) = g({1, time});
end M;

// illegal partial-derivative: F32 no input
function f
  input Real u;
  output Real y;
algorithm
  y := u^2;
end f;
function f_x = der(f, x);
model M
  Real y = f_x(time);
end M;
// illegal partial-derivative: F32 12.7.2
function f
  input Real u[2];
  output Real y;
algorithm
  y := u*u;
end f;
function f_u = der(f, u);
model M
  Real y = f_u({time, 1});
end M;
// illegal partial-derivative: F32 Reals
function f
  input Real u;
  output Integer y;
algorithm
  y := integer(u);
end f;
function f_u = der(f, u);
model M
  Integer y = f_u(time);
end M;
// illegal partial-derivative: N02
function f_u = der(none, u);
model M
  Real y = f_u(time);
end M;
// legal partial-derivative
function f
  input Real u;
  input Integer n = 2;
  output Real y;
algorithm
  y := u^n;
end f;
function f_u = der(f, u);
function f_uu = der(f_u, u);
model M
  Real y = f_u(time) + f_uu(time, 3);
end M;

// illegal derivative-order: F34
function f input Real x; output Real y; algorithm y := x^2; annotation(derivative(order = "1") = df); end f;
function df input Real x, dx; output Real dy; algorithm dy := 2*x*dx; end df;
model M
  Real y = f(time);
  Real z = der(y);
end M;
// illegal derivative-order: F34
function f input Real x; output Real y; algorithm y := x^2; annotation(derivative(order = 0) = df); end f;
function df input Real x, dx; output Real dy; algorithm dy := 2*x*dx; end df;
model M
  Real y = f(time);
  Real z = der(y);
end M;
// legal derivative-order
function f input Real x; output Real y; algorithm y := x^2; annotation(derivative(order = 1) = df); end f;
function df input Real x, dx; output Real dy; algorithm dy := 2*x*dx; end df;
model M
  Real y = f(time);
  Real z = der(y);
end M;
