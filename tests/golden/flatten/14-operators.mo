operator record Complex
  Real re;
  Real im;
  encapsulated operator 'constructor'
    function from_real
      import Complex;
      input Real re;
      input Real im = 0;
      output Complex c(re = re, im = im);
    algorithm
    end from_real;
  end 'constructor';
  encapsulated operator '-'
    function negate
      import Complex;
      input Complex a;
      output Complex c = Complex(-a.re, -a.im);
    algorithm
    end negate;
    function subtract
      import Complex;
      input Complex a;
      input Complex b;
      output Complex c = Complex(a.re - b.re, a.im - b.im);
    algorithm
    end subtract;
  end '-';
  encapsulated operator '*'
    function multiply
      import Complex;
      input Complex a;
      input Complex b;
      output Complex c;
    algorithm
      c := Complex(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end multiply;
    function scalar_product
      import Complex;
      input Complex a[:];
      input Complex b[size(a, 1)];
      output Complex c = Complex(0);
    algorithm
      for k in 1:size(a, 1) loop
        c := c + a[k]*b[k];
      end for;
    end scalar_product;
  end '*';
  encapsulated operator function '+'
    import Complex;
    input Complex a;
    input Complex b;
    output Complex c = Complex(re = a.re + b.re, im = a.im + b.im);
  algorithm
  end '+';
  encapsulated operator function '=='
    import Complex;
    input Complex a;
    input Complex b;
    output Boolean c = a.re == b.re and a.im == b.im;
  algorithm
  end '==';
end Complex;
model Operators "MLS 14: operators of records, the other operand converted by a constructor"
  Complex a = Complex(time, 1);
  Complex b = a*a - 2;
  Complex c = 3*a;
  Complex d = -a + b*Complex(0, 1);
  Complex v[2] = {a, b} + {b, a};
  Complex w[2] = 2*v;
  Complex p = v*w;
  Boolean same = Complex(1, 2) == Complex(1, 2);
end Operators;
