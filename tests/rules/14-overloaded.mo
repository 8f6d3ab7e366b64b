Chapter 14: overloaded operators.

// illegal operator-input: N40
operator record C
  Real re, im;
  encapsulated operator function '+'
    input Real a;
    input Real b;
    output Real c;
  algorithm
    c := a + b;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
end M;
// illegal operator-input: N40
operator record C
  Real re, im;
  encapsulated operator 'constructor'
    function f
      input Real a;
      output Real b;
    algorithm
      b := a;
    end f;
  end 'constructor';
end C;
model M
  C x(re = 1, im = 2);
end M;
// legal operator-input
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c.re := a.re + b.re;
    c.im := a.im + b.im;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
  C y = x + x;
end M;

// illegal operator-outputs: N40
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c;
    output Real d;
  algorithm
    c.re := a.re + b.re;
    c.im := a.im + b.im;
    d := 1;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
end M;
// illegal operator-outputs: N40
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
  algorithm
  end '+';
end C;
model M
  C x(re = 1, im = 2);
end M;
// legal operator-outputs
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output Real c;
  algorithm
    c := a.re + b.re;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
end M;

// illegal operator-encapsulated: N40
operator record C
  Real re, im;
  operator function '+'
    input C a;
    input C b;
    output C c;
  algorithm
    c.re := a.re + b.re;
    c.im := a.im + b.im;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
end M;
// legal operator-encapsulated
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c.re := a.re + b.re;
    c.im := a.im + b.im;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
end M;

// illegal operator-extends: N43
operator record C
  Real re, im;
end C;
operator record D
  extends C;
  Real j;
end D;
model M
  D x(re = 1, im = 2, j = 3);
end M;
// legal operator-extends
operator record C
  Real re, im;
end C;
operator record D = C(re(unit = "m"), im(unit = "m"));
model M
  D x(re = 1, im = 2);
end M;

// illegal operator-place: N40
model M
  encapsulated operator function '+'
    input Real a;
    input Real b;
    output Real c;
  algorithm
    c := a + b;
  end '+';
  Real x = 1;
end M;
// illegal operator-place: N40
package P
  constant Real k = 1;
  operator '+'
    function f
      input Real a;
      output Real b;
    algorithm
      b := a;
    end f;
  end '+';
end P;
model M
  Real x = P.k;
end M;
// legal operator-place
operator record C
  Real re, im;
  encapsulated operator '-'
    function negate
      import C;
      input C a;
      output C b;
    algorithm
      b.re := -a.re;
      b.im := -a.im;
    end negate;
    function subtract
      import C;
      input C a;
      input C b;
      output C c;
    algorithm
      c.re := a.re - b.re;
      c.im := a.im - b.im;
    end subtract;
  end '-';
end C;
model M
  C x(re = 1, im = 2);
  C y = -x - x;
end M;

// illegal operator-ambiguous: N40
operator record C
  Real re, im;
  encapsulated operator '+'
    function f
      import C;
      input C a;
      input C b;
      output C c;
    algorithm
      c.re := a.re;
      c.im := b.im;
    end f;
    function g
      import C;
      input C a;
      input C b;
      output C c;
    algorithm
      c.re := b.re;
      c.im := a.im;
    end g;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
  C y = x + x;
end M;
// illegal operator-ambiguous: N40
operator record C
  Real re, im;
  encapsulated operator 'constructor'
    function f
      import C;
      input Real a;
      output C c;
    algorithm
      c.re := a;
      c.im := 0;
    end f;
    function g
      import C;
      input Real a;
      output C c;
    algorithm
      c.re := 0;
      c.im := a;
    end g;
  end 'constructor';
end C;
model M
  C x = C(1);
end M;
// legal operator-ambiguous
operator record C
  Real re, im;
  encapsulated operator 'constructor'
    function of_text
      import C;
      input String a;
      output C c;
    algorithm
      c.re := if a == "one" then 1 else 0;
      c.im := 0;
    end of_text;
    function of_number
      import C;
      input Real a;
      output C c;
    algorithm
      c.re := a;
      c.im := 0;
    end of_number;
  end 'constructor';
end C;
model M
  C x = C(1);
  C y = C("one");
end M;
// legal operator-ambiguous
operator record C
  Real re, im;
  encapsulated operator 'constructor'
    function f
      import C;
      input Real a;
      output C c;
    algorithm
      c.re := a;
      c.im := 0;
    end f;
    function g
      import C;
      input Real a;
      input Real b;
      output C c;
    algorithm
      c.re := a;
      c.im := b;
    end g;
  end 'constructor';
end C;
model M
  C x = C(1);
  C y = C(1, 2);
end M;

