// MLS 12.9.1.2, 12.9.2: external "FORTRAN 77": addresses, arrays by columns, texts with their lengths
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-14
// zero: error[3] 1e-14
// zero: error[4] 1e-14
// zero: error[5] 1e-14
// moves: y 0.2
model FortranFunctions
  function solve "A*x = b"
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1)];
    output Real x[size(A, 1)] = b;
    output Integer info;
  protected
    Real lu[size(A, 1), size(A, 1)] = A;
    Integer pivots[size(A, 1)];
    external "FORTRAN 77" dgesv(size(A, 1), 1, lu, size(A, 1), pivots, x, size(A, 1), info)
      annotation(Library = "lapack");
  end solve;
  function norm
    input String kind;
    input Real A[:, :];
    output Real y;
  protected
    Real work[size(A, 1)];
    external "FORTRAN 77" y = dlange(kind, size(A, 1), size(A, 2), A, size(A, 1), work)
      annotation(Library = {"lapack", "blas"});
  end norm;
  function weighted "no call is written down: a, its sizes, on, k, n, y, its sizes"
    input Real a[2, 3, 2];
    input Boolean on;
    input Integer k[2, 2];
    input Integer n;
    output Real y[2, 3];
    external "FORTRAN 77" annotation(Include = "
/* in place of a Fortran routine */
static void weighted_(const double *a, const int *d1, const int *d2, const int *d3, const int *on,
                      const int *k, const int *k1, const int *k2, const int *n, double *y,
                      const int *y1, const int *y2)
{
    for (int i = 0; i < *d1; i++)
        for (int j = 0; j < *d2; j++) {
            y[i + *y1 * j] = *on * *n + k[0] + 10*k[1] + 100*k[2] + 1000*k[*k1 * *k2 - 1] + 0 * *y2;
            for (int l = 0; l < *d3; l++)
                y[i + *y1 * j] += (l + 1)*a[i + *d1*(j + *d2*l)];
        }
}");
  end weighted;
  parameter Real B[3, 2] = [1, -2; 3, 4; 5, 6];
  Real y(start = 1, fixed = true), x[3], w[2, 3], error[5];
protected
  Real A[3, 3] = [2 + time, 1, 0; 0, 3, 1; 1, 0, 4];
equation
  x = solve(A, {1, 2, 3 + time});
  der(y) = x[1];
  error[1] = sum(abs(A*x - {1, 2, 3 + time}));
  error[2] = norm("1", B) - 12;
  error[3] = norm(if time < 0.5 then "I" else "M", B) - (if time < 0.5 then 11 else 6);
  w = weighted({{{1, time}, {2, 3}, {4, 5}}, {{6, 7}, {8, 9}, {10, time}}}, time > 0.3,
    [1, 2; 3, 4], 7);
  error[4] = w[1, 1] - (4231 + (if time > 0.3 then 7 else 0) + 1 + 2*time);
  error[5] = w[2, 3] - w[1, 1] - 9;
end FortranFunctions;
