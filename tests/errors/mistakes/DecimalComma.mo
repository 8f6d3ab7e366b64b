model DecimalComma
  Real x = 1,5;
end DecimalComma;
