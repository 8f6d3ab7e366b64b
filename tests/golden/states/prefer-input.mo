// A derivative of v would be one of the input u: the wish is not heeded.
model 'prefer-input' "A position that follows an input speed"
  input Real u;
  Real s(start = 0, fixed = true), v(stateSelect = StateSelect.prefer);
equation
  der(s) = u - s;
  v = der(s);
end 'prefer-input';
