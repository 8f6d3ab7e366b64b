model When "when-equations, when-statements, reinit, terminate, pre, edge, change"
  Real x(start = 1, fixed = true);
  Real v;
  discrete Real n;
  Real reset "discrete, since a when-equation assigns it";
  Integer k(start = 0);
  Boolean low(start = false);
  Boolean crossed = edge(low) or change(k);
  Real a[2];
  Real c;
equation
  der(x) = v;
  der(v) = -9.81;
  low = x < 0;
  when {low, initial()} then
    n = pre(n) + 1;
    reset = 2*v;
    reinit(v, -0.7*pre(v));
  elsewhen time > 3 then
    n = 7;
    reset = v;
  end when;
  when x < -1 then
    assert(n < 3, "many");
    terminate("x is " + String(x));
  end when;
algorithm
  when time > 2 then
    k := pre(k) + 1;
    a[2] := k + pre(k);
  elsewhen n > 3 then
    k := 0;
  end when;
  a[1] := a[2] + k;
  c := a[1] + 1;
end When;
