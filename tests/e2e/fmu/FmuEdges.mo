package FmuEdges "Models that have little, or names that are hard"
  model Empty
  end Empty;
  model Stateless
    parameter Real p = 2;
    parameter String s = "a text";
    input Real u;
    output Real y = p*time, c = 2*p, d = u + 1;
    Boolean b = time > 0.5;
  end Stateless;
  model 'a b.c'
    Real 'x y'(start = 1, fixed = true);
    Real 'q"<&>'[2] = {'x y', 2*'x y'};
    parameter Real 'k.l' = 2;
  equation
    der('x y') = -'k.l'*'x y';
  end 'a b.c';
  model Negative
    Real x(start = 0, fixed = true);
    output Real late = delay(x, 0.25);
    discrete Integer n(start = 0, fixed = true);
  equation
    der(x) = time;
    when sample(-1, 0.4) then
      n = pre(n) + 1;
    end when;
    annotation(experiment(StartTime = -1, StopTime = 1));
  end Negative;
end FmuEdges;
