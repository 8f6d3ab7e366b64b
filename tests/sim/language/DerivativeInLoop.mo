// simulate: --stop 2 --tolerance 1e-9
// methods: ida esdirk dopri5
// zero: error 1e-7
// moves: x 0.8
package Roots
  function cube
    input Real u;
    output Real y;
  algorithm
    y := u^3;
    annotation(derivative = slopeOfCube);
  end cube;
  function slopeOfCube
    input Real u;
    input Real der_u;
    output Real y;
  algorithm
    y := 3*square(u)*der_u;
  end slopeOfCube;
  function square
    input Real u;
    output Real y;
  algorithm
    assert(u > 0, "no root");
    y := u*u;
    annotation(derivative = slopeOfSquare);
  end square;
  function slopeOfSquare
    input Real u;
    input Real der_u;
    output Real y;
  algorithm
    y := 2*u*der_u;
  end slopeOfSquare;
  function root "by Newton's method"
    input Real a;
    output Real u;
  protected
    Real last;
  algorithm
    u := 1;
    last := 2;
    while abs(u - last) > 1e-14 loop
      last := u;
      u := u - (cube(u) - a)/(3*u^2);
    end while;
  end root;
end Roots;
model DerivativeInLoop "The derivative of a function that iterates calls what derivative annotations name"
  Real x(start = 1, fixed = true), y = Roots.root(x), z = der(y);
  Real error = abs(y - exp(-time/3)) + abs(z + exp(-time/3)/3);
equation
  der(x) = -x;
end DerivativeInLoop;
