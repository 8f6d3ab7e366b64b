Chapter 19: units.

// warning unit-sum: U01 the units kg and m do not fit
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Mass m = 1;
  Length s = 2;
  Real y = m + s;
end M;
// warning unit-sum: U01 the units m and m/s do not fit
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Velocity v = 1;
  Length s = 2;
  Real y = 3*s - v/4 + 1;
end M;
// legal unit-sum
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 2;
  Real r(unit = "m") = 1;
  Real y = s + r - 1 + 9.81*s;
  Real a(unit = "rad") = 1, b(unit = "rad") = 2, c = a + b + 3;
end M;
// warning unit-equation: U01 the units kg.m/s2 and kg.m/s do not fit
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Mass m = 1;
  Velocity v = time;
  Force F;
equation
  F = m*v;
end M;
// warning unit-equation: U01 the units kg.m/s2 and kg.m2/s2 do not fit
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Mass m = 1;
  Velocity v = time;
  Force F;
equation
  F = m*v^2/2;
end M;
// legal unit-equation
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Mass m = 1;
  Velocity v(start = 0, fixed = true);
  Force F;
  Real e(unit = "J"), p(unit = "W"), n;
equation
  F = m*der(v);
  F = 1;
  e = m*v^2/2;
  p = F*v;
  n = 5;
end M;
// warning unit-function: U01 the argument of sin is a number; here it is in m
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 2;
  Real y = sin(s);
end M;
// warning unit-function: U01 of the arguments of max
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 2;
  Mass m = 1;
  Real y = max(s, m);
end M;
// warning unit-function: U01 an exponent is a number; here it is in m
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 2;
  Real y = 2^s;
end M;
// legal unit-function
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 2;
  Real y = sin(s/s), z = exp(-time/3), w(unit = "m") = sqrt(s^2), a(unit = "m2") = abs(s)^2;
  Real x = atan2(s, 2*s), b(unit = "m") = max(s, 0), c(unit = "m") = min({s, 2*s});
  Real d(unit = "rad/s") = 3, phi(unit = "rad") = 2*time, e = cos(phi);
end M;
// warning unit-call: U01 of 'a' and its argument: the units m and m/s do not fit
function f
  input Real a(unit = "m");
  input Real b(unit = "kg") = 1;
  output Real y(unit = "m2") = a^2;
end f;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Velocity v = 1;
  Real y = f(v);
end M;
// warning unit-call: U01 of 'b' and its argument: the units kg and m do not fit
function f
  input Real a(unit = "m");
  input Real b(unit = "kg") = 1;
  output Real y(unit = "m2") = a^2;
end f;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 1;
  Real y = f(s, b = s);
end M;
// warning unit-call: U01 the units m and m2 do not fit
function f
  input Real a(unit = "m");
  input Real b(unit = "kg") = 1;
  output Real y(unit = "m2") = a^2;
end f;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 1;
  Length y = f(s);
end M;
// legal unit-call
function f
  input Real a(unit = "m");
  input Real b(unit = "kg") = 1;
  output Real y(unit = "m2") = a^2;
end f;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 1;
  Mass m = 1;
  Real y(unit = "m2") = f(s) + f(2, m) + s*s, n = f(3.5, b = 2);
end M;
// warning unit-branches: U01 of the branches of an if-expression
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 1;
  Velocity v = 1;
  Real y = if time > 1 then s else v;
end M;
// warning unit-branches: U01 of a relation
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 1;
  Velocity v = 1;
  Real y = if s > v then 1 else 2;
end M;
// legal unit-branches
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Length s = 1;
  Real y(unit = "m") = if s > 0 and time < 3 then s else 0, z = if s > 1e-3 then 1 else 2;
end M;
// warning unit-binding: U01 of 's' and its value: the units m and kg do not fit
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Mass m = 1;
  Length s = m;
end M;
// warning unit-binding: U01 of 's' and its start
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  parameter Mass m = 1;
  Length s(start = m, fixed = true);
equation
  der(s) = 1;
end M;
// warning unit-binding: U01 of 's' and its value: the units m and kg do not fit
model Part
  parameter Real s(unit = "m") = 1;
  Real v(unit = "m/s") = 2*s/time;
end Part;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  parameter Mass m = 1;
  Part part(s = 2*m);
end M;
// warning unit-binding: U01 of the sides of an equation
model Part
  parameter Real s(unit = "m") = 1;
  Real v(unit = "m/s") = 2*s/time;
end Part;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Part part;
  Mass m;
