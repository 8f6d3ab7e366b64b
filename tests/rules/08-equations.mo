Chapter 8: equations.

// illegal for-range-varies: T11
model M
  Real x[3];
  Integer n = if time > 1 then 3 else 2;
equation
  for i in 1:n loop
    x[i] = i;
  end for;
end M;
// illegal for-range-varies: T11
model M
  Real x[3];
  discrete Integer n(start = 3);
equation
  when time > 1 then
    n = 2;
  end when;
  for i in 1:n loop
    x[i] = i;
  end for;
end M;
// legal for-range-varies
model M
  parameter Integer n = 3;
  Real x[n];
equation
  for i in 1:n loop
    x[i] = i;
  end for;
end M;

// illegal for-range-vector: T13
model M
  Real x[3, 3];
  parameter Integer r[3, 3] = fill(1, 3, 3);
equation
  for i in r loop
    x[1, 1] = 1;
  end for;
end M;
// illegal for-range-vector: T13
model M
  Real x[3];
equation
  for i in 3 loop
    x[i] = i;
  end for;
end M;
// legal for-range-vector
model M
  Real x[3];
  parameter Integer r[3] = {3, 1, 2};
equation
  for i in r loop
    x[i] = i;
  end for;
end M;

// illegal loop-variable-equation: S02
model M
  Real x;
equation
  for i in 1:1 loop
    i = 1;
    x = 1;
  end for;
end M;
// legal loop-variable-equation
model M
  Real x;
equation
  for i in 1:1 loop
    x = i;
  end for;
end M;

// illegal if-branches: F05
model M
  Real x;
  Real y;
equation
  if time > 1 then
    x = 1;
    y = 2;
  else
    x = 2;
  end if;
end M;
// illegal if-branches: F05
model M
  Real x;
equation
  if time > 1 then
    x = 1;
  end if;
end M;
// illegal if-branches: F05
model M
  Real x;
  Real y;
equation
  if time > 1 then
    x = 1;
    y = 2;
  elseif time > 2 then
    x = 3;
  else
    x = 2;
    y = 2;
  end if;
end M;
// legal if-branches
model M
  parameter Boolean b = true;
  Real x;
  Real y;
equation
  if b then
    x = 1;
    y = 2;
  else
    x = 2;
  end if;
end M;
// legal if-branches
model M
  Real x;
  Real y;
equation
  if time > 1 then
    x = 1;
    y = 2;
  else
    y = 1;
    x = 2;
  end if;
  if time > 3 then
    assert(x > 0, "a");
  end if;
end M;

// illegal if-condition: T31
model M
  Real x;
equation
  if 1 then
    x = 1;
  else
    x = 2;
  end if;
end M;
// illegal if-condition: T03
model M
  parameter Real p = 1;
  Real x;
equation
  x = if p then 1 else 2;
end M;
// legal if-condition
model M
  Real x;
equation
  if time > 1 then
    x = 1;
  else
    x = 2;
  end if;
end M;

// illegal connect-in-if: T11
connector C
  Real v;
  flow Real i;
end C;
model M
  C a;
  C b;
equation
  if time > 1 then
    connect(a, b);
  end if;
  a.v = 1;
end M;
// illegal connect-in-if: T11
connector C
  Real v;
  flow Real i;
end C;
model M
  C a;
  C b;
  parameter Boolean p(fixed = false);
initial equation
  p = true;
equation
  if p then
    connect(a, b);
  end if;
  a.v = 1;
end M;
// legal connect-in-if
connector C
  Real v;
  flow Real i;
end C;
model A
  C c;
equation
  c.v = 1;
end A;
model B
  C c;
equation
  c.i = 1;
end B;
model M
  parameter Boolean p = true;
  A a;
  B b;
equation
  if p then
    connect(a.c, b.c);
  end if;
end M;

// illegal connect-of-variables: F02
model M
  Real x = 1;
  Real y;
equation
  connect(x, y);
end M;
// illegal connect-of-variables: S02
connector C
  Real v;
  flow Real i;
end C;
model A
  C c;
equation
  c.v = 1;
end A;
model M
  A a;
  A b;
equation
  connect(a.c.v, b.c.v);
end M;
// legal connect-of-variables
connector I = input Real;
connector O = output Real;
block A
  O y = 1;
end A;
block B
  I u;
  Real x = u;
end B;
model M
  A a;
  B b;
equation
  connect(a.y, b.u);
end M;

// illegal when-left-side: F05
model M
  Real x;
  Real y;
equation
  when time > 1 then
    x + y = 1;
  end when;
  y = 2;
end M;
// illegal when-left-side: F05
model M
  Real x;
  Real y(start = 1);
equation
  when time > 1 then
    1 = x;
  end when;
  der(y) = -y;
