model MisspeltClass
  Parts.Resistr r;
end MisspeltClass;
