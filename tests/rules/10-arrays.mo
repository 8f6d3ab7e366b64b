Chapter 10: arrays.

// illegal size-is-integer: T03
model M
  Real x[2.5] = {1, 2};
end M;
// illegal size-is-integer: T03
model M
  Real x["a"] = {1, 2};
end M;
// illegal size-is-integer: T03
model M
  parameter Real n = 2;
  Real x[n] = {1, 2};
end M;
// legal size-is-integer
model M
  parameter Integer n = 2;
  type E = enumeration(a, b);
  Real x[n] = {1, 2};
  Real y[Boolean] = {1, 2};
  Real z[E] = {1, 2};
end M;

// illegal size-varies: T11
model M
  Integer n = if time > 1 then 2 else 3;
  Real x[n] = fill(1, n);
end M;
// illegal size-varies: T11
model M
  parameter Integer n(fixed = false);
  Real x[n];
initial equation
  n = 2;
equation
  for i in 1:n loop
    x[i] = 1;
  end for;
end M;
// legal size-varies
model M
  constant Integer n = 2;
  parameter Integer m = n + 1;
  Real x[m] = fill(1, m);
end M;

// illegal size-negative: T13
model M
  Real x[-1];
end M;
// legal size-negative
model M
  Real x[0];
end M;

// illegal size-unknown: T33
model M
  Real x[:];
equation
  x[1] = 1;
end M;
// illegal size-unknown: T33
model M
  parameter Real x[:];
end M;
// legal size-unknown
model M
  Real x[:] = {1, 2};
end M;

// illegal binding-size: T32
model M
  Real x[2] = {1, 2, 3};
end M;
// illegal binding-size: T32
model M
  Real x[2] = 1;
end M;
// illegal binding-size: T32
model M
  Real x = {1};
end M;
// illegal binding-size: T32
model M
  Real x[:] = 1;
end M;
// illegal binding-size: T32
model M
  Real x[:, :] = {1, 2};
end M;
// legal binding-size
model M
  Real x[2, 2] = {{1, 2}, {3, 4}};
end M;

// illegal subscript-type: T06
model M
  Real x[2] = {1, 2};
  Real y = x[1.0];
end M;
// illegal subscript-type: T06 dimension
model M
  Real x[2] = {1, 2};
  Real y = x[true];
end M;
// illegal subscript-type: T06 dimension
model M
  Real x[Boolean] = {1, 2};
  Real y = x[1];
end M;
// illegal subscript-type: T06 dimension
model M
  type E = enumeration(a, b);
  Real x[E] = {1, 2};
  Real y = x[2];
end M;
// illegal subscript-type: T06 dimension
model M
  type E = enumeration(a, b);
  type F = enumeration(a, b);
  Real x[E] = {1, 2};
  Real y = x[F.a];
end M;
// legal subscript-type
model M
  type E = enumeration(a, b);
  Real x[E] = {1, 2};
  Real y = x[E.b];
  Real z[Boolean] = {1, 2};
  Real w = z[true];
end M;

// illegal subscript-range: T05
model M
  Real x[2] = {1, 2};
  Real y = x[3];
end M;
// illegal subscript-range: T05
model M
  Real x[2] = {1, 2};
  Real y = x[0];
end M;
// illegal subscript-range: T05
model M
  Real x[2] = {1, 2};
  Real y[2] = x[2:3];
end M;
// illegal subscript-range: T05
model M
  Real x[2];
equation
  for i in 1:2 loop
    x[i + 1] = 1;
  end for;
end M;
// legal subscript-range
model M
  Real x[2] = {1, 2};
  Real y = x[end];
  Real z[0] = x[3:2];
end M;

// illegal subscript-count: T04
model M
  Real x[2] = {1, 2};
  Real y = x[1, 1];
end M;
// illegal subscript-count: T04
model M
  Real x = 1;
  Real y = x[1];