// illegal operator-missing: T01
operator record C
  Real re, im;
end C;
model M
  C x(re = 1, im = 2);
  C y = x*x;
end M;
// illegal operator-missing: T01
record C
  Real re, im;
end C;
model M
  C x(re = 1, im = 2);
  C y = x + x;
end M;
// illegal operator-missing: T01
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c.re := a.re + b.re;
    c.im := a.im + b.im;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
  C y = x + 1;
end M;
// illegal operator-missing: T01
operator record C
  Real re, im;
end C;
model M
  C x(re = 1, im = 2);
  C y = -x;
end M;
// illegal operator-missing: T01
operator record C
  Real re, im;
end C;
model M
  C x(re = 1, im = 2);
  Boolean b = x == x;
end M;
// illegal operator-missing: T08
operator record C
  Real re, im;
end C;
model M
  C x(re = 1, im = 2);
  String s = String(x);
end M;
// legal operator-missing
operator record C
  Real re, im;
  encapsulated operator 'constructor'
    function f
      import C;
      input Real a;
      output C c;
    algorithm
      c.re := a;
      c.im := 0;
    end f;
  end 'constructor';
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c.re := a.re + b.re;
    c.im := a.im + b.im;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
  C y = x + 1;
end M;

// illegal operator-defaults: N40
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    input Real k;
    output C c;
  algorithm
    c.re := a.re + k*b.re;
    c.im := a.im + k*b.im;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
end M;
// illegal operator-defaults: N40
operator record C
  Real re, im;
  encapsulated operator function '*'
    import C;
    input C a;
    output C c;
  algorithm
    c.re := a.re;
    c.im := a.im;
  end '*';
end C;
model M
  C x(re = 1, im = 2);
end M;
// illegal operator-defaults: N40
operator record C
  Real re, im;
  encapsulated operator function 'not'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c.re := a.re;
    c.im := b.im;
  end 'not';
end C;
model M
  C x(re = 1, im = 2);
end M;
// legal operator-defaults
operator record C
  Real re, im;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    input Real k = 1;
    output C c;
  algorithm
    c.re := a.re + k*b.re;
    c.im := a.im + k*b.im;
  end '+';
end C;
model M
  C x(re = 1, im = 2);
  C y = x + x;
end M;

// illegal operator-string: N40
operator record C
  Real re, im;
  encapsulated operator function 'String'
    import C;
    input C a;
    output Real s;
  algorithm
    s := a.re;
  end 'String';
end C;
model M
  C x(re = 1, im = 2);
end M;
// illegal operator-string: N40
operator record C
  Real re, im;
  encapsulated operator function 'String'
    import C;
    input Real b;
    input C a;
    output String s;
  algorithm
    s := String(a.re);
  end 'String';
end C;
model M
  C x(re = 1, im = 2);
end M;
// legal operator-string
operator record C
  Real re, im;
  encapsulated operator function 'String'
    import C;
    input C a;
    output String s;
  algorithm
    s := String(a.re);
  end 'String';
end C;
model M
  constant C x(re = 1, im = 2);
  constant String s = String(x);
end M;

// illegal operator-both-ways: N40
operator record C
  Real re, im;
  encapsulated operator function 'constructor'
    import C;
    import D;
    input D a;
    output C c;
  algorithm
    c.re := a.re;
    c.im := 0;
  end 'constructor';
end C;
operator record D
  Real re;
  encapsulated operator function 'constructor'
    import C;
    import D;
    input C a;
    output D c;
  algorithm
    c.re := a.re;
  end 'constructor';
end D;
model M
  C x(re = 1, im = 2);
end M;
// legal operator-both-ways
operator record C
  Real re, im;
  encapsulated operator function 'constructor'
    import C;
    import D;
    input D a;
    output C c;
  algorithm
    c.re := a.re;
    c.im := 0;
  end 'constructor';
end C;
operator record D
  Real re;
end D;
model M
  D y(re = 2);
  C x = C(y);
end M;

// illegal operator-zero: N40
operator record C
  Real re, im;
  encapsulated operator function '0'
    import C;
    input Real a;
    output C c;
  algorithm
    c.re := a;
    c.im := 0;
  end '0';
end C;
model M
  C x(re = 1, im = 2);
end M;
// legal operator-zero
operator record C
  Real re, im;
  encapsulated operator function '0'
    import C;
    output C c;
  algorithm
    c.re := 0;
    c.im := 0;
  end '0';
end C;
model M
  C x(re = 1, im = 2);
end M;

// illegal operator-record-extended: N43
operator record C
  Real re;
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c = C(a.re + b.re);
  end '+';
end C;
record R
  extends C;
  Real k;
end R;
model M
  R r(re = 1, k = 2);
