Chapter 3: operators and expressions. 2: lexical structure.

// illegal keyword-name: P01
model M
  Real end = 1;
end M;
// illegal keyword-name: P01
model M
  Real flow = 1;
end M;
// illegal keyword-name: P01
model M
  Real within = 1;
end M;
// illegal keyword-name: P01
model M
  Real impure = 1;
end M;
// legal keyword-name
model M
  Real 'end' = 1;
  Real Time = 2;
  Real _x1 = 3;
  Real 'a\'b' = 3;
end M;

// illegal predefined-names: N44
model M
  Integer Real = 1;
end M;
// illegal predefined-names: N44
model M
  type Boolean = Integer;
  Boolean x = 1;
end M;
// illegal predefined-names: N44
model M
  type E = enumeration(String, b);
  E x = E.b;
end M;
// illegal predefined-names: N44
model M
  model Integer Real x = 1; end Integer;
  Integer i;
end M;
// legal predefined-names
model M
  type StateSelectX = Integer;
  StateSelectX x = 1;
  Real y = 2;
end M;

// illegal numbers: P02
model M
  Real x = 1e;
end M;
// illegal numbers: P02
model M
  Real x = 0x10;
end M;
// illegal numbers: P02
model M
  Real x = 1.2.3;
end M;
// illegal numbers: P02
model M
  Real x = 1_000;
end M;
// legal numbers
model M
  Real x = .5 + 1. + 1e3 + 1E-3 + 2.5e+2;
  Integer y = 2147483647;
end M;

// illegal strings: P06
model M
  constant String s = "a\qb";
end M;
// illegal strings: N01
model M
  constant String s = 'a';
end M;
// legal strings
model M
  constant String s = "a\"b\\\n\t\'\?\a";
end M;

// illegal comments: P01
model M
  /* a /* b */ c */
  Real x = 1;
end M;
// legal comments
model M
  /* a // b */
  Real x = 1; // c /* d
end M;

// illegal tokens: P01
model M
  Real x = 1;
  Boolean b = x < = 2;
end M;
// illegal tokens: P04
model M
  Boolean b = 2 != 3;
end M;
// illegal tokens: P04
model M
  Boolean b = true && false;
end M;
// illegal tokens: P04
model M
  Boolean b = !true;
end M;
// legal tokens
model M
  Real x = 1;
  Boolean b = x <= 2;
end M;

// illegal power-twice: P01
model M
  Real x = 2^3^4;
end M;
// illegal power-twice: P01
model M
  Real x = 2.^3^4;
end M;
// illegal power-twice: P01
model M
  Real x = 2^-3;
end M;
// legal power-twice
model M
  Real x = 2^(3^4) + (2^3)^4 - 2^(-3);
end M;

// illegal sign-twice: P01
model M
  Real x = 2*-2;
end M;
// illegal sign-twice: P01
model M
  Real x = --2;
end M;
// illegal sign-twice: P01
model M
  Real x = ++2;
end M;
// illegal sign-twice: P01
model M
  Real x = 2--2;
end M;
// illegal sign-twice: P01
model M
  Real x = 1 + -2;
end M;
// illegal sign-twice: P01
model M
  Real x = 1 - +2;
end M;
// legal sign-twice
model M
  Real x = 2*(-2) - (-3) + 1 - (+2);
  Boolean b = -x < -2;
  Real y = -2*3;
end M;

// illegal relation-chain: P02
model M
  Real x = time;
  Boolean b = 1 < x < 2;
end M;
// illegal relation-chain: P02
model M
  Integer x = 2;
  Boolean b = 1 == x == true;
end M;
// illegal relation-chain: P01
model M
  Boolean a = true;
  Boolean b = not not a;
end M;
// legal relation-chain
model M
  Integer x = 2;
  Boolean b = (1 == x) == true and not (not true);
  Boolean c = not 1 < x;
end M;

// illegal range-chain: P02
model M
  Real x[:] = 1:2:3:4;
