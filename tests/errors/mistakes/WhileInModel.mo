model WhileInModel
  Real s;
algorithm
  s := 0;
  while s < time loop
    s := s + 0.1;
  end while;
end WhileInModel;
