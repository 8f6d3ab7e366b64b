model Functions "MLS 12.4: calls run symbolically; what they return stands in the equations"
  function length "an open size; the sum of a loop"
    input Real v[:];
    output Real l;
  protected
    Real s = 0;
  algorithm
    for x in v loop
      s := s + x^2;
    end for;
    l := sqrt(s);
  end length;

  function polar "several results, one of a size that an input gives"
    input Real x;
    input Integer n = 2;
    output Real c[n];
    output Real s[n];
  algorithm
    for k in 1:n loop
      c[k] := cos(k*x);
      s[k] := sin(k*x);
    end for;
  end polar;

  function limit "a condition that varies: both ways, then a choice"
    input Real x;
    input Real low = -1;
    input Real high = 1;
    output Real y;
  algorithm
    if x < low then
      y := low;
    elseif x > high then
      y := high;
    else
      y := x;
    end if;
  end limit;

  function sign_of "return under a condition"
    input Real x;
    output Integer s = 0;
  algorithm
    if x > 0 then
      s := 1;
      return;
    end if;
    if x < 0 then
      s := -1;
    end if;
  end sign_of;

  function safe_sqrt
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, "sqrt of " + String(x));
    y := sqrt(x);
  end safe_sqrt;

  partial function map "12.4.2: a function as an argument"
    input Real x;
    output Real y;
  end map;

  function scale
    extends map;
    input Real k;
  algorithm
    y := k*x;
  end scale;

  function twice
    input map f;
    input Real x;
    output Real y = f(f(x));
  algorithm
  end twice;

  parameter Integer n = 3;
  Real u[3] = {time, 2*time, 1};
  Real l = length(u);
  Real c[n], s[n];
  Real c2[2] = polar(time);
  Real bounded[3] = limit(u, high = 2) "12.4.6: a scalar function of a vector";
  Real sg = sign_of(u[1] - 1);
  Real root = safe_sqrt(u[1] + 1);
  Real quad = twice(function scale(k = 3), time);
  parameter Real folded = length({3, 4}) "of constants: a constant";
equation
  (c, s) = polar(time, n);
end Functions;
