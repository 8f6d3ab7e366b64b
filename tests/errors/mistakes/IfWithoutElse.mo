model IfWithoutElse
  Real x;
equation
  if time > 1 then
    x = 1;
  end if;
end IfWithoutElse;
