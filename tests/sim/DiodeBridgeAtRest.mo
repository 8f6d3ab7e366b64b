// At the start all currents are what Newton's method leaves of zero, 1e-27 A: to the audit, which is
// on in all tests, that is zero.
// simulate: --stop 0.05
// zero: error 1e-9
// moves: v 5
model DiodeBridgeAtRest "four diodes charge a capacitor"
  parameter Real Is = 1e-9, Vt = 0.04, C = 1e-3, R = 100, Rs = 0.5;
  Real v(start = 0, fixed = true, unit = "V"), i[4](each unit = "A"), ac(unit = "A"), u[4](each unit = "V");
  Real a(unit = "V"), b(unit = "V"), error;
equation
  for k in 1:4 loop
    i[k] = Is*(exp(u[k]/Vt) - 1) + 1e-8*u[k];
  end for;
  u = {a - v, -a, b - v, -b} "two to the capacitor, two from ground";
  12*sin(314*time) = Rs*ac + a - b;
  ac = i[1] - i[2];
  ac = i[4] - i[3];
  C*der(v) = i[1] + i[3] - v/R;
  error = i[1] + i[3] - i[2] - i[4];
end DiodeBridgeAtRest;
