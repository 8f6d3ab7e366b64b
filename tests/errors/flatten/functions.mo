model Functions
  function f
    input Real x;
    input Real v[2];
    input Integer n = 1;
    output Real y = x;
  algorithm
  end f;
  function outside
    input Real x;
    output Real y;
    external "Java" y = outside(x); // error F32: external "Java"
  end outside;
  function endless
    input Integer n;
    output Integer m;
  algorithm
    m := endless(n + 1); // error F31: nested
  end endless;
  function writes_input
    input Real x;
    output Real y = 1;
  algorithm
    x := 2; // error T18: 'x'
  end writes_input;
  function reads_nothing
    input Real x;
    output Real y;
  protected
    Real z;
  algorithm
    y := x + z; // error T16: 'z'
  end reads_nothing;
  function reads_other "elements that no round assigns"
    input Integer n;
    output Real y = 0;
  protected
    Real a[9];
  algorithm
    for k in 1:n loop
      if k > 1 then
        y := y + a[8]; // error T16: 'a[8]'
      end if;
      a[7] := k;
    end for;
  end reads_other;
  function reads_first "in the first round already"
    input Integer n;
    output Real y = 0;
  protected
    Real a[2];
  algorithm
    for k in 1:n loop
      y := y + a[1]; // error T16: 'a[1]'
      a[1] := k;
    end for;
  end reads_first;
  function reads_all "none of which has a value"
    input Integer n;
    output Real y = 0;
  protected
    Real a[9];
  algorithm
    for k in 1:n loop
      y := y + a[k]; // error T16: 'a[k]'
    end for;
  end reads_all;
  function wrong_size
    input Real x;
    output Real y[2];
  algorithm
    y := {x, x, x}; // error T08: Real[3]
  end wrong_size;
  function circular
    input Real x;
    output Real y = z;
  protected
    Real z = w; // error F36: 'z'
    Real w = z;
  algorithm
  end circular;
  function refuses
    input Real x;
    output Real y = x;
  algorithm
    assert(x < 1, "too large"); // error F35: too large
  end refuses;
  function derives
    input Real x;
    output Real y = der(x); // error F30: der
  algorithm
  end derives;
  Real x;
  Real e1 = f(x); // error T07: 'v'
  Real e2 = f(x, {1, 2, 3}); // error T08: Real[3]
  Real e3 = f(x, {1, 2}, 1.5); // error T08: 'n'
  Real e4 = f(x, {1, 2}, m = 3); // error T07: 'm'
  Real e5 = f(x, {1, 2}, 3, 4); // error T07: too many
  Real e6 = outside(x);
  Real e8 = endless(1);
  Real e9 = writes_input(x);
  Real e10 = reads_nothing(x);
  Integer n(start = 3, fixed = true);
  Real e15 = reads_other(n);
  Real e16 = reads_first(n);
  Real e17 = reads_all(n);
  Real e11[2] = wrong_size(x);
  Real e12 = circular(x);
  Real e13 = refuses(2);
  Real e14 = derives(x);
equation
  when x > 1 then
    n = 4;
  end when;
end Functions;
