// simulate: --stop 1 --tolerance 1e-6
// methods: ida esdirk
// agree: x 1e-5
// agree: y 1e-5
// moves: y 0.5
model SlopeThatVanishes "A slope of max(..) by which Newton's method may divide is zero from some time on"
  Real x(start = -0.0309, fixed = true), y(start = -0.397, fixed = true), z(start = 0.745, fixed = true);
equation
  der(x) = if time > 0.431 then tanh(time - z) - 5*x else tanh(if x > 0.9 then 1 else y/(1 + y^2));
  der(y) = 1.64*tanh(cos(max(abs(x), time))) - 5*y;
  der(z) = 2 - z;
end SlopeThatVanishes;
