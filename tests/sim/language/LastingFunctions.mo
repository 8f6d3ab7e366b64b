// MLS 12: functions that cannot be expanded, against the same in closed form
// simulate: --stop 2 --tolerance 1e-9
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
// zero: error[7] 1e-12
// zero: error[8] 1e-12
// zero: error[9] 1e-12
// zero: error[10] 1e-12
// zero: error[11] 1e-12
// zero: error[12] 1e-12
// zero: error[13] 1e-12
// zero: error[14] 1e-12
// zero: error[15] 1e-12
// moves: r 0.4
// moves: w 0.4
// ends: settled 2 1e-6
model LastingFunctions
  type Side = enumeration(Left, Middle, Right);
  record Point
    Real x;
    Real y[2];
  end Point;
  function root "Heron's rule"
    input Real x;
    output Real y = 1 + x;
  algorithm
    assert(x > 0, "no root of " + String(x));
    while abs(y*y - x) > 1e-14*x loop
      y := (y + x/y)/2;
    end while;
  end root;
  function steps "several results, an Integer among them"
    input Real goal;
    output Integer n = 0;
    output Real sum = 0;
  algorithm
    while true loop
      if sum >= goal then
        break;
      end if;
      n := n + 1;
      sum := sum + n;
    end while;
  end steps;
  function factorial
    input Integer n;
    output Integer y;
  algorithm
    if n <= 1 then
      y := 1;
      return;
    end if;
    y := n*factorial(n - 1);
  end factorial;
  function even
    input Integer n;
    output Boolean b;
  algorithm
    b := if n == 0 then true else odd(n - 1);
  end even;
  function odd
    input Integer n;
    output Boolean b;
  algorithm
    b := if n == 0 then false else even(n - 1);
  end odd;
  function power_sum "loop over a range of variables, subscripts that vary, a break"
    input Real c[:];
    input Real x;
    input Integer n;
    output Real y = 0;
  protected
    Real p = 1;
  algorithm
    for i in 1:n loop
      if i > size(c, 1) then
        break;
      end if;
      y := y + c[i]*p;
      p := p*x;
    end for;
  end power_sum;
  function interpolate
    input Real table[:, 2];
    input Real u;
    output Real y;
  protected
    Integer i = 1;
  algorithm
    while i < size(table, 1) - 1 and u > table[i + 1, 1] loop
      i := i + 1;
    end while;
    y := table[i, 2] + (table[i + 1, 2] - table[i, 2])*(u - table[i, 1])/(table[i + 1, 1] - table[i, 1]);
  end interpolate;
  function sorted "assignments to elements that vary"
    input Real a[:];
    output Real b[size(a, 1)] = a;
  protected
    Integer k;
    Real x;
  algorithm
    for i in 2:size(a, 1) loop
      x := b[i];
      k := i - 1;
      while k >= 1 loop
        if b[k] <= x then
          break;
        end if;
        b[k + 1] := b[k];
        k := k - 1;
      end while;
      b[k + 1] := x;
    end for;
  end sorted;
  function turn "records in and out, a local array of open size"
    input Point p;
    input Integer times;
    output Point q = p;
  protected
    Real all[:];
    Integer n = 0;
  algorithm
    all := cat(1, {p.x}, p.y);
    while n < times loop
      all := {all[2], all[3], all[1]};
      n := n + 1;
    end while;
    q.x := all[1];
    q.y := all[2:3];
  end turn;
  function side
    input Real x;
    output Side s;
    output Boolean far;
  protected
    Real limit = 1;
  algorithm
    while limit < abs(x) loop
      limit := 10*limit;
    end while;
    far := limit > 10;
    s := if x < 0 then Side.Left elseif x > 0 then Side.Right else Side.Middle;
  end side;
  partial function Real_function
    input Real x;
    output Real y;
  end Real_function;
  function cubic
    extends Real_function;
    input Real a;
  algorithm
    y := x^3 + a*x;
  end cubic;
  function solved "where f is c"
    input Real_function f;
    input Real c;
    output Real x = 0;
  protected
    Real low = -10;
    Real high = 10;
  algorithm
    while high - low > 1e-13 loop
      x := (low + high)/2;
      if f(x) < c then
        low := x;
      else
        high := x;
      end if;
    end while;
  end solved;
  function pairs "nested loops"
    input Integer n;
    output Integer count = 0;
  algorithm
    for i in 1:n, j in i:n loop
      count := count + 1;
    end for;
  end pairs;
  function chosen "an open size, given by branches that all end, or not, with the same"
    input Real x;
    output Real y = 0;
  protected
    Real a[:];
    Real b[:];
  algorithm
    if x > 1 then
      a := {x, 1};
      a[1] := a[1] + 1;
      b := {x};
      y := b[1];
    else
      a := {3, x};
    end if;
    while a[1] > 8 loop
      a[1] := a[1]/2;
    end while;
    y := y + a[1] + 10*a[2];
  end chosen;
  parameter Real p = 3;
  parameter Real rp = root(p) "stays a parameter expression";
  Integer n, m;
  Real sum;
  Real r, r_dot, r_dot2;
  Real x(start = 0.2, fixed = true);
  Real w(start = 0.5);
  Real settled(start = 0.5, fixed = true);
  Real table[4] = sorted({cos(time), time, 0.5, -time});
  Point q = turn(Point(time, {1, 2}), m);
  Side s;
  Boolean far;
  Real error[15];
