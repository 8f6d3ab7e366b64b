model NumberForLiteral
  type Mode = enumeration(Off, Running);
  parameter Mode mode = 2;
end NumberForLiteral;
