// MLS 10: constructors, operators, slices, reductions
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
// zero: error[7] 1e-12
// zero: error[8] 1e-12
model ArrayExpressions
  Real A[2, 3] = [1, 2, 3; 4, 5, time];
  Real B[3, 2] = transpose(A);
  Real u[3] = {1, time, -1};
  Real v[3] = cross(u, {0, 0, 1});
  Real w[:] = linspace(0, 1, 5);
  Real C[:, :] = [A; u[1], u[2], u[3]];
  Real error[8];
equation
  error[1] = (A*B)[1, 1] - 14 + ((A*u)[2] - 4 - 5*time + time);
  error[2] = u*u - 2 - time^2 + (v[1] - time) + (v[2] + 1) + v[3];
  error[3] = sum(skew(u)*u) + sum(outerProduct(u, u)) - time^2 + sum(identity(3)) - 3;
  error[4] = w[end] - 1 + (sum(w[2:end - 1]) - 1.5) + (size(w, 1) - 5);
  error[5] = max(A[1, :]) - 3 + (min({3, 1, 2}) - 1) + (product(1:4) - 24)
    + (max(k^2 for k in -3:2) - 9);
  error[6] = sum(A.*A) - 55 - time^2 + (sum({2, 4}./{1, 4}) - 3) + (sum({1, 2}.^2) - 5)
    + (sum({1, 2} .+ 1) - 5);
  error[7] = C[3, 2] - time + (sum(cat(1, {1, 2}, u)) - 3 - time) + (ndims(A) - 2);
  error[8] = sum(diagonal({1, 2, 3})) - 6 + (sum(zeros(2, 2)) + sum(ones(2)) - 2)
    + (sum([A[:, 1], A[:, 2]]) - 12) + (sum({i*j for i in 1:2, j in 1:3}) - 18)
    + (scalar([7]) - 7) + (sum(vector([1, 2])) - 3) + (sum(fill(2.5, 2)) - 5);
end ArrayExpressions;
