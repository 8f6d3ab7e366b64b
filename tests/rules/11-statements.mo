Chapter 11: statements.

// illegal assign-type: T08
model M
  Real x;
algorithm
  x := true;
end M;
// illegal assign-type: T08
model M
  Integer x;
algorithm
  x := 1.5;
end M;
// illegal assign-type: T08
model M
  Boolean x;
algorithm
  x := 1;
end M;
// illegal assign-type: T08
function f
  input Real x;
  output Integer y;
algorithm
  y := x;
end f;
model M
  Integer n = f(3);
end M;
// legal assign-type
model M
  Real x;
algorithm
  x := 1;
end M;

// illegal assign-size: T08
model M
  Real x[2];
algorithm
  x := {1, 2, 3};
end M;
// illegal assign-size: T08
model M
  Real x[2];
algorithm
  x := 1;
end M;
// illegal assign-size: T08
function f
  output Real y[2];
algorithm
  y := {1, 2, 3};
end f;
model M
  Real x[2] = f();
end M;
// legal assign-size
model M
  Real x[2];
algorithm
  x := {1, 2};
end M;

// illegal assign-input: T18
function f
  input Real x;
  output Real y;
algorithm
  x := 2;
  y := x;
end f;
model M
  Real x = f(time);
end M;
// illegal assign-input: T18
function f
  input Real x[2];
  output Real y;
algorithm
  x[1] := 2;
  y := x[1];
end f;
model M
  Real x = f({time, 2});
end M;
// illegal assign-input: T18
function g
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end g;
function f
  input Real x;
  output Real y;
algorithm
  (y, x) := g(x);
end f;
model M
  Real x = f(time);
end M;
// illegal assign-input: F06
block B
  input Real u;
  output Real y;
algorithm
  u := 3;
  y := u;
end B;
model M
  B b(u = 2);
end M;
// legal assign-input
function f
  input Real x;
  output Real y;
protected
  Real z = x;
algorithm
  z := 2;
  y := x + z;
end f;
model M
  Real x = f(time);
end M;

// illegal assign-parameter: T41
model M
  parameter Real p = 1;
algorithm
  p := 2;
end M;
// illegal assign-parameter: T41
model M
  constant Real p = 1;
algorithm
  p := 2;
end M;
// illegal assign-parameter: T41
function f
  input Real x;
  output Real y = x;
protected
  constant Real c = 1;
algorithm
  c := 2;
end f;
model M
  Real x = f(time);
end M;
// illegal assign-parameter: T41
model A
  parameter Real p = 1;
end A;
model M
  A a;
algorithm
  a.p := 2;
end M;
// legal assign-parameter
model M
  parameter Real p(fixed = false);
initial algorithm
  p := 2;
end M;

// illegal assign-left: P01
model M
  Real x;
algorithm
  der(x) := 1;
end M;
// illegal assign-left: P01
model M
  Real x;
algorithm
  2*x := 1;
end M;
// illegal assign-left: S02
model M
  Real x;
algorithm
  time := 1;
  x := 2;
end M;
// illegal assign-left: P01
model M
  Real x;
algorithm
  x = 1;
end M;
// illegal assign-left: N01
function g
  output Real y = 1;
algorithm
end g;
model M
  Real x;
algorithm
  g := 1;
  x := 2;
end M;
// legal assign-left
model M
  Real x[2];
algorithm
  x[1] := 1;
  x[2] := 2;
end M;

// illegal assign-unknown: N01
model M
  Real x;
algorithm
  x := 1;
  y := 2;
end M;
// legal assign-unknown
model M
  Real x;
  Real y;
algorithm
  x := 1;
  y := 2;
end M;

// illegal if-condition: T03
model M
  Real x;
algorithm
  if 1 then
    x := 1;
  else
    x := 2;
  end if;
end M;
// illegal if-condition: T03
function f
  input Real u;
  output Real y;
algorithm
  if u then
    y := 1;
  else
    y := 2;
  end if;
end f;
model M
  Real x = f(time);
end M;
// illegal if-condition: T03
function f
  input Real u;
  output Real y;
algorithm
  y := 1;
  while u loop
    y := 1;
  end while;
end f;
model M
  Real x = f(time);
end M;
// illegal if-condition: T03
model M
  Real x;
algorithm
  x := 0;
  while {true} loop
    x := 1;
    break;
  end while;
end M;
// legal if-condition
model M
  Real x;
algorithm
  if time > 1 then
    x := 1;
  else
    x := 2;
  end if;
