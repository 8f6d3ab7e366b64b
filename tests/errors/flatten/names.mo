model Names
  package P
    constant Real eins = 1;
    model M
      Real x = 1;
    protected
      Real hidden = 2;
      parameter Real p = 1;
    end M;
  end P;
  P.M m;
  P.N n; // error N02: did you mean 'M'
  Q.M q; // error N02: there is no type 'Q'
  P.M m2(y = 3); // error N03: no element 'y'
  P.M m3(x(colour = 3)); // error N03: no attribute 'colour'
  P.M m4(p = 3); // error N07: protected
  P.M m5(x = 1, x = 2); // error N04: modified twice
  Real a = m.hidden; // error N07: protected
  Real b = lenght; // error N01: did you mean 'length'
  Real c = m.z; // error N01: no component 'z'
  Real d = P.zwei; // error N01: has no 'zwei'
  Real e = P.M; // error N01: is a class
  Real f = a.x; // error N01: no parts
  Real length = 1;
  Real length = 2; // error N05: declared twice
end Names;
