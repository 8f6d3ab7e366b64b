model EquationInFunction
  function twice
    input Real u;
    output Real y;
  equation
    y = 2*u;
  end twice;
  Real x = twice(time);
end EquationInFunction;
