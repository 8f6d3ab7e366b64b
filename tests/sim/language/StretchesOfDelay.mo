// Stretches as long as the shortest delay, whose sums miss the end by rounding.
// simulate: --stop 100 --tolerance 1e-7
// methods: ida cvode dopri5 esdirk
// zero: error 1e-6
// ends: late -0.2345621030717934 1e-6
// moves: x 0.4
model StretchesOfDelay
  Real x(start = 1, fixed = true);
  Real late = delay(sin(5*time), 0.05);
  Real error = if noEvent(time < 1) then 0 else late - sin(5*(time - 0.05));
equation
  der(x) = -delay(x, 1);
end StretchesOfDelay;
