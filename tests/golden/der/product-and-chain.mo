// der(expression) is carried out: product and chain rule, nothing of a parameter, der of der.
model ProductAndChain
  parameter Real k = 2;
  Real x(start = 1, fixed = true), y, z, w;
equation
  der(x) = -x;
  y = der(k*x*x);
  z = der(sin(x) + k);
  w = der(der(x));
end ProductAndChain;
