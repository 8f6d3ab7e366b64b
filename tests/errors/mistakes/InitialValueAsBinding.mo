model InitialValueAsBinding
  Real x = 1;
equation
  der(x) = -x;
end InitialValueAsBinding;