end M;

// illegal for-range: T13
model M
  Real x;
algorithm
  x := 0;
  for i in 3 loop
    x := x + i;
  end for;
end M;
// illegal for-range: T13
model M
  Real x;
algorithm
  x := 0;
  for i in {{1, 2}, {3, 4}} loop
    x := x + i;
  end for;
end M;
// illegal for-range: T13
function f
  input Real u;
  output Real y;
algorithm
  y := 0;
  for i in u loop
    y := y + i;
  end for;
end f;
model M
  Real x = f(time);
end M;
// illegal for-range: T13
model M
  Real x;
algorithm
  x := 0;
  for i in true:false:true loop
    x := x + 1;
  end for;
end M;
// legal for-range
model M
  Real x;
  type E = enumeration(a, b);
algorithm
  x := 0;
  for i in 1.0:1.5:5.5 loop
    x := x + i;
  end for;
  for i in E loop
    x := x + 1;
  end for;
  for b in Boolean loop
    x := if b then x + 1 else x;
  end for;
  for i in {1, 3, 5} loop
    x := x + i;
  end for;
end M;

// legal for-range-varies-model
model M
  Real x;
  Integer n = if time > 1 then 3 else 4;
algorithm
  x := 0;
  for i in 1:n loop
    x := x + i;
  end for;
end M;
// legal for-range-varies-model
function f
  input Integer n;
  output Real x;
algorithm
  x := 0;
  for i in 1:n loop
    x := x + i;
  end for;
end f;
model M
  Real x = f(if time > 1 then 3 else 4);
end M;

// illegal loop-variable: F40
model M
  Real x;
algorithm
  x := 0;
  for i in 1:3 loop
    i := 2;
  end for;
end M;
// illegal loop-variable: F40
function f
  output Real x;
algorithm
  x := 0;
  for i in 1:3 loop
    for j in 1:2 loop
      i := 2;
    end for;
  end for;
end f;
model M
  Real x = f();
end M;
// legal loop-variable
model M
  Real x;
  Real i;
algorithm
  i := 3;
  x := 0;
  for i in 1:3 loop
    x := x + i;
  end for;
  i := 4;
end M;

// illegal break-place: F40
model M
  Real x;
algorithm
  x := 1;
  break;
end M;
// illegal break-place: F40
model M
  Real x;
algorithm
  x := 1;
  if time > 1 then
    break;
  end if;
end M;
// legal break-place
function f
  input Real u;
  output Real x;
algorithm
  x := 0;
  while true loop
    x := x + u;
    if x > 3 then
      break;
    end if;
  end while;
end f;
model M
  Real x = f(1 + time);
end M;

// illegal return-place: F40
model M
  Real x;
algorithm
  x := 1;
  return;
end M;
// illegal return-place: F40
model M
  Real x;
initial algorithm
  x := 1;
  return;
equation
  der(x) = 1;
end M;
// legal return-place
function f
  input Real u;
  output Real x;
algorithm
  x := 0;
  if u > 1 then
    return;
  end if;
  x := 1;
end f;
model M
  Real x = f(1 + time);
end M;

// illegal when-place: F30
function f
  input Real u;
  output Real x;
algorithm
  when u > 1 then
    x := 0;
  end when;
end f;
model M
  Real x = f(1 + time);
end M;
// illegal when-place: F40
model M
  Real x;
algorithm
  for i in 1:2 loop
    when time > 1 then
      x := 0;
    end when;
  end for;
end M;
// illegal when-place: F40
model M
  Real x;
algorithm
  if time > 2 then
    when time > 1 then
      x := 0;
    end when;
  end if;
end M;
// illegal when-place: F40
model M
  Real x;
algorithm
  when time > 2 then
    when time > 1 then
      x := 0;
    end when;
  end when;
end M;
// illegal when-place: F40
model M
  Real x;
algorithm
  while time < 2 loop
    when time > 1 then
      x := 0;
    end when;
  end while;
end M;
// legal when-place
model M
  Real x;
algorithm
  when time > 2 then
    x := 0;
    for i in 1:3 loop
      x := x + i;
    end for;
  elsewhen time > 3 then
    x := 3;
  end when;
end M;

// illegal when-condition: T31
model M
  Real x;
algorithm
  when 2 then
    x := 0;
  end when;
end M;
// illegal when-condition: T31
model M
  Real x;
algorithm
  when {1, 2} then
    x := 0;
  end when;
