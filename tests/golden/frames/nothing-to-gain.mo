// Rotations, but each vector is used in the frame it is in: nothing is moved.
model NothingToGain
  Real p(start = 0.1, fixed = true);
  Real R[2, 2] = {{cos(p), sin(p)}, {-sin(p), cos(p)}};
  Real x[2];
equation
  der(p) = 1;
  x = R*{1, 2};
end NothingToGain;