equation
  m = part.s;
end M;
// legal unit-binding
model Part
  parameter Real s(unit = "m") = 1;
  Real v(unit = "m/s") = 2*s/time;
end Part;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  parameter Length m = 1;
  Part part(s = 2*m), other(s(unit = "kg") = 3);
  Mass k;
equation
  k = other.s;
end M;
// warning unit-connect: U01 of connected variables: the units kg and m do not fit
connector InM = input Real(unit = "m");
connector OutM = output Real(unit = "m");
connector OutK = output Real(unit = "kg");
block Sink
  InM u;
end Sink;
block Metre
  OutM y = 1;
end Metre;
block Kilo
  OutK y = 1;
end Kilo;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Sink a;
  Kilo b;
equation
  connect(b.y, a.u);
end M;
// legal unit-connect
connector InM = input Real(unit = "m");
connector OutM = output Real(unit = "m");
connector OutK = output Real(unit = "kg");
block Sink
  InM u;
end Sink;
block Metre
  OutM y = 1;
end Metre;
block Kilo
  OutK y = 1;
end Kilo;
model M
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  Sink a;
  Metre b;
equation
  connect(b.y, a.u);
end M;
// warning unit-statement: U01 of the sides of an assignment: the units m and kg do not fit
function g
  input Real m(unit = "kg");
  output Real s(unit = "m");
algorithm
  s := 0;
  for k in 1:3 loop
    s := s + k;
    s := 2*m;
  end for;
end g;
model M
  Real y = g(time/time);
end M;
// legal unit-statement
function g
  input Real m(unit = "kg");
  input Real s[3](each unit = "m");
  output Real t(unit = "m.kg");
algorithm
  t := 0;
  for k in 1:3 loop
    t := t + k*s[k]*m;
  end for;
  t := t + m*sum(s[k] for k in 1:3) + m*s[1]/2;
end g;
model M
  Real y = g(2, {1, 2, time/time});
end M;

// warning unit-scale: U01 m and mm differ by a factor of 1000
model M
  Real x(unit = "mm") = 1;
  Real y(unit = "m") = x;
end M;
// warning unit-scale: U01 of a sum: m and km
model M
  Real s(unit = "m") = 1;
  Real r(unit = "km") = 1;
  Real y = s + r - 1;
end M;
// warning unit-scale: U01 K and degC have other zeros
model M
  Real x(unit = "degC") = 1;
  Real y(unit = "K");
equation
  y = x;
end M;
// warning unit-scale: U01 differ by a factor of 60
model M
  Real v(unit = "m/s") = 1;
  Real t(unit = "min") = 1;
  Real y(unit = "m");
equation
  y = v*t;
end M;
// warning unit-scale: U01 deg and rad differ
model M
  Real x(unit = "deg") = 1;
  Real y = sin(x);
end M;
// warning unit-scale: U01 of 'r'
function f
  input Real r(unit = "m");
  output Real a(unit = "m2") = r*r;
end f;
model M
  Real x(unit = "mm") = 1;
  Real y(unit = "m2") = f(x);
end M;
// legal unit-scale
model M
  Real x(unit = "mm") = 1;
  Real y(unit = "m") = x/1000;
  parameter Real k(unit = "1") = 1000;
  Real z(unit = "mm") = k*y;
  Real t(unit = "degC") = 20;
  Real d(unit = "K") = 5;
  Real u(unit = "degC") = t + d;
  Real e(unit = "K") = u - t;
  Real v(unit = "m/s") = 1;
  Real s(unit = "s") = 2;
  Real w(unit = "m") = v*s;
  Real a(unit = "m2") = w^2;
  Real phi(unit = "rad") = 1;
  Real c = cos(phi);
end M;

// warning unit-grammar: U01 written with a dot
model M
  Real x(unit = "N*m") = 1;
end M;
// warning unit-grammar: U01 powers are written
model M
  Real x(unit = "m^2") = 1;
end M;
// warning unit-grammar: U01 parentheses
model M
  Real x(unit = "J/kg.K") = 1;
end M;
// warning unit-grammar: U01 no unit
type T = Real(unit = "m/");
model M
  T x = 1;
end M;
// warning unit-grammar: U01 cannot be shown
model M
  Real x(unit = "m", displayUnit = "s") = 1;