end M;
// illegal range-chain: T13
model M
  Real x[:] = (1:2):3;
end M;
// legal range-chain
model M
  Real x[:] = 1:2:7;
  Real y[:] = (1+1):(2+2);
end M;

// warning postfix: F40 3.2
model M
  Real x[3] = {1, 2, 3};
  Real y = (x + x)[2];
end M;
// illegal postfix: P02
function f
  output Real x[3] = {1, 2, 3};
algorithm
end f;
model M
  Real y = f()[2];
end M;
// illegal postfix: P02
model M
  Real y = {1, 2, 3}[2];
end M;
// illegal postfix: P02
record R Real x = 1; end R;
model M
  Real y = R().x;
end M;
// warning postfix: F40 3.2
record R Real x = 1; end R;
model M
  R r;
  Real y = (r).x;
end M;
// legal postfix
record R Real x[3] = {1, 2, 3}; end R;
model M
  R r;
  Real y = r.x[2];
end M;

// illegal logic-types: T01
model M
  Boolean b = 1 and true;
end M;
// illegal logic-types: T01
model M
  Boolean b = not 1;
end M;
// illegal logic-types: T01
model M
  Boolean b = "a" or true;
end M;
// illegal logic-types: T01
model M
  Real b = true + 1;
end M;
// illegal logic-types: T01
model M
  Real b = -true;
end M;
// illegal logic-types: T02
model M
  Boolean b = {true, false} and true;
end M;
// illegal logic-types: T02
model M
  Boolean b[2] = {true, false} and {true, false, true};
end M;
// legal logic-types
model M
  Boolean b[2] = {true, false} and {true, true};
  Boolean c[2] = not b;
end M;

// illegal string-operators: T01
model M
  constant String s = "a" - "b";
end M;
// illegal string-operators: T01
model M
  constant String s = "a" + 1;
end M;
// illegal string-operators: T01
model M
  constant String s = 2*"a";
end M;
// illegal string-operators: T01
model M
  Boolean s = "a" < 1;
end M;
// legal string-operators
model M
  constant String s = "a" + "b" + String(1);
  Boolean b = s < "b";
end M;

// illegal enumeration-operators: T01
model M
  type E = enumeration(a, b);
  E e = E.a + E.b;
end M;
// illegal enumeration-operators: T31
model M
  type E = enumeration(a, b);
  Integer e = E.a;
end M;
// illegal enumeration-operators: T31
model M
  type E = enumeration(a, b);
  E e = 1;
end M;
// illegal enumeration-operators: T01
model M
  type E = enumeration(a, b);
  Boolean e = E.a < 2;
end M;
// illegal enumeration-operators: T01
model M
  type E = enumeration(a, b);
  type F = enumeration(a, c);
  Boolean e = E.a == F.a;
end M;
// illegal enumeration-operators: N01
model M
  type E = enumeration(a, b);
  E e = E.c;
end M;
// illegal enumeration-operators: T05
model M
  type E = enumeration(a, b);
  E e = E(3);
end M;
// illegal enumeration-operators: T03
model M
  type E = enumeration(a, b);
  E e = E(1.5);
end M;
// legal enumeration-operators
model M
  type E = enumeration(a, b);
  E e = E(2);
  Boolean b = E.a < E.b;
  Integer i = Integer(E.b);
end M;

// illegal real-equality: T03
model M
  Real x = time;
  Boolean b = x == 1;
end M;
// illegal real-equality: T03
model M
  Real x = time;
  Boolean b = 2*x <> 1;
end M;
// illegal real-equality: T03
model M
  parameter Real x = 1;
  parameter Boolean b = x == 1.0;
end M;
// legal real-equality
function f
  input Real x;
  output Boolean y;
algorithm
  y := x == 1;
end f;
model M
  discrete Real x(start = 0, fixed = true);
  Boolean b = f(x);
  Integer i = 2;
  Boolean c = i == 2;
