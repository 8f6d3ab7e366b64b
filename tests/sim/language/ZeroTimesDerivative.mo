// simulate: --stop 5 --tolerance 1e-7
// zero: error 1e-12
// moves: v 0.4
model ZeroTimesDerivative "A constant of zero times der(v): der(v) is unused, and the input is not differentiated"
  constant Real C = 0;
  input Real u(start = 1);
  function limited "whose derivative nobody asks for"
    input Real x;
    output Real y = x;
  algorithm
    while y > 3 loop
      y := y/2;
    end while;
    annotation(Inline = false);
  end limited;
  Real v(start = 0), other = v, w(start = 0, fixed = true), error = v - limited(u + time)/2;
equation
  C*der(v) = limited(u + time) - v*2;
  C*der(other) + der(w) = v - w;
end ZeroTimesDerivative;