end M;
// legal unit-grammar
type T = Real(unit = "J/(kg.K)");
model M
  T x = 1;
  Real a(unit = "kg.m2/(s3.A)") = 1;
  Real b(unit = "1/s") = 1;
  Real c(unit = "m-1.s+2") = 1;
  Real d(unit = "rad", displayUnit = "deg") = 1;
  Real e(unit = "") = 1;
  Real f(unit = "sone") = 1;
end M;

// warning unit-of-elements: U01 do not fit
model M
  Real a[2](unit = {"m", "rad"}) = {1, time};
  Real b(unit = "m") = a[2];
end M;
// legal unit-of-elements
model M
  Real a[2](unit = {"m", "rad"}) = {1, time};
  Real b(unit = "m") = a[1];
  Real c(unit = "rad") = a[2];
end M;

// warning unit-reinit: U01 of a state and its new value: the units m and s do not fit
model M
  parameter Real t(unit = "s") = 2;
  Real x(unit = "m", start = 1, fixed = true);
  Real v(unit = "m/s") = 1;
equation
  der(x) = v;
  when time > 0.5 then
    reinit(x, t);
  end when;
end M;
// legal unit-reinit
model M
  parameter Real s(unit = "m") = 2;
  Real x(unit = "m", start = 1, fixed = true);
  Real v(unit = "m/s") = 1;
equation
  der(x) = v;
  when time > 0.5 then
    reinit(x, 2*s - 1);
  end when;
end M;
// warning unit-sample: U01 of 'b' and its value: the units s and m do not fit
model M
  Real a(unit = "m") = 1;
  Real b(unit = "s") = sample(a, Clock(0.1));
end M;
// warning unit-sample: U01 of 'b' and its value: the units s and m do not fit
model M
  Real a(unit = "m") = 1;
  Clock c = Clock(1, 10);
  Real b(unit = "s") = sample(a, c);
end M;
// legal unit-sample
model M
  parameter Real T(unit = "s") = 0.1;
  Real a(unit = "m") = 1;
  Real b(unit = "m") = sample(a, Clock(0.1));
  Boolean tick = sample(T, T);
end M;

// warning unit-elements: U01 the units s and m do not fit
model M
  Real a[2](unit = {"m", "s"}) = {1, 2};
  Real b[2](unit = {"s", "m"}) = a;
end M;
// warning unit-elements: U01 the units s and m do not fit
model M
  Real x(unit = "m") = 1;
  Real v(unit = "s") = 1;
  Real b[2](unit = {"m", "s"});
equation
  b = {x, x};
end M;
// legal unit-elements
model M
  Real x(unit = "m") = 1;
  Real v(unit = "s") = 1;
  Real a[2](unit = {"m", "s"}) = {x, v};
  Real b[2](unit = {"m", "s"}) = a;
  Real c[2];
equation
  c = b;
end M;
// warning unit-components: U01 of the sides of an equation, 'a': the units s and m do not fit
record R Real a(unit = "m"); Real b; end R;
record S Real a(unit = "s"); Real b(unit = "kg"); end S;
model M
  R r(a = 1, b = 2);
  S s;
equation
  s = r;
end M;
// warning unit-components: U01 of connected variables, 'v': the units m and s do not fit
connector C Real v(unit = "m"); flow Real i(unit = "A"); end C;
connector D Real v(unit = "s"); flow Real i(unit = "A"); end D;
model A C c; equation c.v = 1; end A;
model B D d; equation d.i = 1; end B;
model M
  A a;
  B b;
equation
  connect(a.c, b.d);
end M;
// legal unit-components
connector C Real v(unit = "m"); flow Real i(unit = "A"); end C;
connector D Real v; flow Real i(unit = "A"); end D;
model A C c; equation c.v = 1; end A;
model B D d; equation d.i = 1; end B;
model M
  A a;
  B b;
equation
  connect(a.c, b.d);
end M;

// warning unit-symbol: U01 the unit symbol 'Nm' is not known, so that this unit is not checked; did you mean 'N.m'?
model M
  parameter Real tau(unit = "Nm") = 1;
end M;
// warning unit-symbol: U01 did you mean 's'?
type Slowness = Real(unit = "sec/m");
model M
  Slowness x = 1;
end M;
// warning unit-symbol: U01 the unit symbol 'foo' is not known, so that this unit is not checked
record R
  Real a;
end R;
model M
  R r(a(unit = "foo") = 1);
end M;
// warning unit-symbol: U01 did you mean 'degC'?
model M
  Real T(unit = "K", displayUnit = "°C") = 300;
end M;
// warning unit-symbol: U01 the unit symbol 'kgm' is not known
model M
  Real x[2](unit = {"kg", "kgm2"}) = {1, 2};
