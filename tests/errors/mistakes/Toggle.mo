model Toggle
  Boolean b(start = false, fixed = true);
equation
  when sample(1, 1) then
    b = not b;
  end when;
end Toggle;
