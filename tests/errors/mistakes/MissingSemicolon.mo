model MissingSemicolon
  Real x = 1
  Real y = 2;
end MissingSemicolon;
