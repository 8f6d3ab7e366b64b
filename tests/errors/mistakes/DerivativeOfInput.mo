model DerivativeOfInput
  input Real u;
  output Real y;
equation
  y = der(u);
end DerivativeOfInput;
