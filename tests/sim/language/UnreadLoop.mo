// a nonlinear equation that nothing else reads is solved all the same
// simulate: --stop 1
// ends: w 0.6840367 1e-6
// moves: w 0.1
model UnreadLoop
  Real w(start = 0.5);
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  sin(w) + 2*w = 1 + time;
end UnreadLoop;
