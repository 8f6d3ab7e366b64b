model ModifierWithoutParentheses
  Parts.Resistor r R = 5;
end ModifierWithoutParentheses;