end M;
// legal when-condition
model M
  Real x;
algorithm
  when {time > 1, initial()} then
    x := 0;
  end when;
end M;

// illegal two-algorithms: S02
model M
  Real x;
algorithm
  x := 1;
algorithm
  x := 2;
end M;
// legal two-algorithms
model M
  Real x;
  Real y;
algorithm
  x := 1;
algorithm
  y := x;
end M;

// illegal tuple-assignment: P01
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x;
  Real y;
algorithm
  (x, 2*y) := f(1);
end M;
// illegal tuple-assignment: T07
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
algorithm
  (x, y, z) := f(1);
end M;
// illegal tuple-assignment: P01
model M
  Real x;
  Real y;
algorithm
  (x, y) := {1, 2};
end M;
// illegal tuple-assignment: T08
function f
  input Real x;
  output Real a = x;
  output Boolean b = true;
algorithm
end f;
model M
  Real x;
  Real y;
algorithm
  (x, y) := f(1);
end M;
// legal tuple-assignment
function f
  input Real x;
  output Real a = x;
  output Real b = x;
algorithm
end f;
model M
  Real x;
  Real y;
algorithm
  (x, y) := f(1);
  (, y) := f(2);
end M;

// illegal equation-in-algorithm: P01
connector C
  Real x;
  flow Real f;
end C;
model M
  C a;
  C b;
algorithm
  connect(a, b);
end M;
// legal equation-in-algorithm
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

// illegal implicit-range: T13 would run to
model M
  Real x[2];
  Real y[3];
algorithm
  for i loop
    x[i] := 1;
    y[i] := 1;
  end for;
end M;
// illegal implicit-range: T13
model M
  Real x[2];
algorithm
  for i loop
    x[1] := 1;
  end for;
end M;
// illegal implicit-range: T13
model M
  Real x[3];
algorithm
  x := fill(1.0, 3);
  for i loop
    x[i + 1] := x[i + 2];
  end for;
end M;
// legal implicit-range
model M
  Real x[3];
algorithm
  for i loop
    x[i] := 1;
  end for;
end M;

// illegal statement-for-value: P02
model M
  Real x;
algorithm
  x := 1;
  sin(x) + 2;
end M;
// legal statement-for-value
function f
  input Real x;
algorithm
  assert(x > -1, "negative");
end f;
model M
  Real x;
algorithm
  x := 1;
  f(x);
end M;
// illegal equation-in-algorithm: P
model M
  Real x;
algorithm
  x = 1;
end M;
// illegal equation-in-algorithm: P
model M
  Real x, y;
algorithm
  connect(x, y);
end M;
// legal equation-in-algorithm
model M
  Real x;
algorithm
  x := 1;
end M;

// illegal loop-discrete: T41 between them
model M
  Integer k;
algorithm
  k := 0;
  while k < 3*time loop
    k := k + 1;
  end while;
end M;
// illegal loop-discrete: T41
model M
  Boolean b;
  Integer n(start = 1, fixed = true);
algorithm
  when time > 1 then
    n := 2;
  end when;
algorithm
  b := false;
  for i in 1:n loop
    b := b or i > time;
  end for;
end M;
// legal loop-discrete
model M
  Integer k(start = 0, fixed = true), n;
  Real y, z(start = 0), u = sample(time, Clock(0.1));
  Integer m;
algorithm
  when sample(0, 1) then
    k := 0;
    while k < 3*time loop
      k := k + 1;
    end while;
  end when;
algorithm
  n := 0;
  for i in 1:k loop
    n := n + i;
  end for;
algorithm
  y := time;
  while y > 1 loop
    y := y - 1;
  end while;
algorithm
  m := 0;
  z := z + u;
  while m < z loop
    m := m + 1;
  end while;
end M;

// illegal loop-action: F31
model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
algorithm
  when x < 0.5 then
    while n < x*10 loop
      n := n + 1;
      reinit(x, n);
    end while;
  end when;
end M;
// illegal loop-action: F31
model M
  Real y;
algorithm
  y := time;
  while y > 1 loop
    y := y - 1;
    terminate("end");
  end while;
end M;
// illegal loop-action: F31 der(), pre()
model M
  Real y, z;
algorithm
  y := time;
  while y > 1 loop
    y := y - 1;
    z := der(y);
  end while;
end M;
// legal loop-action
model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
algorithm
  when x < 0.5 then
    while n < x*10 loop
      n := n + 1;
    end while;
  end when;
end M;
