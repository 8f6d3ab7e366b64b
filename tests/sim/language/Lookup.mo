// MLS 5.3, 13.2: imports, enclosing classes, global names, encapsulated classes, constants
// model: Lookup.Main
// simulate: --stop 1
// zero: part.error[1] 1e-12
// zero: part.error[2] 1e-12
// zero: part.error[3] 1e-12
package Lookup
  package Deep
    constant Real c = 4;
    constant Real d = 10*c + 3;
    constant Real list[3] = {c, d, c + d};
    function f
      input Real x;
      output Real y;
    algorithm
      y := x + c;
    end f;
    encapsulated function g
      import Deep = Lookup.Deep;
      import Lookup.Deep.{f, d};
      input Real x;
      output Real y;
    algorithm
      y := f(x)*2 + Deep.c - d;
    end g;
  end Deep;
  model Part
    import D = Lookup.Deep;
    import Lookup.Deep.g;
    import Lookup.Deep.*;
    parameter Real e = 100 "hidden by nothing";
    Real error[3];
  equation
    error[1] = D.c - 4 + (d - 43) + (list[3] - 47);
    error[2] = f(time) - time - 4 + (g(1) - 10 - 4 + 43);
    error[3] = .Lookup.Deep.c - 4 + (.cos(0) - 1);
  end Part;
  model Main
    Part part;
  end Main;
end Lookup;
