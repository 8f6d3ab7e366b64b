// MLS 3.7.4.1: delayed are expressions that no state follows, whose history steps do not resolve:
// the states here are linear. Their derivatives, which nothing but a delay reads.
// simulate: --stop 3 --tolerance 1e-8
// methods: esdirk ida cvode dopri5
// zero: error[1] 1e-7
// zero: error[2] 1e-6
// zero: error[3] 1e-7
// zero: error[4] 1e-6
// zero: error[5] 1e-5
// zero: error[6] 1e-6
// zero: error[7] 1e-5
model DelaysOfExpressions
  parameter Real T = 0.3;
  Real x(start = 0, fixed = true), a = 2*sin(10*x), late = delay(a, T);
  Real u = sin(time), w = u*u, w_late = delay(w, T), w_rate = der(w_late), w_bend = der(w_rate);
  Real q(start = 0), q_late = delay(q, T), q_rate = der(q_late);
  Real i(start = 0, fixed = true), s = time - T;
  Real error[7];
equation
  der(x) = 1;
  der(i) = late;
  q + 0.5*sin(q) = time;
  error[1] = late - (if s >= 0 then 2*sin(10*s) else 0);
  error[2] = i - (if s >= 0 then 0.2*(1 - cos(10*s)) else 0);
  error[3] = w_late - (if s >= 0 then sin(s)^2 else 0);
  error[4] = w_rate - (if s >= 0 then sin(2*s) else 0);
  error[5] = w_bend - (if s >= 0 then 2*cos(2*s) else 0);
  error[6] = q_late + 0.5*sin(q_late) - (if s >= 0 then s else 0);
  error[7] = q_rate*(1 + 0.5*cos(q_late)) - (if s >= 0 then 1 else 0);
end DelaysOfExpressions;
