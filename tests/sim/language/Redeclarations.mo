// MLS 7.3: replaceable models, components and functions
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
model Redeclarations
  partial model Law
    input Real u;
    output Real y;
    parameter Real k = 1;
  end Law;
  model Linear
    extends Law;
  equation
    y = k*u;
  end Linear;
  model Square
    extends Law;
  equation
    y = k*u^2;
  end Square;
  partial function Map
    input Real x;
    output Real y;
  end Map;
  function twice
    extends Map;
  algorithm
    y := 2*x;
  end twice;
  function thrice
    extends Map;
  algorithm
    y := 3*x;
  end thrice;
  model Part
    replaceable model Rule = Linear(k = 2) constrainedby Law(k = 2);
    replaceable Linear fixed constrainedby Law;
    replaceable function map = twice;
    Rule rule(u = 3);
    Real mapped = map(5);
  end Part;
  Part plain(fixed(u = 1, k = 4));
  Part other(redeclare model Rule = Square, redeclare Square fixed(u = 3, k = 5),
    redeclare function map = thrice);
  model Third
    extends Part(redeclare replaceable model Rule = Square(k = 7), fixed(u = 0));
  end Third;
  Third third;
  Real error[4];
equation
  error[1] = plain.rule.y - 6 + (plain.fixed.y - 4) + (plain.mapped - 10);
  error[2] = other.rule.y - 18;
  error[3] = other.fixed.y - 45 + (other.mapped - 15);
  error[4] = third.rule.y - 63;
end Redeclarations;
