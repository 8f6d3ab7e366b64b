// A name in a base class means what it means there, whatever the derived class declares.
package P
  constant Real k = 1;
  constant Real l = 10;
  function f
    input Real x;
    output Real y = x + k;
  algorithm
  end f;
  model Base
    Real x = k*time;
    Real y = f(time);
    Real z = here;
    parameter Real here = 3;
  equation
    assert(x < l, "small");
  end Base;
end P;
model Scopes
  extends P.Base(here = k);
  parameter Real k = 5;
  Real l = k;
  function f
    input Real x;
    output Real y = 2*x;
  algorithm
  end f;
  Real own = f(k);
end Scopes;
