model Elements
  Real; // error P01: expected the name of a component, found ';'
  Real x y; // error P02: expected ';' after an element, found 'y'
  parameter parameter Real z; // error P01: expected a type, a class or an element of a class
  input flow Real f; // error P01: expected a type, a class or an element of a class, found 'flow'
  import ; // error P01: expected a name to import, found ';'
  import A.{}; // error P01: expected a name to import, found '}'
  import A.; // error P01: expected a name, '*' or '{', found ';'
  extends ; // error P01: expected the base class, found ';'
  type E = enumeration(a b); // error P01: expected ',' or ')' in an enumeration, found 'b'
  function d = der(f); // error P01: expected ',', found ')'
  pure model P end P; // error P01: expected 'function' after 'pure' or 'impure'
  Real end; // error P01: expected the name of a component, found 'end'
  T t(redeclare model M end M); // error P01: only a short class fits in a modification
  Real a[]; // error P01: expected an expression, found ']'
  replaceable T r constrainedby ; // error P01: expected the constraining class, found ';'
  annotation(x = 1);
  annotation(y = 2); // error P01: a class has one annotation; this is another
end Elements;
