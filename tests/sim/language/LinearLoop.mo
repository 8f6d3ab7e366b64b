// A linear system of equations among algebraic variables, with coefficients that move
// simulate: --stop 2
// zero: error[1] 1e-10
// zero: error[2] 1e-10
// zero: error[3] 1e-10
model LinearLoop
  Real x[3];
  Real A[3, 3] = [4, sin(time), 1; cos(time), 5, 2; 1, time, 6];
  Real error[3];
equation
  A*x = {1, 2, 3};
  error = A*x - {1, 2, 3};
end LinearLoop;
