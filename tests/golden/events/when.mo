// A when-clause happens where its condition becomes true: pre() of it is remembered, as are pre(n) of
// what it changes, sample() and initial().
model When
  Real x(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true);
  Boolean tick = sample(0.5, 0.25);
equation
  der(x) = 1;
  when {tick, x > 2} then
    n = pre(n) + 1;
  end when;
  when x > 3 then
    reinit(x, 0);
  end when;
end When;
