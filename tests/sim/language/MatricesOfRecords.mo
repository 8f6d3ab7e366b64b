// MLS 14.5: products of matrices of operator records, by their operators '*' and '+', against real
// matrices of twice the size. MLS 10.4.2: they are joined, too.
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
operator record C "complex numbers"
  Real re;
  Real im;
  encapsulated operator function '*'
    import C;
    input C a;
    input C b;
    output C c(re = a.re*b.re - a.im*b.im, im = a.re*b.im + a.im*b.re);
  algorithm
  end '*';
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c(re = a.re + b.re, im = a.im + b.im);
  algorithm
  end '+';
  encapsulated operator function '0'
    import C;
    output C c(re = 0, im = 0);
  algorithm
  end '0';
  encapsulated operator 'constructor'
    import C;
    function of_real
      import C;
      input Real re;
      input Real im = 0;
      output C c(re = re, im = im);
    algorithm
    end of_real;
  end 'constructor';
end C;

model MatricesOfRecords
  C A[2, 3] = {{C(1, time), C(2, -1), C(time)}, {C(0, 1), C(time, 2), C(3, 4)}};
  C B[3, 2] = {{C(time, 1), C(2, 2)}, {C(0, 3*time), C(1)}, {C(1, 1), C(5, -time)}};
  C v[3] = B[:, 1];
  Real R[2, 3] = A.re;
  C AB[2, 2] = A*B;
  C Av[2] = A*v;
  C Rv[2] = R*v;
  C none[2, 2] = A[:, zeros(0)]*B[zeros(0), :];
  C joined[2, 5] = [A, B[1:2, :]];
  C column[4, 1] = [v; A[1, 1]];
  C rows[3, 2] = cat(1, A[:, 2:3], {{C(7), C(time)}});
  Real error[5];
equation
  error[1] = sum(abs(AB.re - (A.re*B.re - A.im*B.im))) + sum(abs(AB.im - (A.re*B.im + A.im*B.re)));
  error[2] = sum(abs(Av.re - AB[:, 1].re)) + sum(abs(Av.im - AB[:, 1].im));
  error[3] = sum(abs(Rv.re - R*v.re)) + sum(abs(Rv.im - R*v.im));
  error[4] = sum(abs(none.re)) + sum(abs(none.im));
  error[5] = sum(abs(joined.re - [A.re, B[1:2, :].re])) + sum(abs(joined[:, 4].im - B[1:2, 1].im))
    + sum(abs(column[:, 1].im - cat(1, v.im, {time}))) + abs(rows[3, 2].re - time)
    + abs(rows[2, 1].im - A[2, 2].im);
end MatricesOfRecords;
