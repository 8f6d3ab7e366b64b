// MLS 11.2.2, 11.2.3: rounds of loops depend on variables: x = (1 - p*time/2)^2 by Newton's square root, a linear
// search in a table, a sum up to a variable, loops that are left, in components, records and branches
// methods: esdirk dopri5 ida
// simulate: --stop 1.2 --tolerance 1e-9
// zero: root.error 1e-7
// zero: half.error 1e-7
// zero: rate.error 1e-6
// zero: table.error 2e-6
// ends: table.i 600 1e-12
// ends: harmonic.sum 1.8333333333333333 1e-12
// ends: left.s 3.6 1e-9
// ends: left.k 3 1e-12
// ends: branch.y 0.2 1e-9
// ends: branch.r.count 5 1e-12
// ends: branch.r.a[2] 6 1e-12
// ends: start.r 1.4142135623730951 1e-12
// zero: implicit.error 1e-7
model LoopsOfVariables
  model Root "der(x) = -p*sqrt(x)"
    parameter Real p = 1;
    Real x(start = 1, fixed = true), y, error;
  equation
    der(x) = -p*y;
    error = x - (1 - p*time/2)^2;
  algorithm
    y := 1;
    while abs(y*y - x) > 1e-15*x loop
      y := 0.5*(y + x/y);
    end while;
  end Root;
  model Rate "The derivative of the result: der(sqrt(u)) = der(u)/(2 sqrt(u))"
    Real u = 2 + sin(time), y, z, error;
  equation
    z = der(y);
    error = z - cos(time)/(2*sqrt(u));
  algorithm
    y := u;
    while true loop
      if noEvent(abs(y*y - u) < 1e-14) then
        break;
      end if;
      y := 0.5*(y + u/y);
    end while;
  end Rate;
  model Table "x^2 by a linear search and interpolation"
    parameter Integer n = 1000;
    parameter Real t[n] = {2*(i - 1)/(n - 1) for i in 1:n};
    parameter Real y[n] = {t[i]^2 for i in 1:n};
    Real x(start = 0, fixed = true), f, error, from, low, high;
    Integer i;
  equation
    der(x) = 1;
    error = f - x^2;
  algorithm
    i := 1;
    from := t[1];
    low := y[1];
    high := y[2];
    while i < n - 1 and t[i + 1] < x loop
      i := i + 1;
      from := t[i];
      low := y[i];
      high := y[i + 1];
    end while;
    f := low + (high - low)*(x - from)/2*(n - 1);
  end Table;
  model Harmonic "The bound of a range is discrete"
    Integer n(start = 1, fixed = true);
    Real sum;
  algorithm
    when sample(0.5, 0.5) then
      n := pre(n) + 1;
    end when;
  algorithm
    sum := 0;
    for i in n:-1:1, j in 1:i loop
      sum := sum + 1/i^2;
    end for;
  end Harmonic;
  model Left "A loop of a range that varies is left"
    Integer n(start = 3, fixed = true), k;
    Real s;
  algorithm
    when time > 0.5 then
      n := 10;
    end when;
  algorithm
    s := 0;
    k := 0;
    for i in 1:n loop
      if noEvent(i > 2 + time) then
        break;
      end if;
      s := s + time;
      k := i;
    end for;
  end Left;
  record R
    Real a[3];
    Real count;
  end R;
  model Branch "Not assigned on each path: the start value"
    Real y(start = 9);
    R r;
    Boolean later = time > 0.6;
  algorithm
    r.count := 0;
    r.a := {1, 2, 3};
    if later then
      y := time + 4;
      while y > 1 loop
        y := y - 1;
        r.count := r.count + 1;
        r.a[2] := r.a[2] + (if r.count > 1 then 1 else 0);
      end while;
    end if;
  end Branch;
  model Start
    parameter Real r(fixed = false), a = 2;
  initial algorithm
    r := 1;
    while abs(r*r - a) > 1e-14 loop
      r := 0.5*(r + a/r);
    end while;
  end Start;
  model Implicit "x + sqrt(x) = 3 + time"
    Real x(start = 1), y(start = 1), error;
  equation
    x + y = 3 + time;
    error = y - (sqrt(13 + 4*time) - 1)/2;
  algorithm
    y := 1;
    while abs(y*y - x) > 1e-14 loop
      y := 0.5*(y + x/y);
    end while;
  end Implicit;
  Root root, half(p = 0.5);
  Rate rate;
  Table table;
  Harmonic harmonic;
  Left left;
  Branch branch;
  Start start;
  Implicit implicit;
end LoopsOfVariables;