end M;
// illegal operator-record-extended: N43
operator record C
  Real re;
  record D
    extends C;
    Real k;
  end D;
end C;
model M
  C c(re = 1);
  C.D d(re = 1, k = 2);
end M;
// illegal operator-record-extended: N43
operator record C
  Real re;
  operator record D
    extends C;
  end D;
end C;
model M
  C.D c(re = 1);
end M;
// illegal operator-record-extended: N43
package P
  operator record C
    Real re;
    operator record D
      extends P.C;
    end D;
  end C;
end P;
model M
  P.C.D c(re = 1);
end M;
// illegal operator-record-extended: N43
operator record C
  Real re;
end C;
operator record D
  extends C;
  Real im;
end D;
model M
  D d(re = 1, im = 2);
end M;
// illegal operator-record-extended: N43
operator record C
  Real re;
end C;
model A
  extends C(re = 1);
end A;
model M
  A a;
end M;
// illegal operator-record-extended: N43 enclosing
package P
  constant Real k = 2;
  operator record C
    Real re;
  end C;
end P;
package Q
  extends P;
end Q;
model M
  Q.C c(re = Q.k);
end M;
// illegal operator-record-extended: N43 enclosing
model P
  operator record C
    Real re;
  end C;
  C c(re = 1);
end P;
model M
  extends P;
end M;
// legal operator-record-extended
operator record C
  Real re;
end C;
operator record D = C(re(unit = "V"));
package P
  operator record V = C(re(unit = "V"));
end P;
package Q
  extends P;
end Q;
model M
  D d(re = 1);
  Q.V v(re = 2);
end M;

// illegal product-of-vectors: T01
operator record W
  Real x;
  encapsulated operator function '*'
    import W;
    input W a;
    input W b;
    output W c(x = a.x*b.x);
  algorithm
  end '*';
  encapsulated operator function '+'
    import W;
    input W a;
    input W b;
    output W c(x = a.x + b.x);
  algorithm
  end '+';
end W;
model M
  W v[2] = {W(1), W(2)};
  W p = v*v;
end M;
// illegal product-of-vectors: T01
operator record W
  Real x;
  encapsulated operator function '*'
    import W;
    input W a;
    input W b;
    output W c(x = a.x*b.x);
  algorithm
  end '*';
  encapsulated operator function '+'
    import W;
    input W a;
    input W b;
    output W c(x = a.x + b.x);
  algorithm
  end '+';
end W;
model M
  W v[2] = {W(1), W(2)};
  W p[2] = v*{v, v};
end M;
// illegal product-of-vectors: T01
operator record W
  Real x;
  encapsulated operator function '*'
    import W;
    input W a;
    input W b;
    output W c(x = a.x*b.x);
  algorithm
  end '*';
end W;
model M
  W A[1, 0];
  W B[0, 1];
  W p[1, 1] = A*B;
end M;
// legal product-of-vectors
operator record W
  Real x;
  encapsulated operator function '*'
    import W;
    input W a;
    input W b;
    output W c(x = a.x*b.x);
  algorithm
  end '*';
  encapsulated operator function '+'
    import W;
    input W a;
    input W b;
    output W c(x = a.x + b.x);
  algorithm
  end '+';
  encapsulated operator function '0'
    import W;
    output W c(x = 0);
  algorithm
  end '0';
end W;
model M
  W v[2] = {W(1), W(2)};
  W p = sum(v .* v);
  W A[1, 0];
  W B[0, 1];
  W C[1, 1] = A*B;
end M;

// illegal power-of-records: T01
operator record W
  Real x;
  encapsulated operator function '*'
    import W;
    input W a;
    input W b;
    output W c(x = a.x*b.x);
  algorithm
  end '*';
  encapsulated operator function '+'
    import W;
    input W a;
    input W b;
    output W c(x = a.x + b.x);
  algorithm
  end '+';
end W;
model M
  W A[2, 2] = {{W(1), W(2)}, {W(3), W(4)}};
  W B[2, 2] = A^0;
end M;
// illegal power-of-records: T01
operator record W
  Real x;
  encapsulated operator function '^'
    import W;
    input W a;
    input Integer n;
    output W c(x = a.x^n);
  algorithm
  end '^';
end W;
model M
  W v[2] = {W(1), W(2)};
  W p[2] = v^2;
end M;
// legal power-of-records
operator record W
  Real x;
  encapsulated operator function '^'
    import W;
    input W a;
    input Integer n;
    output W c(x = a.x^n);
  algorithm
  end '^';
end W;
model M
  W v[2] = {W(1), W(2)};
  W p[2] = v .^ 2;
end M;