equation
  when time > 1 then
    x = time;
  end when;
end M;

// illegal if-expression: T03
model M
  Real x = if 1 then 2 else 3;
end M;
// illegal if-expression: T02
model M
  Real x = if time > 1 then 2 else "a";
end M;
// illegal if-expression: T02
model M
  Real x = if time > 1 then 2 else true;
end M;
// illegal if-expression: T02
model M
  Real x[2] = if time > 1 then {1, 2} else 3;
end M;
// illegal if-expression: P01
model M
  Real x = if time > 1 then 2;
end M;
// illegal if-expression: T03
model M
  Real x = if {true, false} then 2 else 3;
end M;
// illegal if-expression: T02
model M
  Real x[:] = if time > 1 then {1, 2} else {1, 2, 3};
end M;
// illegal if-expression: T02
record R Real a = 1; end R;
record Q Real b = 1; end Q;
model M
  R r = if time > 1 then R() else Q();
end M;
// legal if-expression
model M
  parameter Boolean p = true;
  Real x = if time > 1 then 2 else 3.5;
  Real y[2] = if p then {1, 2} else {1, 2, 3};
end M;

// illegal named-builtin: T07
model M
  Real x = sin(u = time);
end M;
// illegal named-builtin: T07
model M
  Real x = abs(v = time);
end M;
// illegal named-builtin: T07
model M
  Real x = max(x = 1, y = 2);
end M;
// illegal named-builtin: T07
model M
  Real x = sqrt(v = 2);
end M;
// legal named-builtin
model M
  Real x = sin(time);
  String s = String(1, minimumLength = 3);
  Real y = homotopy(actual = x, simplified = 2);
end M;

// illegal sqrt-negative: T19
model M
  constant Real x = sqrt(-1);
end M;
// legal sqrt-negative
model M
  parameter Real x = 3;
  Real y = sqrt(x - 2);
end M;

// illegal builtin-types: T08
model M
  Real y = sin(true);
end M;
// illegal builtin-types: T08
model M
  Real y = abs("a");
end M;
// illegal builtin-types: T07
model M
  Real y = sin(1, 2);
end M;
// illegal builtin-types: T07
model M
  Real y = atan2(1);
end M;
// illegal builtin-types: T08
model M
  Real y = sqrt(true);
end M;
// illegal builtin-types: T08
model M
  Real y = mod(1, true);
end M;
// illegal builtin-types: T08
model M
  Real y = Integer(2.5);
end M;
// illegal builtin-types: T08
model M
  Integer y = integer(true);
end M;
// illegal builtin-types: T31
model M
  Integer y = abs(2.5);
end M;
// illegal builtin-types: T31
model M
  Integer y = floor(2.5);
end M;
// illegal builtin-types: T31
model M
  Integer y = div(2.5, 1);
end M;
// illegal builtin-types: T08
model M
  type E = enumeration(a, b);
  Real y = abs(E.a);
end M;
// illegal builtin-types: T31
model M
  Boolean y = sign(2.5);
end M;
// legal builtin-types
model M
  Integer a = abs(-2) + sign(2.5) + integer(floor(2.5)) + div(5, 2) + mod(5, 2) + rem(5, 2);
  Real b = ceil(2.5) + mod(2.5, 1) + sin(1) + sqrt(2);
  Real v[2] = sin({1, 2});
end M;

// illegal string-arguments: T07
model M
  constant String s = String(1, significantDigits = 3);
end M;
// illegal string-arguments: T07
model M
  constant String s = String(1.5, format = ".3f", minimumLength = 3);
end M;
// illegal string-arguments: T07
model M
  constant String s = String(1.5, 3);
end M;
// illegal string-arguments: T08
model M
  constant String s = String(1.5, format = "%.3f");
end M;
// illegal string-arguments: T08
model M
  constant String s = String(1.5, format = "*d");
end M;
// illegal string-arguments: T08
model M
  constant String s = String(1.5, format = "lf");
