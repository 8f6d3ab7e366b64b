model PartOfArray
  Parts.Resistor r[2];
  Real v = r.v;
end PartOfArray;