end M;
// legal unit-symbol
model M
  parameter Real a(unit = "dB") = 1, b(unit = "psi") = 2, c(unit = "kmol/h") = 3, d(unit = "mW.h") = 4;
  Real x(unit = "K", displayUnit = "degF") = 280;
  Real p(unit = "Pa", displayUnit = "psi") = 1e5;
  Real y(unit = "1/(min.rad)") = 1;
end M;

// warning unit-redeclared: U01 do not fit
model A
  replaceable type T = Real(unit = "m");
  T x = 2;
end A;
model M
  A a(redeclare type T = Real(unit = "kg"));
  Real y(unit = "m") = a.x;
end M;
// warning unit-redeclared: U01 do not fit
package P
  replaceable type T = Real;
  model A
    input T x;
    Real y(unit = "s") = x;
  end A;
end P;
package Q
  extends P(redeclare type T = Real(unit = "m"));
end Q;
model M
  Q.A a(x = 1);
end M;
// warning unit-redeclared: U01 do not fit
record R
  replaceable Real x(unit = "m");
end R;
model M
  R r(redeclare Real x(unit = "s"));
  Real y(unit = "m");
equation
  r.x = time;
  y = r.x;
end M;
// legal unit-redeclared
model A
  replaceable type T = Real(unit = "m");
  T x = 2;
end A;
model M
  A a(redeclare type T = Real(unit = "kg"));
  A b;
  Real y(unit = "kg") = a.x;
  Real z(unit = "m") = b.x;
end M;

// warning unit-function: U01 do not fit
function f
  replaceable type T = Real(unit = "m");
  input T x;
  output T y = 2*x;
algorithm
end f;
function g = f(redeclare type T = Real(unit = "s"));
model M
  Real a(unit = "s") = 1;
  Real b(unit = "m") = g(a);
end M;
// warning unit-function: U01 do not fit
function f
  input Real x(unit = "m");
  input Real v(unit = "m/s");
  output Real t(unit = "s");
algorithm
  t := x;
end f;
model M
  Real a = f(1, 2);
end M;
// warning unit-function: U01 do not fit
function f
  input Real x[:](each unit = "m");
  output Real y(unit = "s");
algorithm
  y := 0;
  for i in 1:size(x, 1) loop
    y := y + x[i];
  end for;
end f;
model M
  Real a = f({1, 2});
end M;
// warning unit-function: U01 do not fit
function f
  input Real x(unit = "m");
  output Real a(unit = "m"), b(unit = "s");
algorithm
  a := x;
  b := 1;
end f;
model M
  Real p(unit = "m"), q(unit = "m");
equation
  (p, q) = f(1);
end M;
// warning unit-function: U01 do not fit
function f
  input Real x(unit = "m");
  output Real y;
algorithm
  y := x;
end f;
model M
  Real t(unit = "s") = 1;
  Real a[2] = f({t, t});
end M;
// legal unit-function
function f
  input Real x(unit = "m");
  output Real y(unit = "m2");
algorithm
  y := x^2;
end f;
model M
  Real a(unit = "m") = 1;
  Real b[2](each unit = "m2") = f({a, 2*a});
end M;

// warning unit-when: U01 do not fit
model M
  Real x(unit = "m", start = 1);
  discrete Real t(unit = "m");
  Real tau(unit = "s") = 2;
equation
  der(x) = -1;
  when x < 0 then
    t = tau;
  end when;
end M;
// warning unit-when: U01 do not fit
model M
  Real x(unit = "m", start = 1, fixed = true);
  Real tau(unit = "s") = 2;
equation
  der(x) = -1;
  when time > tau then
    reinit(x, tau);
  end when;
end M;
// warning unit-when: U01 do not fit
model M
  Real x(unit = "m") = 1;
  Real tau(unit = "s") = 2;
  Boolean b;
algorithm
  when x > tau then
    b := true;
  end when;
end M;
// warning unit-when: U01 do not fit
model M
  discrete Real x(unit = "m", start = 1);
  discrete Real y(unit = "s", start = 1);
equation
  when sample(0, 1) then
    x = pre(x) + 1;
  elsewhen time > 3 then
    x = pre(y);
  end when;
  when sample(0, 1) then
    y = 3;
  end when;
end M;
// legal unit-when
model M
  Real x(unit = "m", start = 1, fixed = true);
  discrete Real last(unit = "m");
  Integer n(start = 0);