equation
  m = integer(3*time);
  (n, sum) = steps(10*time);
  (s, far) = side(30*time - 30);
  r = root(1 + time);
  r_dot = der(r);
  r_dot2 = der(r_dot);
  der(x) = -x;
  root(w) + w = 1 + root(1)*time "solved by Newton's method, with the derivative of root";
  der(settled) = root(4) - settled^2/root(settled^2) + 10*(2 - settled);
  error[1] = r - sqrt(1 + time);
  error[2] = r_dot - 1/(2*sqrt(1 + time));
  error[3] = r_dot2 + 1/(4*(1 + time)*sqrt(1 + time));
  error[4] = sum - n*(n + 1)/2;
  error[5] = factorial(m) - product(i for i in 1:3) + (if m == 3 then 0 else 6 - (
    if m < 2 then 1 elseif m == 2 then 2 elseif m == 4 then 24 elseif m == 5 then 120 else 720));
  error[6] = power_sum({1, 2, 3}, time, m) - (if m == 0 then 0 elseif m == 1 then 1
    elseif m == 2 then 1 + 2*time else 1 + 2*time + 3*time^2);
  error[7] = interpolate([0, 1; 0.5, 2; 1.5, 0; 3, 3], time) - (if time <= 0.5 then 1 + 2*time
    elseif time <= 1.5 then 2 - 2*(time - 0.5) else 2*(time - 1.5));
  error[8] = (table[1] - min({cos(time), time, 0.5, -time}))
    + (table[4] - max({cos(time), time, 0.5, -time})) + (sum(table) - cos(time) - 0.5);
  error[9] = q.x - (if mod(m, 3) == 0 then time else mod(m, 3)) + abs(q.x + q.y[1] + q.y[2] - 3 - time);
  error[10] = (if s == Side.Left then -1 elseif s == Side.Right then 1 else 0)
    - sign(time - 1) + (if far then 1 else 0) - (if noEvent(abs(30*time - 30) > 10) then 1 else 0);
  error[11] = solved(function cubic(a = 1), 2 + 8*time) - root_of_cubic(2 + 8*time);
  error[12] = pairs(m) - m*(m + 1)/2;
  error[13] = rp - sqrt(p) + (if even(m) then 1 else 0) - (if mod(m, 2) == 0 then 1 else 0);
  error[14] = if time > 1 then root(time - 1) - sqrt(time - 1) else 0;
  error[15] = chosen(time) - (if time > 1 then 2*time + 11 else 3 + 10*time);
public
  function root_of_cubic "of x^3 + x = c"
    input Real c;
    output Real x;
  algorithm
    x := (c/2 + sqrt(c^2/4 + 1/27))^(1/3) - (-c/2 + sqrt(c^2/4 + 1/27))^(1/3);
  end root_of_cubic;
end LastingFunctions;
