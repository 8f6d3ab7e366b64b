model MatrixProduct
  Real A[2, 3] = {{1, 2, 3}, {4, 5, 6}};
  Real x[2] = {1, 2};
  Real y[2] = A*x;
end MatrixProduct;
