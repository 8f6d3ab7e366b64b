model Counter
  Integer n(start = 0, fixed = true);
equation
  when time > 0.5 then
    n = n + 1;
  end when;
end Counter;