equation
  der(x) = -1;
  when x < 0 then
    last = pre(x) + x;
    n = pre(n) + 1;
    reinit(x, 1 + last);
  end when;
end M;

// warning unit-connection: U01 have other zeros
connector T = input Real(unit = "degC");
connector U = output Real(unit = "K");
model A U y = 300; end A;
model B T u; end B;
model M
  A a;
  B b;
equation
  connect(a.y, b.u);
end M;
// warning unit-connection: U01 do not fit
connector I = input Real;
connector O = output Real;
block G O y(unit = "m") = time; end G;
block H I u(unit = "s"); end H;
model M
  G g;
  H h;
equation
  connect(g.y, h.u);
end M;
// warning unit-connection: U01 do not fit
connector I = input Real;
connector O = output Real;
block G O y[2](each unit = "m") = {time, 1}; end G;
block H I u(unit = "s"); end H;
model M
  G g;
  H h[2];
equation
  connect(g.y, h.u);
end M;
// legal unit-connection
connector I = input Real;
connector O = output Real;
block G O y(unit = "m") = time; end G;
block Gain parameter Real k = 1; I u; O y = k*u; end Gain;
block H I u(unit = "s"); end H;
model M
  G g;
  Gain k;
  H h;
equation
  connect(g.y, k.u);
  connect(k.y, h.u);
end M;

// warning unit-array: U01 do not fit
model M
  Real a[3](each unit = "m") = {1, 2, 3};
  Real b(unit = "s") = sum(a);
end M;
// warning unit-array: U01 do not fit
model M
  Real a[3](each unit = "m") = {1, 2, 3};
  Real b(unit = "s");
equation
  b = a*{1, 2, 3};
end M;
// warning unit-array: U01 do not fit
model M
  Real A[2, 2](each unit = "m/s") = {{1, 2}, {3, 4}};
  Real t[2](each unit = "s") = {1, 2};
  Real b[2](each unit = "s") = A*t;
end M;
// warning unit-array: U01 do not fit
model M
  Real a[3](each unit = "m") = {1, 2, 3};
  Real b(unit = "s") = max(a);
end M;
// warning unit-array: U01 do not fit
model M
  Real a[3](each unit = "m") = {1, 2, 3};
  Real b(unit = "s") = sum(a[i] for i in 1:3);
end M;
// warning unit-array: U01 do not fit
model M
  Real a(unit = "m") = 1;
  Real b[2](each unit = "s") = {a, a};
end M;
// warning unit-array: U01 do not fit
model M
  Real a[2](each unit = "m") = {1, 2};
  Real b(unit = "s") = a[end];
end M;
// legal unit-array
model M
  Real a[3](each unit = "m") = {1, 2, 3};
  Real v(unit = "m") = a[1]/2;
  Real d[3](each unit = "m") = a + cross(a, {1, 0, 0}) - 2*a;
  Real n(unit = "m2") = a*a;
end M;

// warning unit-forms: U01 do not fit
type Accel = Real(unit = "m/s2");
model A
  outer parameter Accel g;
  Real v(unit = "m/s") = g;
end A;
model M
  inner parameter Accel g = 9.81;
  A a;
end M;
// warning unit-forms: U01 do not fit
model B
  Real x = time;
end B;
model M
  extends B(x(unit = "m"));
  Real y(unit = "s") = x;
end M;
// warning unit-forms: U01 do not fit
model B
  Real x(unit = "m") = 1;
end B;
model M
  B b[3];
  Real y[3](each unit = "s") = b.x;
end M;
// warning unit-forms: U01 do not fit
model B
  Real x(unit = "m") = 1;
end B;
model M
  B b[3];
  Real y[3](each unit = "s");
equation
  for i in 1:3 loop
    y[i] = b[i].x;
  end for;
end M;
// warning unit-forms: U01 do not fit
model M
  parameter Boolean p = true;
  Real x(unit = "m") = 1, y(unit = "s");
equation
  if p then
    y = x;
  else
    y = 1;
  end if;
end M;
// warning unit-forms: U01 is a number
model M
  Real x(unit = "m") = 1;
  Real y = exp(x);
end M;
// warning unit-forms: U01 do not fit
model M
  Real x(unit = "m") = 1;
  Real y(unit = "m") = sqrt(x);
end M;
// warning unit-forms: U01 do not fit
model M
  Real x(unit = "m", start = 1);
  Real y(unit = "m") = 2;
equation
  der(x) = y;