end M;
// illegal string-arguments: T08
model M
  constant String s = String(1, format = "s");
end M;
// illegal string-arguments: T08
model M
  constant String s = String("a");
end M;
// illegal string-arguments: T08
model M
  constant String s = String({1, 2});
end M;
// illegal string-arguments: T07
model M
  constant String s = String(true, significantDigits = 3);
end M;
// illegal string-arguments: T07
model M
  constant String s = String(1, wide = 3);
end M;
// legal string-arguments
model M
  type E = enumeration(a, b);
  constant String s = String(1, minimumLength = 3, leftJustified = false) + String(1.5, significantDigits = 3) + String(1.5, format = ".3f") + String(E.a) + String(true, minimumLength = 6) + String(3, format = "d");
end M;

// illegal der: T20
model M
  Integer i = 1;
  Real x = der(i);
end M;
// illegal der: T08
model M
  Real x = der(time > 1);
end M;
// illegal der: T20
model M
  discrete Real d(start = 1);
  Real x = der(d);
equation
  when time > 1 then
    d = 2;
  end when;
end M;
// illegal der: F30
function f
  input Real x;
  output Real y;
algorithm
  y := der(x);
end f;
model M
  Real x = f(time);
end M;
// illegal der: T07
model M
  Real x = time;
  Real y = der(x, 2);
end M;
// illegal der: T07
model M
  Real x = time;
  Real y = der();
end M;
// illegal der: T08
model M
  Real x = if time > 0.5 then 1 else 2;
  Real y = der(x);
  Real z = der("a");
end M;
// legal der
model M
  parameter Real p = 2;
  Real x = sin(time);
  Real y = der(x) + der(2*x) + der(p) + der(1.0);
  Real z[2] = der({x, y});
end M;

// illegal delay-arguments: T08
model M
  Real y = delay(time, -1);
end M;
// illegal delay-arguments: T20
model M
  Real y = delay(time, time);
end M;
// illegal delay-arguments: T08
model M
  Real y = delay(time, 2, 1);
end M;
// illegal delay-arguments: T20
model M
  Real y = delay(time, 1, time);
end M;
// illegal delay-arguments: T07
model M
  Real y = delay(time);
end M;
// illegal delay-arguments: F40
function f
  input Real x;
  output Real y;
algorithm
  y := delay(x, 1);
end f;
model M
  Real y = f(time);
end M;
// legal delay-arguments
model M
  parameter Real t = 1;
  Real y = delay(time, t) + delay(time, t, 2);
end M;

// illegal homotopy: T07
model M
  Real y = homotopy(1);
end M;
// illegal homotopy: T08
model M
  Real y = homotopy(actual = true, simplified = 2);
end M;
// illegal homotopy: T07
model M
  Real y = homotopy(1, 2, 3);
end M;
// legal homotopy
model M
  Real y = homotopy(actual = time, simplified = 2);
  Real z = homotopy(time, 2);
end M;

// illegal semi-linear: T07
model M
  Real y = semiLinear(1, 2);
end M;
// illegal semi-linear: T08
model M
  Real y = semiLinear(true, 2, 3);
end M;
// legal semi-linear
model M
  Real y = semiLinear(time - 1, 2, 3);
end M;

// illegal no-event: T41 changes at events only
model M
  Boolean b = noEvent(time > 1);
end M;
// illegal no-event: T41 changes at events only
model M
  Integer b = noEvent(integer(time));
end M;
// illegal no-event: T41 changes at events only
model M
  Integer b = noEvent(if time > 1 then 1 else 2);
end M;
// illegal no-event: T07
model M
  Real x = noEvent(1, 2);
end M;
// legal no-event
model M
  Real x = noEvent(if time > 1 then 1 else 2);
  Boolean b = time > 1;
  Boolean c = noEvent(b);
end M;

// illegal smooth: T08
model M
  Boolean b = smooth(1, time > 1);
