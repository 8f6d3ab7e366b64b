// MLS 3.7.4.1: delays that vary, up to a longest one, by time and by states, that become zero, of
// expressions that jump, and in an equation that hangs on its own past.
// simulate: --stop 3 --tolerance 1e-8
// zero: error[1] 1e-7
// zero: error[2] 1e-7
// zero: error[3] 1e-7
// zero: error[4] 1e-6
model VaryingDelays
  Real x(start = 1, fixed = true), q(start = 1, fixed = true);
  Real lag = 0.3 + 0.2*sin(3*time);
  Real shrinking = max(0, 1 - time);
  Real error[4];
equation
  der(x) = -x;
  error[1] = delay(sin(2*time), lag, 0.5) - (if time > lag then sin(2*(time - lag)) else 0);
  error[2] = delay(x, 0.5*x, 0.6) - (if time > 0.5*x then exp(-(time - 0.5*x)) else 1);
  error[3] = delay(time^2, shrinking, 1) - (if time > shrinking then (time - shrinking)^2 else 0);
  // pantograph equation q'(t) = -q(t/2), by its power series
  der(q) = -delay(q, time/2, 2);
  error[4] = q - sum((-1)^k*time^k*0.5^(k*(k - 1)/2)/product(j for j in 1:k) for k in 0:25);
end VaryingDelays;
