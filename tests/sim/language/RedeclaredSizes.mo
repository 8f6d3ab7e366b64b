// MLS 7.3: fields of a function's records declared anew, with sizes from the function's own variables
// model: RedeclaredSizes.Model
// simulate: --stop 1 --tolerance 1e-9
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
package RedeclaredSizes
  record System
    Real A[:, size(A, 1)];
    Real B[size(A, 1), :];
    Real gain[size(B, 2)] = fill(2, size(B, 2));
    String names[size(B, 2)] = fill("", size(B, 2));
  end System;
  function make
    input Real A[:, size(A, 1)];
    input Real B[size(A, 1), :];
    input String names[size(B, 2)] = fill("u", size(B, 2));
    output System s(redeclare Real A[size(A, 1), size(A, 2)], redeclare Real B[size(B, 1), size(B, 2)],
      redeclare String names[size(B, 2)]);
  algorithm
    s.A := A;
    s.B := 2*B;
    s.names := names;
  end make;
  record Polynomial
    Real c[:];
  end Polynomial;
  function derivative
    input Polynomial p;
    output Polynomial d(redeclare Real c[max(size(p.c, 1) - 1, 0)]);
  protected
    Integer n = size(p.c, 1);
  algorithm
    for i in 1:n - 1 loop
      d.c[i] := i*p.c[i + 1];
    end for;
  end derivative;
  function value
    input Polynomial p;
    input Real x;
    output Real y = 0;
  algorithm
    for i in size(p.c, 1):-1:1 loop
      y := y*x + p.c[i];
    end for;
  end value;
  model Model
    parameter System s = make([1, 2; 3, 4], [5; 6]);
    Real error[3];
  equation
    error[1] = s.B[2, 1] + s.A[1, 2] + s.gain[1] - 16;
    error[2] = if s.names[1] == "u" then 0 else 1;
    // the derivative of 1 + t + 2 t^2
    error[3] = value(derivative(Polynomial({1, 1, 2})), time) - 1 - 4*time;
  end Model;
end RedeclaredSizes;