end M;
// illegal smooth: T31
model M
  Integer b = smooth(1, integer(2));
end M;
// illegal smooth: T11
model M
  Integer n = if time > 1 then 1 else 2;
  Real x = smooth(n, time);
end M;
// illegal smooth: T08
model M
  Real x = smooth(-1, time);
end M;
// illegal smooth: T03
model M
  Real x = smooth(1.5, time);
end M;
// legal smooth
model M
  parameter Integer n = 0;
  Real x = smooth(n, if time > 1 then time else 1);
  Real y[2] = smooth(1, {time, 2});
end M;

// illegal sample: T20
model M
  Boolean b = sample(0, time);
end M;
// illegal sample: T08
model M
  Boolean b = sample(0, 0);
end M;
// illegal sample: T08
model M
  Boolean b = sample(0, -1);
end M;
// illegal sample: T08
model M
  Boolean b = sample(true, 1);
end M;
// illegal sample: F40
function f
  input Real x;
  output Boolean b;
algorithm
  b := sample(0, x);
end f;
model M
  Boolean b = f(1);
end M;
// legal sample
model M
  parameter Real p = 0.1;
  Boolean b = sample(0, p);
end M;

// illegal pre: T20
model M
  Real x = time;
  Real y = pre(x);
end M;
// illegal pre: T08
model M
  Boolean b = time > 1;
  Boolean c = pre(not b);
end M;
// illegal pre: F40
function f
  input Boolean x;
  output Boolean y;
algorithm
  y := pre(x);
end f;
model M
  Boolean b = f(time > 1);
end M;
// illegal pre: T08 subscript
model M
  Boolean b[2] = {time > 1, time > 2};
  Integer k = if time > 1 then 1 else 2;
  Boolean c = pre(b[k]);
end M;
// illegal pre: T20
model M
  Real x = 1;
  Boolean c = edge(x);
end M;
// illegal pre: T08
model M
  Boolean b = time > 1;
  Boolean c = edge(not b);
end M;
// illegal pre: T20
model M
  Real x = time;
  Boolean c = change(x);
end M;
// illegal pre: T08
model M
  Integer x = if time > 1 then 1 else 2;
  Boolean c = edge(x);
end M;
// illegal pre: T07
model M
  Boolean x = time > 1;
  Boolean c = pre(x, 1);
end M;
// legal pre
model M
  Boolean b[2] = {time > 1, time > 2};
  parameter Integer k = 2;
  Boolean c = pre(b[k]);
  Boolean d = edge(b[1]) or change(b[1]);
  Boolean e[2] = pre(b);
  Boolean f = pre(k) > 1;
end M;

// illegal reinit-more: T18
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when time > 1 then
    reinit(x + 1, 2);
  end when;
end M;
// illegal reinit-more: F40
model M
  Real x(start = 1, fixed = true);
algorithm
  when time > 1 then
    reinit(x, 2);
  end when;
equation
  der(x) = -x;
end M;
// legal reinit-more
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when time > 1 then
    reinit(x, 2 + pre(x));
  end when;
end M;

// illegal variability: T35
model M
  parameter Real p = time;
end M;
// illegal variability: T41
model M
  constant Real p = 2;
  parameter Real q = 3;
  constant Real r = p*q;
end M;
// illegal variability: T35
model M
  Real x = time;
  parameter Real p = x;
end M;
// illegal variability: T41 changes at events only
model M
  Integer i = 1;
  discrete Real d = time;
end M;
// illegal variability: T41 changes at events only
model M
  Integer i;
  Real x = time;
equation
  i = x;
end M;
// illegal variability: T41 changes at events only
model M
  Integer i;
  Real x = time;
equation
  x = i;
end M;
// illegal variability: T30 determines no variable
model M
  Integer i;
  parameter Real p = 2;
equation
  i = p + 1;
end M;
// illegal variability: T30
model M
  Integer i(start = 0, fixed = true);
  Real x = time;
