package Laws
  function square
    input Real x;
    output Real y = x^2;
  end square;
end Laws;
model FunctionOfPackage
  Real x = Laws.sqare(time);
end FunctionOfPackage;
