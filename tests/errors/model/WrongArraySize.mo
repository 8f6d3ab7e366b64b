model WrongArraySize "Sizes must agree"
  Real x[3];
  Real y[2] = {1, 2};
equation
  x = y; // error T32
end WrongArraySize;
