// MLS 14.5: operators of operator records over arrays, by those of the elements; a record converted
// into another by a constructor (step 3), also where the operands are arrays; sums of no elements by
// '0'. MLS 10.3.4.1: the extrema of no elements. Complex numbers as real matrices are the second way.
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
operator record Z "complex numbers"
  Real re;
  Real im;
  encapsulated operator '*'
    import Z;
    function multiply
      import Z;
      input Z a;
      input Z b;
      output Z c(re = a.re*b.re - a.im*b.im, im = a.re*b.im + a.im*b.re);
    algorithm
    end multiply;
  end '*';
  encapsulated operator function '+'
    import Z;
    input Z a;
    input Z b;
    output Z c(re = a.re + b.re, im = a.im + b.im);
  algorithm
  end '+';
  encapsulated operator function '/'
    import Z;
    input Z a;
    input Z b;
    output Z c(re = (a.re*b.re + a.im*b.im)/(b.re^2 + b.im^2), im = (a.im*b.re - a.re*b.im)/(b.re^2 + b.im^2));
  algorithm
  end '/';
  encapsulated operator function '-'
    import Z;
    input Z a;
    output Z c(re = -a.re, im = -a.im);
  algorithm
  end '-';
  encapsulated operator function '0'
    import Z;
    output Z c(re = 0, im = 0);
  algorithm
  end '0';
  encapsulated operator 'constructor'
    import Z;
    import Polar;
    function of_real
      import Z;
      input Real re;
      input Real im = 0;
      output Z c(re = re, im = im);
    algorithm
    end of_real;
    function of_polar
      import Z;
      import Polar;
      input Polar p;
      output Z c(re = p.r*cos(p.phi), im = p.r*sin(p.phi));
    algorithm
    end of_polar;
  end 'constructor';
end Z;

operator record Polar "complex numbers by length and angle"
  Real r;
  Real phi;
  encapsulated operator function '*'
    import Polar;
    input Polar a;
    input Polar b;
    output Polar c(r = a.r*b.r, phi = a.phi + b.phi);
  algorithm
  end '*';
end Polar;

function real_matrix "the real matrix of a complex one"
  input Z a[:, :];
  output Real m[2*size(a, 1), 2*size(a, 2)];
algorithm
  m := [a.re, -a.im; a.im, a.re];
end real_matrix;

model OperatorsOverArrays
  parameter Integer n = 0;
  Z A[2, 2] = {{Z(1, time), Z(2, -1)}, {Z(0, 1), Z(time, 2)}};
  Z v[2] = {Z(1 + time, 2), Z(3, -time)};
  Polar p = Polar(2 + time, time);
  Polar q[2] = {Polar(1, time), Polar(2, -time)};
  Z A1[2, 2] = A^1, A5[2, 2] = A^5;
  Z mixed = p*v[1], other = v[2]*p;
  Z mixed_each[2] = q .* v, scaled[2] = v*p;
  Z quotients[2] = v/Z(1, 1), inverses[2] = 1 ./ v;
  Z none[n] = -fill(Z(1), n) + fill(Z(2), n)*3, no_matrix[n, 2] = fill(Z(1), n, 2)*A;
  Z nothing = sum(none);
  Real error[6];
  type Gear = enumeration(low, middle, high);
  // iterations without elements have the type and shape of their body
  Z made[n] = {Z(i, 1) for i in 1:n}, pairs[n, 2] = {{Z(i), Z(2)} for i in 1:n};
  Z summed = sum(Z(i, 1) for i in 1:n);
  Real rows[n, 2] = {{i, 2*i} for i in 1:n}, column[2, n] = {{i*j for i in 1:n} for j in 1:2};
  Real vector[2] = sum({i, 2*i} for i in 1:n);
  Integer smallest = min(i for i in 1:n);
  Gear highest = min(Gear.low for i in 1:n);
  String names[n] = {String(i) for i in 1:n};
  Integer least = max(fill(7, n)), greatest = min(fill(7, n));
  Boolean all_true = min(fill(false, n));
  Gear last = min(fill(Gear.low, n)), first = max(fill(Gear.high, n));
equation
  error[1] = sum(abs(real_matrix(A5) - real_matrix(A)^5)) + sum(abs(real_matrix(A1) - real_matrix(A)));
  error[2] = abs(mixed.re - p.r*(cos(p.phi)*v[1].re - sin(p.phi)*v[1].im))
    + abs(other.im - p.r*(cos(p.phi)*v[2].im + sin(p.phi)*v[2].re));
  error[3] = sum(abs(mixed_each[k].re - q[k].r*(cos(q[k].phi)*v[k].re - sin(q[k].phi)*v[k].im)) for k in 1:2)
    + abs(scaled[1].re - mixed.re) + abs(scaled[2].im - other.im);
  error[4] = sum(abs(2*quotients.re - v.re - v.im)) + sum(abs(2*quotients.im - v.im + v.re))
    + sum(abs(inverses[k].re*v[k].re - inverses[k].im*v[k].im - 1) for k in 1:2);
  error[5] = abs(nothing.re) + abs(nothing.im) + sum(abs(no_matrix.re)) + size(no_matrix, 1);
  error[6] = (if least == -2147483647 and greatest == 2147483647 then 0 else 1)
    + abs(summed.re) + sum(abs(vector)) + sum(made.re) + sum(pairs.im) + sum(rows) + sum(column)
    + (if smallest == greatest and highest == last then 0 else 1)
    + (if all_true and last == Gear.high and first == Gear.low then 0 else 1)
    + (if max(fill(1.0, n)) < -1e308 and min(fill(1.0, n)) > 1e308 then 0 else 1);
end OperatorsOverArrays;
