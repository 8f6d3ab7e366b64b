// What Newton's method leaves of a value that is zero at the start is no defect (the audit is on in all tests)
// simulate: --stop 1 --tolerance 1e-9
// methods: cvode dopri5 esdirk ida
// zero: error 1e-7
// moves: x 0.9
model AuditedAtRest
  Real x, y(start = 0, fixed = true), error;
equation
  x + 0.1*sin(x) = time;
  der(y) = x;
  error = y - x^2/2 - 0.1*(x*sin(x) + cos(x) - 1);
end AuditedAtRest;
