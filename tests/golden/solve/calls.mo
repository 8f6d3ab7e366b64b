// A function that stays a call is printed by its name, its results by their numbers.
model Calls
  function root
    input Real x;
    output Real y = 1;
    output Real last;
  algorithm
    while abs(y^2 - x) > 1e-9 loop
      last := y;
      y := (y + x/y)/2;
    end while;
  end root;
  Real s(start = 2), a, b;
equation
  (a, b) = root(s);
  der(s) = a - b;
end Calls;