end M;
// illegal when-left-side: F05
model M
  Real x;
equation
  when time > 1 then
    2*x = 1;
  end when;
end M;
// legal when-left-side
model M
  Real x;
  Real y(start = 1);
equation
  when time > 1 then
    x = y;
  end when;
  der(y) = -y;
end M;

// illegal when-branches: F40
model M
  Real x;
  Real y;
equation
  when time > 1 then
    x = 1;
  elsewhen time > 2 then
    y = 1;
  end when;
end M;
// illegal when-branches: F40
model M
  Real x;
  Real y;
equation
  when time > 1 then
    x = 1;
    y = 1;
  elsewhen time > 2 then
    y = 1;
  end when;
end M;
// legal when-branches
model M
  Real x;
  Real y;
equation
  when time > 1 then
    x = 1;
    y = 1;
  elsewhen time > 2 then
    y = 2;
    x = 3;
  end when;
end M;

// illegal when-twice: S02
model M
  Real x;
equation
  when time > 1 then
    x = 1;
  end when;
  when time > 2 then
    x = 2;
  end when;
end M;
// illegal when-twice: S02
model M
  Real x;
equation
  when time > 1 then
    x = 1;
    x = 2;
  end when;
end M;
// legal when-twice
model M
  Real x;
equation
  when time > 1 then
    x = 1;
  elsewhen time > 2 then
    x = 2;
  end when;
end M;

// illegal when-condition: T31
model M
  Real x;
equation
  when 1 then
    x = 1;
  end when;
end M;
// illegal when-condition: T31
model M
  Real x;
equation
  when {time, 2} then
    x = 1;
  end when;
end M;
// illegal when-condition: T31
model M
  Real x;
  Boolean b[2, 1] = {{time > 1}, {time > 2}};
equation
  when b then
    x = 1;
  end when;
end M;
// legal when-condition
model M
  Real x;
  Boolean b[2] = {time > 1, time > 2};
equation
  when b then
    x = 1;
  end when;
end M;

// illegal when-in-if: F05
model M
  Real x;
equation
  if time > 1 then
    when time > 2 then
      x = 1;
    end when;
  else
    x = 2;
  end if;
end M;
// legal when-in-if
model M
  parameter Boolean p = true;
  Real x;
equation
  if p then
    when time > 2 then
      x = 1;
    end when;
  else
    x = 2;
  end if;
end M;

// illegal when-in-when: F05
model M
  Real x;
equation
  when time > 1 then
    when time > 2 then
      x = 1;
    end when;
  end when;
end M;
// illegal when-in-when: F05
model M
  Real x;
equation
  when time > 1 then
    x = 1;
  elsewhen time > 1 then
    when time > 2 then
      x = 1;
    end when;
  end when;
end M;
// legal when-in-when
model M
  Real x;
equation
  when time > 1 then
    if x > 2 then
      x = 1;
    else
      x = 2;
    end if;
  end when;
end M;

// illegal when-branches-of-if: F05
model M
  discrete Real x;
equation
  when time > 1 then
    if time > 2 then
      x = 1;
    end if;
  end when;
end M;
// illegal when-branches-of-if: F05
model M
  discrete Real x;
  discrete Real y;
equation
  when time > 1 then
    if time > 2 then
      x = 1;
      y = 2;
    else
      x = 2;
    end if;
  end when;
end M;
// legal when-branches-of-if
model M
  discrete Real x;
equation
  when time > 1 then
    if time > 2 then
      x = 1;
    else
      x = 2;
    end if;
  end when;
end M;

// illegal connect-in-when: F02
connector C
  Real v;
  flow Real i;
end C;
model M
  C a;
  C b;
equation
  when time > 1 then
    connect(a, b);
  end when;
end M;
// legal connect-in-when
connector C
  Real v;
  flow Real i;
end C;
model S
  C c;
equation
  c.v = 1;
end S;
model L
  C c;
equation
  c.i = c.v;
end L;
model M
  S s;
  L l;
equation
  connect(s.c, l.c);
end M;

// illegal reinit-place: F05
model M
  Real x(start = 1);
equation
  der(x) = -x;
  reinit(x, 1);
end M;
// illegal reinit-place: F05
model M
  Real x(start = 1);
equation
  der(x) = -x;
  if x < 0.5 then
    reinit(x, 1);
  end if;
end M;
// illegal reinit-place: F05
model M
  Real x(start = 1);
equation
  der(x) = -x;
initial equation
  reinit(x, 1);
end M;
// illegal reinit-place: F40
model M
  Real x(start = 1);
equation
  der(x) = -x;
algorithm
  when x < 0.5 then
    reinit(x, 1);
  end when;
end M;
// legal reinit-place
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, 1);
  end when;
