Model CapitalModel
  Real x = time;
end CapitalModel;
