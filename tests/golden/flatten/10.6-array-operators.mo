model ArrayOperators "MLS 10.3 to 10.6: constructors, subscripts, operators"
  parameter Integer n = 3;
  parameter Real M[2, 2] = [2, 1; 0, 3];
  Real u[3] = {time, 1, 2};
  Real v[n] = cross(u, {0, 0, 1}) + skew(u)*u;
  Real A[2, 3] = [transpose([u[1:2]]), [0]; transpose([v[{3, 1}]*2]), 5*time];
  Real p = u*v;
  Real q[2] = A*u;
  Real W[2, 2] = A*transpose(A)/2;
  Real P[2, 2] = M^3;
  Real e[3] = (u .+ 1).^2 ./ {1, 2, 4};
  Real ends[:] = u[end:-2:1];
  Real H[2, 3] = {1/(i + j - 1) for j in 1:3, i in 1:2};
  Real total = sum(i*u[i] for i) + max(abs(v)) + product(k for k in 1:4);
  Real L[:] = cat(1, linspace(0, time, 3), zeros(1), fill(2.5, 1));
  Boolean b[2] = {time > 1, true} and {true, time < 2};
  Real chosen[n] = if n > 2 then u else {1, 2} "of different sizes: decided by the size";
  Integer size_of[:] = size(A);
end ArrayOperators;
