model External "what cannot be expanded stays a call: external functions, external objects, loops"
  class Table
    extends ExternalObject;
    function constructor
      input Real data[:];
      output Table table;
      external "C" table = table_new(data, size(data, 1));
    end constructor;
    function destructor
      input Table table;
      external "C" table_free(table);
    end destructor;
  end Table;
  function look
    input Table table;
    input Real u;
    output Real y;
    external "C" y = table_look(table, u);
    annotation(derivative = slope);
  end look;
  function slope
    input Table table;
    input Real u;
    input Real der_u;
    output Real der_y;
    external "C" der_y = table_slope(table, u, der_u);
  end slope;
  function steps "until the sum is large enough"
    input Real goal;
    output Integer n = 0;
    output Real sum = 0;
  algorithm
    while sum < goal loop
      n := n + 1;
      sum := sum + n;
    end while;
  end steps;
  parameter Real data[3] = {1, 2, 3};
  Table table = Table(data);
  Real y = look(table, time);
  parameter Integer known = steps(5) "is evaluated";
  parameter Real goal = 10;
  parameter Integer later = steps(goal) "stays a call, too";
  Real sized[steps(3)] = ones(steps(width)) "the parameter becomes final";
  parameter Real width = 2.5;
  Integer n;
  Real sum;
equation
  (n, sum) = steps(time);
end External;
