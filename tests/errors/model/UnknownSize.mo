model UnknownSize "A size needs a value at compile time"
  parameter Integer n;
  Real x[n] = zeros(n); // error N14: n
end UnknownSize;