end M;
// illegal subscript-count: T32
model M
  Real x[2, 2] = {{1, 2}, {3, 4}};
  Real y = x[1];
end M;
// legal subscript-count
model M
  Real x[2, 2] = {{1, 2}, {3, 4}};
  Real y = x[1, 2];
  Real z[2] = x[1];
end M;

// illegal end-place: T06
model M
  Real x[2] = {1, 2};
  Real y = end;
end M;
// illegal end-place: T06
model M
  Real x[2] = {1, 2};
  Real y = x[1] + end;
end M;
// legal end-place
model M
  Real x[2] = {1, 2};
  Real y = x[end - 1] + x[x2[end]];
  parameter Integer x2[3] = {1, 2, 1};
end M;

// illegal array-of-types: T10
model M
  Real x[2] = {1, true};
end M;
// illegal array-of-types: T10
model M
  String x[2] = {"a", 1};
end M;
// illegal array-of-types: T10
model M
  Real x[2, 2] = {{1, 2}, {3}};
end M;
// illegal array-of-types: T10
model M
  Real x[2] = {1, {2}};
end M;
// illegal array-of-types: P01
model M
  Real x[:] = {};
end M;
// legal array-of-types
model M
  Real x[2, 2] = {{1, 2.5}, {3, 4}};
end M;

// illegal concatenation: T10
model M
  Real x[2, 2] = [1, 2; 3];
end M;
// illegal concatenation: T10
model M
  Real x[1, 3] = [{1, 2}, 3];
end M;
// illegal concatenation: T08
model M
  Real x[3] = cat(1, {1, 2}, 3);
end M;
// illegal concatenation: T10
model M
  Real x[3, 2] = cat(1, {{1, 2}}, {{1, 2, 3}});
end M;
// illegal concatenation: T08
model M
  Real x[4] = cat(2, {1, 2}, {3, 4});
end M;
// illegal concatenation: T35
model M
  parameter Integer k = integer(time);
  Real x[4] = cat(k, {1, 2}, {3, 4});
end M;
// illegal concatenation: T10
model M
  Real x[2, 1] = [1; true];
end M;
// legal concatenation
model M
  Real x[2, 2] = [1, 2; 3, 4];
  Real y[3] = cat(1, {1, 2}, {3});
  Real z[2, 2] = [{1, 2}, {3, 4}];
end M;

// illegal ranges: T13
model M
  Real x[3] = 1:true;
end M;
// illegal ranges: T13
model M
  Real x[2] = 1:{2};
end M;
// illegal ranges: T13
model M
  Real x[3] = 1:0:3;
end M;
// illegal ranges: T13
model M
  Real x[3] = "a":"c";
end M;
// illegal ranges: T13
model M
  type E = enumeration(a, b, c);
  E x[2] = E.a:1:E.c;
end M;
// illegal ranges: T13
model M
  type E = enumeration(a, b, c);
  type F = enumeration(a, b, d);
  E x[2] = E.a:F.b;
end M;
// legal ranges
model M
  type E = enumeration(a, b, c);
  E x[2] = E.a:E.b;
  Boolean b[2] = false:true;
  Real y[3] = 1.0:0.5:2.0;
  Real z[3] = 3:-1:1;
end M;

// illegal array-add: T02
model M
  Real x[2] = {1, 2} + {1, 2, 3};
end M;
// illegal array-add: T02
model M
  Real x[2] = {1, 2} + 1;
end M;
// illegal array-add: T02
model M
  Real x[2] = 1 - {1, 2};
end M;
// illegal array-add: T01
model M
  Boolean x[2] = {true, false} + {true, false};
end M;
// illegal array-add: T01
model M
  String s = "a" - "b";
end M;
// illegal array-add: T01
model M
  Real x = 1 + true;
end M;
// legal array-add
model M
  Real x[2] = {1, 2} + {1, 2};
  Real y[2] = {1, 2} .+ 1;
  parameter String s = "a" + "b";
  parameter String t[2] = {"a", "b"} + {"c", "d"};
