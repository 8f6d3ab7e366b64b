// redeclare model extends: the new class extends the one it replaces.
model ClassExtends
  model Plant
    replaceable model Core
      Real x;
    equation
      der(x) = -x;
    end Core;
    Core core;
  end Plant;
  model Better
    extends Plant;
    redeclare model extends Core(x(start = 3))
      Real y = 2*x;
    end Core;
  end Better;
  Plant a;
  Better b;
end ClassExtends;
