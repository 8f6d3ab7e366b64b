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
  Real f(unit = "own_symbol") = 1;
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