end M;

// illegal array-multiply: T02
model M
  Real x[2] = {1, 2} .* {1, 2, 3};
end M;
// illegal array-multiply: T02
model M
  Real x = {1, 2} * {1, 2, 3};
end M;
// illegal array-multiply: T02
model M
  Real x[2] = {{1, 2}, {3, 4}} * {1, 2, 3};
end M;
// illegal array-multiply: T02
model M
  Real x[2, 2] = {{1, 2}, {3, 4}} * {{1, 2}};
end M;
// illegal array-multiply: T02
model M
  Real a[2, 2, 2] = fill(1, 2, 2, 2);
  Real x[2, 2, 2] = a*a;
end M;
// illegal array-multiply: T01
model M
  Real x = true * 2;
end M;
// legal array-multiply
model M
  Real x = {1, 2} * {1, 2};
  Real y[2] = {{1, 2}, {3, 4}} * {1, 2};
  Real z[2] = {1, 2} * {{1, 2}, {3, 4}};
  Real w[2, 2] = 3 * {{1, 2}, {3, 4}};
  Real a[2, 2, 2] = fill(1, 2, 2, 2);
  Real b[2, 2, 2] = a.*a;
end M;

// illegal array-divide: T02
model M
  Real x[2] = 1 / {1, 2};
end M;
// illegal array-divide: T02
model M
  Real x[2] = {1, 2} / {1, 2};
end M;
// illegal array-divide: T01
model M
  Real x = "a" / 2;
end M;
// legal array-divide
model M
  Real x[2] = {1, 2} / 2;
  Real y[2] = 1 ./ {1, 2};
end M;

// illegal array-power: T02
model M
  Real x[2] = {1, 2} ^ 2;
end M;
// illegal array-power: T01
model M
  Real x[2, 2] = {{1, 2}, {3, 4}} ^ (-1);
end M;
// illegal array-power: T01
model M
  Real x[2, 2] = {{1, 2}, {3, 4}} ^ 0.5;
end M;
// illegal array-power: T02
model M
  Real x[2, 3] = {{1, 2, 3}, {3, 4, 5}} ^ 2;
end M;
// illegal array-power: T02
model M
  Real x[2] = 2 ^ {1, 2};
end M;
// legal array-power
model M
  Real x[2, 2] = {{1, 2}, {3, 4}} ^ 2;
  Real y[2] = {1, 2} .^ 2;
  Real z[2, 2] = {{1, 2}, {3, 4}} ^ 0;
end M;

// illegal relations: T03
model M
  Boolean b = {1, 2} < {2, 3};
end M;
// illegal relations: T01
model M
  Boolean b = 1 < true;
end M;
// illegal relations: T01
model M
  Boolean b = "a" < 1;
end M;
// illegal relations: T03
model M
  Boolean b[2] = {1, 2} == {1, 2};
end M;
// illegal relations: N01
function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Boolean b = f == f;
end M;
// illegal relations: T03 Reals
model M
  Boolean b = time == 1.0;
end M;
// legal relations
model M
  parameter String s = "a";
  Boolean b = s < "b";
  Boolean c = false < true;
  Boolean d = 1 < time;
end M;

// illegal logical: T01
model M
  Boolean b = 1 and true;
end M;
// illegal logical: T01
model M
  Boolean b = not 1;
end M;
// illegal logical: T02
model M
  Boolean b[2] = {true, false} and {true, true, false};
end M;
// illegal logical: T02
model M
  Boolean b[2] = {true, false} or true;
end M;
// legal logical
model M
  Boolean b[2] = {true, false} and {true, time > 1};
  Boolean c[2] = not b;
end M;

// illegal if-expression-types: T02
model M
  Real x = if time > 1 then 1 else true;
