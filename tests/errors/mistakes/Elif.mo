model Elif
  Real x;
equation
  if time > 2 then
    x = 1;
  elif time > 1 then
    x = 2;
  else
    x = 3;
  end if;
end Elif;
