// Initial equations and assertions of components; start values by functions.
model Initial
  function twice
    input Real x;
    output Real y = 2*x;
  algorithm
  end twice;
  model Part
    parameter Real x0 = 1;
    parameter Boolean steady = false;
    parameter Real k(fixed = false, start = 3);
    Real x(start = twice(x0), fixed = not steady);
  initial equation
    if steady then
      der(x) = 0;
    end if;
    k = x + 1;
  equation
    der(x) = -k*x;
    assert(x > -1 or steady, "low", level = AssertionLevel.warning);
  end Part;
  Part a;
  Part b[2](each steady = true, x0 = {4, 5});
initial equation
  a.x + 0 = a.x;
  annotation(experiment(StartTime = 1, StopTime = 2*5, Tolerance = 1e-4, Interval = 0.1));
end Initial;