// illegal quotient-by-array: T01
operator record W
  Real x;
  encapsulated operator function '/'
    import W;
    input Real a;
    input W b;
    output W c(x = a/b.x);
  algorithm
  end '/';
end W;
model M
  W v[2] = {W(1), W(2)};
  W p[2] = 2/v;
end M;
// legal quotient-by-array
operator record W
  Real x;
  encapsulated operator function '/'
    import W;
    input Real a;
    input W b;
    output W c(x = a/b.x);
  algorithm
  end '/';
end W;
model M
  W v[2] = {W(1), W(2)};
  W p[2] = 2 ./ v;
  W q[2] = {1, 2}/W(3);
end M;

// illegal two-operators: T01
operator record W
  Real x;
  encapsulated operator function '+'
    import W;
    import U;
    input W a;
    input U b;
    output W c(x = a.x + b.y);
  algorithm
  end '+';
end W;
operator record U
  Real y;
  encapsulated operator function '+'
    import W;
    import U;
    input W a;
    input U b;
    output U c(y = a.x + b.y);
  algorithm
  end '+';
end U;
model M
  W a = W(1);
  U b = U(2);
  Real d = (a + b).x;
end M;
// legal two-operators
operator record W
  Real x;
  encapsulated operator function '+'
    import W;
    import U;
    input W a;
    input U b;
    output W c(x = a.x + b.y);
  algorithm
  end '+';
end W;
operator record U
  Real y;
  encapsulated operator function '+'
    import W;
    import U;
    input U a;
    input W b;
    output U c(y = a.y + b.x);
  algorithm
  end '+';
end U;
model M
  W a = W(1);
  U b = U(2);
  W c = a + b;
  U d = b + a;
end M;

// illegal type-by-name: T31
operator record W
  Real x;
end W;
operator record U
  Real x;
end U;
model M
  W a = W(1);
  U b = a;
end M;
// illegal type-by-name: T08
operator record W
  Real x;
end W;
operator record U
  Real x;
end U;
function f
  input U u;
  output Real y = u.x;
algorithm
end f;
model M
  W a = W(1);
  Real y = f(a);
end M;
// illegal type-by-name: T30
operator record W
  Real x;
end W;
operator record U
  Real x;
end U;
model M
  W a = W(1);
  U b;
equation
  b = a;
end M;
// illegal type-by-name: T31
operator record W
  Real x;
end W;
record U
  Real x;
end U;
model M
  W a = W(1);
  U b = a;
end M;
// legal type-by-name
operator record W
  Real x;
end W;
operator record U = W(x(unit = "m"));
function f
  input U u;
  output Real y = u.x;
algorithm
end f;
model M
  W a = W(1);
  U b = a;
  Real y = f(a);
end M;

// illegal product-of-records: T08
operator record W
  Real x;
  encapsulated operator function '*'
    import W;
    input W a;
    input W b;
    output W c(x = a.x*b.x);
  algorithm
  end '*';
end W;
model M
  W p = product({W(1), W(2)});
end M;
// illegal product-of-records: T08
record R
  Real x;
end R;
model M
  R p = sum({R(1)});
end M;
// legal product-of-records
operator record W
  Real x;
  encapsulated operator function '+'
    import W;
    input W a;
    input W b;
    output W c(x = a.x + b.x);
  algorithm
  end '+';
  encapsulated operator function '0'
    import W;
    output W c(x = 0);
  algorithm
  end '0';
end W;
model M
  W p = sum({W(1), W(2)});
  W q = sum(fill(W(1), 0));
end M;

// illegal flow-of-records: T01
operator record W
  Real x;
  encapsulated operator function '+'
    import W;
    input W a;
    input W b;
    output W c(x = a.x + b.x);
  algorithm
  end '+';
end W;
connector C
  Real p;
  flow W w;
end C;
model A
  C c;
equation
  c.w.x = time;
end A;
model B
  C c;
equation
  c.p = 0;
end B;
model M
  A a;
  B b;
equation
  connect(a.c, b.c);
end M;
// legal flow-of-records
operator record W
  Real x;
  encapsulated operator function '+'
    import W;
    input W a;
    input W b;
    output W c(x = a.x + b.x);
  algorithm
  end '+';
  encapsulated operator function '-'
    import W;
    input W a;
    output W c(x = -a.x);
  algorithm
  end '-';
  encapsulated operator function '0'
    import W;
    output W c(x = 0);
  algorithm
  end '0';
end W;
connector C
  Real p;
  flow W w;
end C;
model A
  C c;
equation
  c.w.x = time;
end A;
model B
  C c;
equation
  c.p = 0;
end B;
model M
  A a;
  B b;
equation
  connect(a.c, b.c);
end M;
