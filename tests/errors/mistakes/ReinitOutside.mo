model ReinitOutside
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  if x < 0.5 then
    reinit(x, 1);
  end if;
end ReinitOutside;
