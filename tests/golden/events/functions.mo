// MLS 8.5: relations and jumps in the bodies of functions make no events, also where a body is
// expanded in an equation; with GenerateEvents = true, and for a result that is no Real, they do.
package OfBodies
  function limited
    input Real u, high;
    output Real y = if u > high then high else mod(u, 7);
    annotation(Inline = true);
  end limited;
  function loud
    input Real u, high;
    output Real y = if u > high then high else u;
    annotation(GenerateEvents = true);
  end loud;
  function isAbove
    input Real u, high;
    output Boolean y = u > high;
  end isAbove;
  function both
    input Real u;
    output Real y = if isAbove(u, 5) then loud(u, 6) else u;
  end both;
end OfBodies;
model Functions
  Real x(start = 0, fixed = true), quiet, loud, above, twice;
equation
  der(x) = 1;
  quiet = OfBodies.limited(x, 1);
  loud = OfBodies.loud(x, 3);
  above = if OfBodies.isAbove(x, 4) then 1 else 0;
  twice = OfBodies.both(x);
end Functions;
