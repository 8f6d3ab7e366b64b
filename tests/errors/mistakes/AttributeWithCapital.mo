model AttributeWithCapital
  Real x(Start = 1);
equation
  der(x) = -x;
end AttributeWithCapital;