end M;
// legal reinit-place
model M
  Real x(start = 1);
  parameter Boolean p = true;
equation
  der(x) = -x;
  when x < 0.5 then
    if p then
      reinit(x, 1);
    end if;
  end when;
end M;

// illegal reinit-what: S04
model M
  Real x(start = 1);
  Real y;
equation
  der(x) = -x;
  y = 2*x;
  when x < 0.5 then
    reinit(y, 1);
  end when;
end M;
// illegal reinit-what: T18
model M
  Real x(start = 1);
  discrete Real y;
equation
  der(x) = -x;
  when x < 0.5 then
    y = 1;
    reinit(y, 1);
  end when;
end M;
// illegal reinit-what: T18
model M
  Real x(start = 1);
  parameter Real p = 2;
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(p, 1);
  end when;
end M;
// illegal reinit-what: T18
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(2*x, 1);
  end when;
end M;
// illegal reinit-what: T30
model M
  Real x(start = 1);
  Integer n(start = 0);
equation
  der(x) = -x;
  n = 2;
  when x < 0.5 then
    reinit(n, 1);
  end when;
end M;
// legal reinit-what
model M
  Real x[2](each start = 1);
equation
  der(x) = -x;
  when x[1] < 0.5 then
    reinit(x, {1, 2});
  end when;
end M;

// illegal reinit-type: T30
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, true);
  end when;
end M;
// illegal reinit-type: T30
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, {1, 2});
  end when;
end M;
// illegal reinit-type: T07
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x);
  end when;
end M;
// legal reinit-type
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, 1);
  end when;
end M;

// illegal reinit-twice: F40
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, 1);
  end when;
  when x < 0.7 then
    reinit(x, 2);
  end when;
end M;
// legal reinit-twice
model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, 1);
  elsewhen time > 3 then
    reinit(x, 2);
  end when;
end M;

// illegal assert-arguments: T03
model M
  Real x = time;
equation
  assert(1, "a");
end M;
// illegal assert-arguments: T03
model M
  Real x = time;
equation
  assert(x < 2, 3);
end M;
// illegal assert-arguments: T07
model M
  Real x = time;
equation
  assert(x < 2);
end M;
// illegal assert-arguments: T07
model M
  Real x = time;
equation
  assert(x < 2, "a", 3);
end M;
// legal assert-arguments
model M
  Real x = time;
equation
  assert(x < 2, "a", AssertionLevel.warning);
  assert(x < 2, "a", level = AssertionLevel.error);
end M;

// illegal assert-level-varies: T07
model M
  Real x = time;
equation
  assert(x < 2, "a", if time > 1 then AssertionLevel.warning else AssertionLevel.error);
end M;
// legal assert-level-varies
model M
  Real x = time;
  parameter Boolean p = true;
equation
  assert(x < 2, "a", if p then AssertionLevel.warning else AssertionLevel.error);
end M;

// illegal terminate-arguments: T03
model M
  Real x = time;
equation
  when x > 1 then
    terminate(1);
  end when;
end M;
// illegal terminate-arguments: T07
model M
  Real x = time;
equation
  when x > 1 then
    terminate();
  end when;
end M;
// legal terminate-arguments
model M
  Real x = time;
equation
  when x > 1 then
    terminate("done");
  end when;
end M;

// illegal equal-types: T30
model M
  Real x;
equation
  x = true;
end M;
// illegal equal-types: T30
model M
  Boolean x;
equation
  x = 1;
end M;
// illegal equal-types: T30
model M
  String x;
equation
  x = 1;
end M;
// illegal equal-types: T30
model M
  type E = enumeration(a, b);
  type F = enumeration(a, c);
  E x = E.a;
  F y;
equation
  y = x;
end M;
// illegal equal-types: T30
model M
  Integer n;
equation
  n = 1.5;
end M;
// illegal equal-types: T30
model M
  Integer n;
  Real x = 2;
equation
  n = x;
end M;
// legal equal-types
model M
  type E = enumeration(a, b);
  E x;
  Real z;
  Integer n = 2;
equation
  x = E.b;
  z = n;
end M;

// illegal equal-sizes: T32
model M
  Real x[2];
equation
  x = {1, 2, 3};
end M;
// illegal equal-sizes: T32
model M
  Real x[2];
equation
  x = 1;
end M;
// illegal equal-sizes: T32
model M
  Real x;
equation
  x = {1};
end M;
// legal equal-sizes
model M
  Real x[2];
  Real y[0];
equation
  x = {1, 2};
  y = fill(0, 0);
end M;

// illegal equal-records: T30
model M
  record A
    Real x;
  end A;
  record B
    Real y;
  end B;
  A a;
  B b(y = 1);
equation
  a = b;
