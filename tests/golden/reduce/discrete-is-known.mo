model DiscreteIsKnown "y = n*x is differentiated; n, which only events change, has no derivative"
  Real x(start = 1, fixed = true);
  Real y;
  Real z;
  discrete Real n(start = 1, fixed = true);
  Boolean late = time > 1;
equation
  der(x) = -x;
  y = n*x;
  der(y) = z;
  when late then
    n = 2;
  end when;
end DiscreteIsKnown;
