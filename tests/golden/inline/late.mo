// A function with LateInline is a call until index reduction is done, and expanded then.
model Late
  function square
    input Real u;
    output Real y;
  algorithm
    y := u*u;
    annotation(LateInline = true);
  end square;
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -y;
  y = square(x + 1);
end Late;
