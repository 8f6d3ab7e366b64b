model WrongEnd
  Real x = 1;
end Wrong;
