// Names: enclosing classes, imports of enclosing packages, global names, encapsulated, inherited.
package P
  import Q = P.Deep;
  constant Real one = 1;
  package Deep
    constant Real four = 4*one;
    model Cell
      Real x = four;
    end Cell;
  end Deep;
  package Base
    constant Real k = 5;
    type T = Real(start = k);
  end Base;
  package Derived
    extends Base(k = 7);
  end Derived;
  encapsulated model Alone
    import P.Deep.{four, Cell};
    import P.Base.*;
    Cell cell;
    T t = four + k;
    Real y = .P.one + sin(time);
  end Alone;
  model Lookup
    Q.Cell cell;
    Alone alone;
    Derived.T t = Derived.k;
    Real one = 2 "hides P.one";
    Real z = one + P.one;
  end Lookup;
end P;
model Main
  extends P.Lookup;
end Main;
