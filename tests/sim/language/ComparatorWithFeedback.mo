// simulate: --stop 5
// methods: ida dopri5 esdirk
// zero: error 1e-5
// moves: x 0.45
model ComparatorWithFeedback "Relaxation, with events: at the limits of a comparator its other limit is all that is left"
  parameter Real K = 1000 "its gain", A = 0.5 - 1/K "where it switches";
  Real x(start = 0, fixed = true), v, u, error;
protected
  Real s = mod(time + A, 4*A);
equation
  der(x) = v;
  u = v/2 - x;
  v = homotopy(smooth(0, if K*u > 1 then 1 else if K*u < -1 then -1 else K*u), 1);
  error = x - noEvent(if s < 2*A then s - A else 3*A - s);
end ComparatorWithFeedback;
