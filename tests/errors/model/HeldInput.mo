model HeldInput "the tangent of head is that by V: c comes of an external function without derivative"
  function coefficient
    input Real h;
    output Real c;
    external "C" c = cos(h);
  end coefficient;
  function head
    input Real V, h;
    output Real y;
  protected
    Real c = coefficient(h);
  algorithm
    y := c*V;
  end head;
  Real V, moves = head(V, 2), x = der(moves), y;
equation
  V = time;
  y = der(head(V, time)); // error E03: coefficient
end HeldInput;
