model DoubleStar
  Real x = 2**3;
end DoubleStar;
