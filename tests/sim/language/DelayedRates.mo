// MLS 3.7.4.1: before the delay has passed the delayed expression is what it was at the start, so
// its derivative is 0 there; of states, of time, with delays that vary.
// simulate: --stop 2 --tolerance 1e-8
// methods: esdirk ida cvode dopri5
// zero: error[1] 1e-7
// zero: error[2] 1e-7
// zero: error[3] 1e-7
// zero: error[4] 1e-7
// zero: error[5] 1e-6
// zero: error[6] 1e-6
model DelayedRates
  parameter Real T = 0.5, k = 2;
  Real x(start = 1, fixed = true), late = delay(x, T), rate = der(late);
  Real lag = 0.4 + 0.2*x, varying = delay(x, 0.4 + 0.2*x, 0.7);
  Real w(start = 0, fixed = true), q(start = 0, fixed = true);
  Real error[6];
equation
  der(x) = -x;
  error[1] = rate - (if time >= T then -exp(-(time - T)) else 0);
  error[2] = der(delay(k*time, T)) - (if time >= T then k else 0);
  error[3] = der(delay(sin(3*time), 0.25)) - (if time >= 0.25 then 3*cos(3*(time - 0.25)) else 0);
  error[4] = der(delay(x, 0.4 + 0.2*x, 0.7)) - (if time >= lag then -exp(-(time - lag))*(1 + 0.2*x) else 0);
  // the integral of the rate
  der(w) = rate;
  error[5] = w - (late - 1);
  der(q) = der(delay(x, 0.4 + 0.2*x, 0.7));
  error[6] = q - (varying - 1);
end DelayedRates;
