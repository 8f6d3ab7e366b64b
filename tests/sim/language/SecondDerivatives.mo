// simulate: --stop 2 --tolerance 1e-9
// methods: esdirk ida dopri5
// zero: off 1e-7
// moves: x 0.3
model SecondDerivatives "The derivative of a function by time, in a loop: its own derivative by an unknown is not that by time"
  function f "x^3, by a loop that stays a call"
    input Real x;
    input Integer n;
    input Real scale;
    output Real y = scale;
  protected
    Integer i = 0;
  algorithm
    while i < n loop
      y := y*x;
      i := i + 1;
    end while;
    annotation(Inline = false, derivative(noDerivative = scale) = f1);
  end f;
  function f1 "3 x^2 x'"
    input Real x;
    input Integer n;
    input Real scale;
    input Real dx;
    output Real y = 3*scale*dx;
  protected
    Integer i = 0;
  algorithm
    while i < n - 1 loop
      y := y*x;
      i := i + 1;
    end while;
    annotation(Inline = false, derivative(order = 2, noDerivative = scale) = f2);
  end f1;
  function f2 "6 x x'^2 + 3 x^2 x''"
    input Real x;
    input Integer n;
    input Real scale;
    input Real dx;
    input Real d2x;
    output Real y = 6*scale*dx*dx;
  protected
    Integer i = 0;
  algorithm
    while i < n - 2 loop
      y := y*x;
      i := i + 1;
    end while;
    y := y + 3*scale*x*x*d2x;
    annotation(Inline = false);
  end f2;
  parameter Real k = 0.5, s = 1;
  parameter Integer n = 3;
  // f1 is linear in der(x), which a loop with a nonlinear equation determines
  Real x(start = 1, fixed = true), y, g;
  // the same without functions
  Real a(start = 1, fixed = true), b, off = abs(x - a) + abs(g - b);
equation
  y = f(x, n, s);
  g + k*g^3 = sin(3*time) - x;
  g = der(x) + k*der(y);
  b + k*b^3 = sin(3*time) - a;
  b = der(a)*(1 + 3*k*s*a^2);
end SecondDerivatives;
