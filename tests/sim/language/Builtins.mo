// MLS 3.7: predefined functions
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
model Builtins
  parameter Real p = 2.5;
  Real t = time + 0.5;
  Real error[5];
equation
  error[1] = abs(-t) - t + (sign(p) - 1) + (sqrt(t^2) - t) + (max(t, -t) - t) + (min(3, 2) - 2);
  error[2] = div(7, 2) - 3 + (div(-7, 2) + 3) + (mod(-7, 3) - 2) + (rem(-7, 3) + 1)
    + (mod(p, 1) - 0.5);
  error[3] = floor(-2.5) + 3 + (ceil(2.1) - 3) + (integer(2.9) - 2);
  error[4] = exp(log(t)) - t + (log10(1000) - 3) + (sin(asin(t/2)) - t/2) + (cos(acos(t/2)) - t/2)
    + (tan(atan(t)) - t) + (atan2(sin(t), cos(t)) - t);
  error[5] = cosh(t)^2 - sinh(t)^2 - 1 + (tanh(t) - sinh(t)/cosh(t)) + (t^3 - t*t*t)
    + (2^p - sqrt(32)) + (noEvent(if t > 0 then 1 else 2) - 1) + (smooth(0, t) - t);
end Builtins;