end M;
// illegal equal-records: T30
model M
  record A
    Real x;
  end A;
  record B
    Real x;
    Real y;
  end B;
  A a;
  B b(y = 1, x = 2);
equation
  a = b;
end M;
// illegal equal-records: T30
model M
  record A
    Real x;
  end A;
  A a;
equation
  a = 1;
end M;
// legal equal-records
model M
  record A
    Real x;
    Real y;
  end A;
  record B
    Real y;
    Real x;
  end B;
  A a;
  B b(y = 1, x = 2);
equation
  a = b;
end M;

// illegal equal-models: T34
model M
  model A
    Real x = 1;
  end A;
  A a;
  A b;
equation
  a = b;
end M;
// legal equal-models
model M
  model A
    input Real x;
  end A;
  A a(x = 1);
  A b;
equation
  a.x = b.x;
end M;

// illegal tuple-left: F40
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x;
  Real y;
equation
  (2*x, y) = f(1);
end M;
// illegal tuple-left: T07
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x;
  Real y;
  Real z;
equation
  (x, y, z) = f(1);
end M;
// illegal tuple-left: T07
model M
  Real x;
  Real y;
equation
  (x, y) = (1, 2);
end M;
// illegal tuple-left: T07
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x;
  Real y;
equation
  (x, y) = 2*f(1);
end M;
// legal tuple-left
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x;
  Real y;
  Real z;
equation
  (x, y) = f(1);
  (z) = f(3);
end M;

// illegal initial-when: T20
model M
  Real x(start = 1);
equation
  der(x) = -x;
initial equation
  when x > 1 then
    x = 1;
  end when;
end M;
// illegal initial-when: T20
model M
  Real x(start = 1);
equation
  der(x) = -x;
initial algorithm
  when x > 1 then
    x := 1;
  end when;
end M;
// legal initial-when
model M
  Real x;
  parameter Boolean p = true;
equation
  der(x) = -x;
initial equation
  if p then
    x = 1;
  else
    der(x) = 2;
  end if;
end M;

// illegal parameter-equation: S02
model M
  constant Real p = 1;
  Real x;
equation
  p = 2;
  x = 1;
end M;
// legal parameter-equation
model M
  parameter Real p = 1;
  Real x;
equation
  p = x;
end M;

// illegal assign-in-equations: P01
model M
  Real x;
equation
  x := 1;
end M;
// legal assign-in-equations
model M
  Real x;
algorithm
  x := 1;
end M;

// illegal for-name-is-known: N01
model M
  Real x[2];
equation
  for i in 1:2 loop
    x[i] = k;
  end for;
end M;
// illegal for-name-is-known: N01
model M
  Real x[2];
equation
  for i in 1:2 loop
    x[i] = i;
  end for;
  x[i] = 3;
end M;
// legal for-name-is-known
model M
  Real i = 3;
  Real x[2];
equation
  for i in 1:2 loop
    x[i] = i;
  end for;
end M;

// illegal for-no-range: T13
model M
  Real x[2];
equation
  for i loop
    x[2] = 1;
  end for;
end M;
// illegal for-no-range: T13 would run to
model M
  Real x[2];
  Real y[3];
equation
  for i loop
    x[i] = 1;
    y[i] = 2;
  end for;
end M;
// legal for-no-range
model M
  Real x[2];
  Real y[2];
equation
  for i loop
    x[i] = 1;
    y[i] = 2;
  end for;
end M;

// illegal single-assignment: S02
model M
  Real x;
equation
  x = 1;
algorithm
  x := 2;
end M;
// illegal single-assignment: S02
model M
  Integer n;
equation
  n = 1;
  when time > 1 then
    n = 2;
  end when;
end M;
// illegal single-assignment: S02
model M
  Real x = 1;
algorithm
  x := 2;
end M;
// legal single-assignment
model M
  Real x;
algorithm
  x := 1;
  x := 2;
end M;
// illegal equation-names: N01
model M
  Real x;
equation
  x = y;
end M;
// legal equation-names
model A
  Real y = 1;
end A;
model M
  extends A;
  Real x;
equation
  x = y;
end M;
// illegal initial-when: 
model M
  Real x(start = 1);
initial equation
  when time > 1 then
    x = 2;
  end when;
equation
  der(x) = 1;
end M;
// legal initial-when
model M
  Real x(start = 1);
initial equation
  x = 2;
equation
  der(x) = 1;
end M;
// illegal initial-when: 
model M
  Real x(start = 1);
initial algorithm
  when time > 1 then
    x := 2;
  end when;
equation
  der(x) = 1;
end M;
// illegal constant-fixed: 
model M
  constant Real c(fixed = false) = 2;
  Real x = c;
end M;
// legal constant-fixed
model M
  constant Real c = 2;
  Real x = c;
end M;
