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
  Real e11[2] = wrong_size(x);
  Real e12 = circular(x);
  Real e13 = refuses(2);
  Real e14 = derives(x);
end Functions;