end M;
// warning unit-forms: U01 do not fit
model M
  Real x(unit = "m") = time;
  Real y(unit = "s") = delay(x, 0.1);
end M;
// warning unit-forms: U01 do not fit
model M
  Real x(unit = "m") = time;
  Real y(unit = "s") = if time > 1 then x else 2*x;
end M;
// warning unit-forms: U01 do not fit
record R
  Real a(unit = "m");
end R;
model M
  R r = R(a = 1);
  Real t(unit = "s") = 1;
  R q = R(t);
end M;
// warning unit-forms: U01 do not fit
record R
  Real a(unit = "m");
end R;
record S
  R r;
end S;
model M
  S s(r(a = 1));
  Real t(unit = "s") = s.r.a;
end M;
// warning unit-forms: U01 do not fit
function f
  input Real x(unit = "m");
  input Real y(unit = "s") = 1;
  output Real z(unit = "m/s") = x/y;
algorithm
end f;
model M
  Real a(unit = "m") = f(1);
end M;
// warning unit-forms: U01 do not fit
function f
  input Real x(unit = "m");
  output Real z(unit = "m") = x;
algorithm
end f;
model M
  Real t(unit = "s") = 1;
  Real a(unit = "m") = f(x = t);
end M;
// warning unit-forms: U01 do not fit
partial function pf
  input Real x(unit = "m");
  output Real z(unit = "m");
end pf;
function f
  extends pf;
algorithm
  z := x;
end f;
model M
  Real t(unit = "s") = f(1);
end M;
// warning unit-forms: U01 do not fit
model M
  Real v(unit = "m/s") = 1;
  Real m(unit = "kg") = 1;
  Real e(unit = "J") = m*v;
end M;
// legal unit-forms
model M
  Real v(unit = "m/s") = 1;
  Real m(unit = "kg") = 1;
  Real e(unit = "J") = m*v^2/2 + m*v*v;
  Real p(unit = "W") = e/time;
  Real w(unit = "Hz");
  Real r(unit = "m") = 0.1;
equation
  w = v/r;
end M;
// legal unit-forms
model M
  parameter Real table[:, 2] = {{0, 1}, {1, 2}};
  Real y(unit = "N") = table[1, 2];
  Real u(unit = "s") = table[2, 1];
  Real x[3] = {y, u, 1};
  Real g(unit = "K") = x[2];
end M;
// legal unit-forms
model Gain
  input Real u;
  output Real y;
  parameter Real k(unit = "1") = 1;
equation
  y = k*u;
end Gain;
model M
  Gain g(u = 2, k = 3);
  Real x(unit = "m") = 5;
  Gain h(u = x);
end M;
// legal unit-forms
model M
  parameter Real T(unit = "K", displayUnit = "degC") = 300;
  Real dT(unit = "K") = T - 293.15;
  Real s(unit = "s") = time;
  Real a(unit = "rad") = 2*3.14159*s/0.3;
equation
end M;
// warning unit-forms: U01 do not fit
model M
  Real x(unit = "m"), y(unit = "s");
initial equation
  x = 1;
  y = x;
equation
  der(x) = -x;
  der(y) = 1;
end M;
// warning unit-forms: U01 do not fit
model M
  Real x(unit = "m") = 1;
  Real y(unit = "s") = 2;
equation
  assert(x > y, "smaller");
end M;
// warning unit-forms: U01 do not fit
model M
  parameter Real L(unit = "m") = 1;
  Real y(unit = "s", start = L, fixed = true);
equation
  der(y) = 1;
end M;
// warning unit-forms: U01 do not fit
model M
  Real x(unit = "m") = 1;
  Real y[2](unit = {"m", "s"});
equation
  y[1] = x;
  y[2] = x;
end M;
// warning unit-forms: U01 do not fit
model M
  import SI = Types;
  SI.Length x = 1;
  SI.Time y = x;
end M;
package Types
  type Length = Real(final unit = "m");
  type Time = Real(final unit = "s");
end Types;
model M2 = M;
// warning unit-forms: U01 do not fit
type Length = Real(unit = "m");
type Distance = Length(min = 0);
model M
  Distance x = 1;
  Real y(unit = "s") = x;
end M;
// warning unit-forms: U01 do not fit
model M
  Real u = sample(x, Clock(0.1));
  Real x(unit = "m") = time;
  Real y(unit = "s") = previous(z);
  Real z(unit = "m", start = 0) = sample(x, Clock(0.1));
end M;
// legal unit-forms
model M
  Real x = 1;
end M;
