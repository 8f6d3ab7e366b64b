// The diode's parameter s is left after tearing, and the argument of the exponential follows from it by a
// factor of 1e5: Newton's method takes hundreds of iterations, and relations are off by its rounding,
// unless all equations of the block are solved at run time.
// simulate: --stop 0.03 --interval 0.0005
// ends: u -4.97493915 5e-6
// moves: u 5
model JunctionOfSmallCurrent "an ideal diode and one with an exponential curve"
  Real s, i, v, e(start = 0), current, u, source = 5*sin(314*time + 1.6);
  Boolean off(start = true);
equation
  off = s < 0;
  v = s*(if off then 1 else 1e-5) + 0.7;
  i = s*(if off then 1e-5 else 1) + 7e-6;
  v = u - 5*i;
  current = 1e-6*(exp(e/0.04) - 1) + e*1e-8;
  e = -1000*current - u - 5*current;
  (source - u)/5 - u/1e5 - i + current = 0;
end JunctionOfSmallCurrent;
