// MLS 12.7.1: assertions of functions that a derivative calls belong to the body that is differentiated
// simulate: --stop 1 --tolerance 1e-9
// zero: error 1e-7
// moves: x 1
model TangentAtTheStart "A call is differentiated for the start alone; below its derivative is an assertion"
  function power "x to the power n"
    input Real x;
    input Real n;
    output Real y;
  protected
    Real k;
  algorithm
    y := 1;
    k := 0;
    while k < n loop
      y := y*same(x);
      k := k + 1;
    end while;
  end power;
  function same
    input Real x;
    output Real y;
  algorithm
    y := x;
    annotation(derivative = same_der);
  end same;
  function same_der
    input Real x, dx;
    output Real dy;
  algorithm
    dy := dx*one(x);
  end same_der;
  function one
    input Real x;
    output Real y;
  algorithm
    assert(x > 0, "x is not positive");
    y := 1;
    annotation(LateInline = true);
  end one;
  Real x(start = 1.5);
  Real n(start = 3, fixed = true);
  Real error = abs(x - 2*exp(-time));
initial equation
  power(x, n) = 8;
equation
  der(x) = -x;
  der(n) = 0;
end TangentAtTheStart;
