// simulate: --stop 4 --tolerance 1e-9
// zero: error_w[1] 1e-6
// zero: error_w[2] 1e-6
// zero: error_a[1] 1e-5
// zero: error_a[2] 1e-5
// moves: w[1] 1
model StatesThatDepend "a vector in two frames: the states asked for are dependent where the frames agree, as at the start"
  Real phi(start = 0, fixed = true) "from frame to frame";
  Real w[2](start = {1, 0}, stateSelect = {StateSelect.default, StateSelect.prefer}, each fixed = true);
  Real u[2](stateSelect = {StateSelect.default, StateSelect.prefer}) "the same in the turned frame";
  Real a[2] = der(u);
  Real error_w[2] = w - {cos(time), sin(time)}, error_a[2] = a - {0, 0};
  Boolean ahead = w[1] > 0.5;
equation
  der(phi) = 1;
  der(w) = {-w[2], w[1]};
  u = {cos(phi)*w[1] + sin(phi)*w[2], -sin(phi)*w[1] + cos(phi)*w[2]};
end StatesThatDepend;
