model ZerosPropagate "a zero found in one equation leaves an alias in the next"
  Real x, y, z, a, b;
equation
  x = 0;
  y = x + z;
  a + x*z = -y;
  b = 2*a;
  der(b) = z + 1;
end ZerosPropagate;
