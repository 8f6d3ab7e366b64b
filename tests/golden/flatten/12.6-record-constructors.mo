model RecordConstructors "MLS 12.6: a record's name is a function of its fields"
  record Complex
    Real re;
    Real im = 0;
  end Complex;

  record Frame
    Real T[2, 2];
    Complex z[2] = {Complex(1, 2), Complex(3)};
    constant Integer n = 2;
  end Frame;

  function product
    input Complex a;
    input Complex b;
    output Complex c;
  algorithm
    c.re := a.re*b.re - a.im*b.im;
    c.im := a.re*b.im + a.im*b.re;
  end product;

  function turned
    input Frame f;
    output Frame g = f;
  algorithm
    g.T[1, :] := f.T[2, :];
    g.T[2, :] := -f.T[1, :];
    g.z[1].re := f.z[2].im;
  end turned;

  Complex a = Complex(time, im = 1);
  Complex b = product(a, a);
  Complex c = if time > 1 then a else Complex(0);
  Frame f = turned(Frame(T = [time, 1; 0, 2]));
  Real norm = (product(a, Complex(a.re, -a.im))).re;
end RecordConstructors;
