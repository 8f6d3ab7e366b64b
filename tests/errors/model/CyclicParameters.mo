model CyclicParameters "Each needs the other, and a size needs both"
  parameter Integer n = m + 1; // error N13
  parameter Integer m = n - 1;
  Real x[n];
equation
  x = fill(1.0, n);
end CyclicParameters;
