// MLS 18.3: a call that cancels in a value is gone with all others when LateInline calls are expanded
// simulate: --stop 2 --tolerance 1e-9
// zero: error 1e-7
// moves: y 1
model CancelledCall "The value of y is a + b, known only as an expression that holds the call"
  function f
    input Real x;
    output Real y;
  algorithm
    y := 2 + x*x;
    annotation(LateInline = true);
  end f;
  function g "Stays a call"
    input Real x;
    output Real y;
  algorithm
    y := 0;
    while y < x loop
      y := y + 1;
    end while;
  end g;
  Real a(start = 1, fixed = true), b(start = 2, fixed = true);
  Real c(start = 3, fixed = true), d(start = 4, fixed = true);
  Real y = (a*f(time) + b*f(time))/f(time);
  Real z = (c*f(time) + d*g(time)*f(time))/f(time) "Another call is left";
  Real error = abs(y - exp(-time) - 2*exp(-2*time))
    + abs(z - 3*exp(-3*time) - 4*exp(-4*time)*noEvent(ceil(time)));
equation
  der(a) = -a;
  der(b) = -2*b;
  der(c) = -3*c;
  der(d) = -4*d;
end CancelledCall;