end M;
// illegal if-expression-types: T02
model M
  Real x[2] = if time > 1 then {1, 2} else {1, 2, 3};
end M;
// illegal if-expression-types: T02
model M
  Real x[2] = if time > 1 then {1, 2} else 1;
end M;
// legal if-expression-types
model M
  parameter Boolean p = true;
  Real x[2] = if time > 1 then {1, 2} else {2, 3};
  Real y[2] = if p then {1, 2} else {2, 3};
end M;

// illegal array-functions: T08
model M
  Real x[2, 2] = transpose({1, 2});
end M;
// illegal array-functions: T08
model M
  Real x[2, 2] = diagonal(1);
end M;
// illegal array-functions: T03
model M
  Real x[2, 2] = identity(2.5);
end M;
// illegal array-functions: T08
model M
  Real x[3] = cross({1, 2}, {1, 2});
end M;
// illegal array-functions: T08
model M
  Real x[3, 3] = skew({1, 2});
end M;
// illegal array-functions: T08
model M
  Real x[2, 2] = outerProduct({{1, 2}}, {1, 2});
end M;
// illegal array-functions: T08
model M
  Real x = scalar({1, 2});
end M;
// illegal array-functions: T08
model M
  Real x[1] = vector({{1, 2}, {3, 4}});
end M;
// illegal array-functions: T08
model M
  Real x[2] = linspace(0, 1, 1);
end M;
// illegal array-functions: T03
model M
  Real x[2] = linspace(0, 1, 2.5);
end M;
// illegal array-functions: T03
model M
  Real x[2] = fill(1, 2.5);
end M;
// illegal array-functions: T03
model M
  Real x[2] = zeros(true);
end M;
// illegal array-functions: T08
model M
  Real x = sum({true, false});
end M;
// illegal array-functions: T08
model M
  Real x = sum("a");
end M;
// illegal array-functions: T08
model M
  Real x = max({"a"});
end M;
// illegal array-functions: T05
model M
  Integer x = size({1, 2}, 2);
end M;
// illegal array-functions: T07
model M
  Integer x = ndims(1, 2);
end M;
// illegal array-functions: T08
model M
  Real x[2, 2] = symmetric({{1, 2, 3}, {3, 4, 5}});
end M;
// illegal array-functions: T08
model M
  Real x[2, 2] = matrix(fill(1, 2, 2, 2));
end M;
// illegal array-functions: T32
model M
  Real x = max({1, 2}, {3, 4});
end M;
// illegal array-functions: T07
model M
  Real x[2] = fill(1);
end M;
// illegal array-functions: T08
model M
  Real x = product({"a", "b"});
end M;
// legal array-functions
model M
  Real x[2, 2] = transpose({{1, 2}, {3, 4}});
  Real y[2, 2] = diagonal({1, 2});
  Real z[2, 2] = identity(2);
  Real c[3] = cross({1, 2, 3}, {1, 2, 4});
  Real k[3, 3] = skew({1, 2, 3});
  Real o[2, 2] = outerProduct({1, 2}, {1, 2});
  Real s = scalar({{1}});
  Real v[2] = vector({{1}, {3}});
  Real l[2] = linspace(0, 1, 2);
  Real f[2] = fill(1, 2);
  Real w[2] = zeros(2);
  Real t = sum({1, 2});
  Real m = max({1, 2});
  Integer n = size({1, 2}, 1);
  Integer d = ndims({1, 2});
  Real q[2, 2] = symmetric({{1, 2}, {3, 4}});
  Real u[2, 2] = matrix(fill(1, 2, 2, 1));
  Boolean b = max(false, time > 1);
end M;

// illegal comprehension: T13
model M
  Real x[3] = {i for i in 1:true};
end M;
// illegal comprehension: T08
model M
  Real x = sum(true for i in 1:3);
end M;
// illegal comprehension: T08
model M
  Real x = min("a" for i in 1:3);
