// simulate: --stop 1
// methods: dopri5 esdirk
// zero: error 1e-12
// moves: x 0.5
model AngleAtPi
  "atan2 on the negative half of the axis is pi or -pi, by the sign of a zero: the audit takes both"
  Real i1 = 1 + time, i2, phi = atan2(-i2, -i1);
  Real error = abs(phi) - 3.14159265358979323846;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  i2*(2 + time) = x - x;
end AngleAtPi;
