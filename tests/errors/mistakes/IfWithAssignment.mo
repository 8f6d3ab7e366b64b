model IfWithAssignment
  Boolean b = time > 1;
  Real x;
equation
  if b = true then
    x = 1;
  else
    x = 2;
  end if;
end IfWithAssignment;
