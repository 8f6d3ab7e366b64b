// A function of a component, with the component's parameters as defaults; replaced from outside; of one
// element of an array of components.
package Fields
  partial function partialField
    input Real r[2];
    output Real g[2];
  end partialField;
  function uniform
    extends partialField;
    input Real size;
    input Real n[2] = {0, 1};
  algorithm
    g := size*n;
  end uniform;
  function central
    extends partialField;
    input Real mu = 7;
  algorithm
    g := -mu*r;
  end central;
  model World
    parameter Real g0 = 9;
    replaceable function field = uniform(size = g0) constrainedby partialField;
  end World;
  model Body
    outer World world;
    Real r[2];
  equation
    der(r) = world.field(r);
  end Body;
  model Two
    parameter Real strength = 3;
    inner World world(redeclare function field = central(mu = strength));
    Body body;
  end Two;
end Fields;
model Main
  inner Fields.World world(g0 = 5);
  Fields.Body body;
  Fields.Two two;
  Fields.World other[2](g0 = {6, 7});
  Real pull[2] = other[2].field({1, 1});
end Main;
