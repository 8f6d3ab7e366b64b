model Names
  package P
    constant Real eins = 1;
    model Motor
      Real x = 1;
    protected
      Real hidden = 2;
      parameter Real p = 1;
    end Motor;
  end P;
  P.Motor m;
  P.Moter n; // error N02: did you mean 'Motor'
  Q.M q; // error N02: there is no type 'Q'
  P.Motor m2(y = 3); // error N03: no element 'y'
  P.Motor m3(x(colour = 3)); // error N03: no attribute 'colour'
  P.Motor m4(p = 3); // error N07: protected
  P.Motor m5(x = 1, x = 2); // error N04: modified twice
  Real a = m.hidden; // error N07: protected
  Real b = lenght; // error N01: did you mean 'length'
  Real c = m.z; // error N01: no component 'z'
  Real d = P.zwei; // error N01: has no 'zwei'
  Real e = P.Motor; // error N01: is a class
  Real f = a.x; // error N01: no parts
  Real length = 1;
  Real length = 2; // error N05: declared twice
end Names;
