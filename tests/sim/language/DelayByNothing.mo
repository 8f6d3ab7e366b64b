// A stiff equation through a delay that a parameter makes zero: the Jacobian is that of what is delayed.
// simulate: --tolerance 1e-6 --stop 3 --step 0.01
// methods: esdirk ida cvode trapezoid
// ends: x -0.98999 1e-4
model DelayByNothing "MLS 3.7.4.1, delay(x, 0)"
  parameter Real late = 0;
  Real x(start = 1, fixed = true);
equation
  der(x) = -1e8*(delay(x, late) - cos(time));
end DelayByNothing;