end M;
// illegal comprehension: T11
model M
  Integer n = if time > 1 then 2 else 3;
  Real x = sum(i for i in 1:n);
end M;
// illegal comprehension: T13
model M
  Real x[3] = {i for i in 3};
end M;
// illegal comprehension: T32
model M
  Real x = sum({i, 2} for i in 1:3);
end M;
// illegal comprehension: T08
model M
  Real x = product({i, 2} for i in 1:3);
end M;
// illegal comprehension: T07
model M
  Real x = sin(i for i in 1:3);
end M;
// legal comprehension
model M
  Real x[3] = {i for i in 1:3};
  Real y = sum(i*j for i in 1:3, j in {1, 2});
  Real z[2, 3] = {i*j for i in 1:3, j in 1:2};
  Real m = max(i^2 for i in {3, 7, 6});
end M;

// illegal vectorized-call: T08
function f
  input Real x;
  input Real y;
  output Real z = x + y;
algorithm
end f;
model M
  Real x[2] = f({1, 2}, {1, 2, 3});
end M;
// illegal vectorized-call: T32
model M
  Real x[2] = sin({1, 2, 3});
end M;
// illegal vectorized-call: T32
model M
  Real x = sin({1, 2, 3});
end M;
// legal vectorized-call
function f
  input Real x;
  input Real y;
  output Real z = x + y;
algorithm
end f;
model M
  Real x[2] = f({1, 2}, {1, 2});
  Real y[2] = f({1, 2}, 1);
  Real z[2, 2] = sin({{1, 2}, {3, 4}});
end M;

// illegal each: T32
model A
  Real x = 1;
end A;
model M
  A a[2](x = 3);
end M;
// illegal each: T32
model A
  Real x = 1;
end A;
model M
  A a[2](x = {3, 4, 5});
end M;
// illegal each: T32 each
model A
  Real x = 1;
end A;
model M
  A a(each x = 3);
end M;
// legal each
model A
  Real x = 1;
end A;
model M
  A a[2](each x = 3);
  A b[2](x = {1, 2});
end M;

// illegal no-such-element: T32
model A
  Real x = 1;
end A;
model M
  A a[2];
  Real y = a.x;
end M;
// illegal no-such-element: T05
model A
  Real x = 1;
end A;
model M
  A a[2];
  Real y = a[3].x;
end M;
// legal no-such-element
model A
  Real x = 1;
end A;
model M
  A a[2];
  Real y = a[2].x;
  Real z[2] = a.x;
end M;

// illegal join-records: T10
record R Real a; end R;
record S Real b; end S;
model M
  R x[2] = cat(1, {R(1)}, {S(2)});
end M;
// illegal join-records: T10
record R Real a[:]; end R;
model M
  R x[2] = cat(1, {R({1, 2})}, {R({1, 2, 3})});
end M;
// illegal join-records: T10
record R Real a; end R;
model M
  R x[1, 2] = [R(1), 2];
end M;
// legal join-records
record R Real a[2]; String b; end R;
model M
  R x[2, 2] = [R({1, 2}, "a"), R({1, time}, "b"); R({1, 2}, "c"), R({1, 2}, "d")];
  R y[3] = cat(1, x[1], x[2, 1:1]);
end M;

// illegal no-elements: T32
model M
  parameter Integer n = 0;
  Real A[n, 3] = {{i, 2*i} for i in 1:n};
end M;
// illegal no-elements: T32
model M
  parameter Integer n = 0;
  Real x = sum({i, 2*i} for i in 1:n) + {1, 2};
end M;
// legal no-elements
model M
  parameter Integer n = 0;
  Real A[n, 2] = {{i, 2*i} for i in 1:n};
  Real x[2] = sum({i, 2*i} for i in 1:n) + {1, 2};
  Real y[n] = {A[i, 1] for i in 1:n};
  Real z = sum(A[i, 1] for i in 1:n) + product(A[i, 2] for i in 1:n);
end M;