equation
  when x > 0.5 then
    i = 2.0;
  end when;
end M;
// legal variability
model M
  Integer i(start = 0, fixed = true);
  Real x, y, z;
  discrete Real d(start = 0, fixed = true);
  parameter Integer n = 3;
  parameter Real p(fixed = false);
initial equation
  p = n;
equation
  when time > 0.5 then
    i = pre(i) + 1;
    d = i;
  end when;
  i = x;
  x = y + time;
  i = z + y;
end M;
// illegal variability: T41 changes at events only
model M
  Real x = time;
  Integer i = if noEvent(x > 1) then 1 else 2;
end M;
// illegal variability: T41 changes at events only
function f
  input Real x;
  output Integer y;
algorithm
  y := integer(x);
end f;
model M
  Integer i = f(time);
end M;
// illegal variability: T41 changes at events only
function f
  input Real x;
  output Boolean y;
algorithm
  y := x > 1;
end f;
model M
  Boolean i;
algorithm
  i := f(time);
end M;
// illegal variability: S02
model M
  parameter Real p = 2;
equation
  p = time;
end M;
// illegal variability: T41
model M
  parameter Real p = 1;
algorithm
  p := 2;
end M;
// illegal variability: T41
model M
  constant Integer n = 2;
algorithm
  n := 3;
end M;
// warning variability: T41 changes at events only
function f
  input Real x;
  output Integer y;
  output Real z;
algorithm
  y := integer(x);
  z := x;
end f;
model M
  Integer i;
  Real z;
equation
  (i, z) = f(time);
end M;
// illegal variability: T41 changes at events only
function f
  input Real x;
  output Integer y;
  output Real z;
algorithm
  y := integer(x);
  z := x;
end f;
model M
  Integer i;
  Real z;
algorithm
  (i, z) := f(time);
end M;
// illegal variability: T41 changes at events only
model M
  Real x(start = 0, fixed = true);
  Real y = 2*x;
  discrete Real d = y;
equation
  der(x) = 1;
end M;
// illegal variability: T41 changes at events only
model M
  Boolean b;
equation
  noEvent(sin(time) > 0) = b;
end M;
// legal variability
function f
  input Real x;
  output Integer y;
algorithm
  y := integer(x);
end f;
model M
  Integer i = f(2);
  Integer j(start = 0);
  discrete Real d(start = 1);
equation
  when time > 1 then
    j = f(time);
    d = time;
  end when;
end M;
// legal variability
function f
  input Real x;
  output Integer y;
algorithm
  y := integer(x);
end f;
model A
  input Real u;
  Integer i = f(u);
  Integer j = f(d);
  Integer k = integer(u) + (if u > 1 then 1 else 2);
  Real d(start = 0);
equation
  when u > 1 then
    d = u + 1;
  end when;
end A;
model M
  Real d(start = 0);
  A a(u = d);
  Boolean b;
algorithm
  b := time > 2;
  if time > 1 then
    b := false;
  end if;
equation
  when time > 1 then
    d = time;
  end when;
end M;

// illegal discrete-in-continuous: T41
model M
  Boolean b;
  Integer i;
equation
  b = time > 1;
  if noEvent(time > 2) then
    i = 1;
  else
    i = 2;
  end if;
end M;
// illegal discrete-in-continuous: T41
model M
  Integer i;
algorithm
  if noEvent(time > 2) then
    i := 1;
  else
    i := 2;
  end if;
end M;
// illegal discrete-in-continuous: T41
model M
  Real x = time;
  Real y;
equation
  if noEvent(x > 2) then
    y = if x > 3 then 1 else 2;
  else
    y = 2;
  end if;
end M;
// illegal discrete-in-continuous: T41 noEvent
model M
  Real y = if noEvent(time > 2) then (if time > 3 then 1 else 2) else 3;
end M;
// legal discrete-in-continuous
model M
  Integer i;
  Boolean b = time > 1;
