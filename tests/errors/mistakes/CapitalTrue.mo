model CapitalTrue
  parameter Boolean on = True;
  Real x = if on then 1 else 2;
end CapitalTrue;