equation
  if b and time > 0.5 then
    i = if time > 2 then 1 else 2;
  else
    i = 3;
  end if;
end M;
// legal discrete-in-continuous
model M
  Real x = time;
  Real y;
equation
  if noEvent(x > 2) then
    y = noEvent(if x > 3 then 1 else 2);
  else
    y = 2;
  end if;
end M;

// illegal time-name: N01
model M
  Real x = M.time;
end M;
// illegal time-name: S02
model M
  Real x;
algorithm
  time := 2;
  x := 1;
end M;
// illegal time-name: T06
model M
  Real x = time[1];
end M;
// legal time-name
model M
  Real x = time;
end M;

// illegal initial-terminal: F40
function f
  output Real y;
algorithm
  y := if initial() then 1 else 2;
end f;
model M
  Real x = f();
end M;
// illegal initial-terminal: T07
model M
  Boolean x = initial(1);
end M;
// illegal initial-terminal: T07
model M
  Boolean x = terminal(1);
end M;
// illegal initial-terminal: F40
function f
  output Real y;
algorithm
  y := if terminal() then 1 else 2;
end f;
model M
  Real x = f();
end M;
// legal initial-terminal
model M
  Boolean x = initial() or terminal();
end M;

// illegal end-place: T06
model M
  Real x = end;
end M;
// illegal end-place: T06
model M
  Integer x = 1 + end;
end M;
// legal end-place
model M
  Real x[3] = {1, 2, 3};
  Real y = x[end] + x[end - 1];
end M;

// illegal evaluation-guard: T05
model M
  Real v[3] = {1, 2, 3};
  constant Integer k = 4;
  Real y = v[k];
end M;
// legal evaluation-guard
model M
  Real v[3] = {1, 2, 3};
  constant Integer k = 4;
  Real y = if k <= 3 then v[k] else 0;
end M;

// illegal instance-name: T07
model M
  constant String s = getInstanceName(1);
end M;
// legal instance-name
model M
  constant String s = getInstanceName();
end M;

// illegal division: T14
model M
  constant Real x = 1/0;
end M;
// illegal division: T14
model M
  constant Integer x = div(1, 0);
end M;
// illegal division: T14
model M
  constant Integer x = mod(1, 0);
end M;
// illegal division: T31
model M
  Integer i = 4/2;
end M;
// legal division
model M
  constant Real x = 1/2;
  Integer i = div(4, 2);
end M;

// illegal time-in-record: F40 3.6.7
record R
  Real x = time;
end R;
model M
  R r;
end M;
// illegal time-in-record: F40 3.6.7
record R
  Real x(start = time);
end R;
model M
  R r(x = 1);
end M;
// illegal time-in-record: F40 3.6.7
connector C
  Real x = time;
  flow Real f;
end C;
model M
  C c;
end M;
// illegal time-in-record: F40 3.6.7
package P
  constant Real c = time;
end P;
model M
  Real x = P.c;
end M;
// legal time-in-record
record R
  Real x;
end R;
connector C
  Real x;
  flow Real y;
end C;
block B
  input Real u;
  output Real y = u*time;
end B;
model M
  R r(x = time);
  C c(x = time);
  B b(u = time);
end M;
// illegal der-type: T08
model M
  parameter Integer n[2] = {2, 3};
  Real y[2] = der(n);
end M;
// illegal der-type: 
model M
  Boolean b = time > 1;
  Real y = der(b);
end M;
// illegal der-type: T08
model M
  parameter Integer n = 2;
  Real y = der(n);
end M;
// illegal der-type: T08
model M
  Real y = der(2*3);
end M;
// illegal der-type: T08
model M
  Real y = der("a");
end M;
// legal der-type
model M
  Real x(start = 0, fixed = true);
  parameter Real p = 2;
  Real y = der(x) + der(p) + der(2.5);
  Real z[2] = der({x, time});
equation
  der(x) = 1;
end M;
