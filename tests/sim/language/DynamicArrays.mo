// MLS 10.1, 12.4: arrays in functions whose sizes are known in a run only, against closed forms
// simulate: --stop 4 --tolerance 1e-9
// methods: dopri5 esdirk
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
// zero: error[16] 1e-12
// zero: error[17] 1e-12
// zero: error[18] 1e-12
// zero: error[19] 1e-12
// zero: error[20] 1e-12
// zero: drift 1e-8
// moves: n 4
// moves: w 0.1
// agree: x 1e-7
model DynamicArrays
  function squares "a work array with the size of an input, elements assigned"
    input Integer n;
    input Real x;
    output Real y;
  protected
    Real work[n];
  algorithm
    for i in 1:n loop
      work[i] := i*x^2;
    end for;
    y := sum(work);
  end squares;
  function longest "an array that a loop makes longer"
    input Real x;
    output Real y;
    output Real n;
  protected
    Real all[:] = {0};
  algorithm
    while sum(all) < x loop
      all := cat(1, all, {size(all, 1)});
    end while;
    y := sum(all);
    n := size(all, 1);
  end longest;
  function parts "slices with bounds that vary, end, steps"
    input Real u[:];
    input Integer n;
    output Real y[4];
  protected
    Real v[:];
  algorithm
    v := u[1:n];
    y[1] := sum(v) + v[end];
    v := u[n:-1:1];
    y[2] := v[1] - v[end];
    y[3] := sum(u[n:end]);
    v[1:n] := 2*v[1:n];
    y[4] := sum(v[{n, 1}]);
  end parts;
  function tail "sizes by an expression, results of a size known in a run only"
    input Real u[:];
    input Integer k;
    output Real y[size(u, 1) - k];
  algorithm
    y := u[k + 1:end];
  end tail;
  function tail_sum
    input Real u[:];
    input Integer k;
    output Real y;
  algorithm
    y := sum(tail(u, k)) + size(tail(u, k), 1);
  end tail_sum;
  function filtered "grows by assignment under a condition, is returned in the middle"
    input Real u[:];
    input Real least;
    output Real y[:] = fill(0.0, 0);
    output Integer n = 0;
  algorithm
    for i in 1:size(u, 1) loop
      if u[i] > least then
        y := cat(1, y, {u[i]});
        n := n + 1;
      end if;
      if n == 3 then
        return;
      end if;
    end for;
  end filtered;
  function filtered_mean
    input Real u[:];
    input Real least;
    output Real y;
  protected
    Real all[:];
    Integer n;
  algorithm
    (all, n) := filtered(u, least);
    y := if n > 0 then sum(all)/n else 0;
    assert(size(all, 1) == n, "the size of a result");
  end filtered_mean;
  function powers "constructors, element by element, the scalar product"
    input Integer n;
    input Real x;
    output Real y[6];
  protected
    Real a[n] = {x^i for i in 1:n};
    Real b[:] = linspace(0, 1, n + 1);
    Real c[n] = fill(x, n);
    Integer k[:] = 1:n;
  algorithm
    y[1] := a*c;
    y[2] := sum(b);
    y[3] := sum(sqrt(c .^ 2) + ones(n)) - n;
    y[4] := sum(k[i]*x for i in 1:n);
    y[5] := max(a) - min(a) + product(c);
    y[6] := sum((if x > 1 then a else c) + zeros(n));
  end powers;
  function triangle "matrices: a system solved backwards"
    input Integer n;
    input Real x;
    output Real y;
  protected
    Real A[n, n];
    Real b[n], z[n] = zeros(n);
    Real r[:];
  algorithm
    for i in 1:n, j in 1:n loop
      A[i, j] := if i == j then 1 + x elseif j > i then 1/(i + j) else 0;
    end for;
    for i in 1:n loop
      b[i] := sum(A[i, j]*j*x for j in 1:n);
    end for;
    for i in n:-1:1 loop
      z[i] := (b[i] - A[i, i + 1:n]*z[i + 1:n])/A[i, i];
    end for;
    r := A*z - b;
    y := z[n] + r*r + sum(transpose(A)*z - z*A) + sum(identity(n)*z - z);
  end triangle;
  function bubble "an array that is sorted and has the size that callers know"
    input Real u[:];
    input Integer n;
    output Real y[size(u, 1)] = u;
  protected
    Real t[:];
  algorithm
    t := y[1:n];
    for i in 1:n, j in 1:n - 1 loop
      if t[j] > t[j + 1] then
        t[{j, j + 1}] := {t[j + 1], t[j]};
      end if;
    end for;
    y[1:n] := t;
  end bubble;
  function recursive "a sum by halves"
    input Real u[:];
    output Real y;
  protected
    Integer n = size(u, 1);
    Integer h = div(n, 2);
  algorithm
    if n == 0 then
      y := 0;
    elseif n == 1 then
      y := u[1];
    else
      y := recursive(u[1:h]) + recursive(u[h + 1:n]);
    end if;
  end recursive;
  function halves
    input Integer n;
    input Real x;
    output Real y;
  algorithm
    y := recursive({x*i for i in 1:n});
  end halves;
  function product_rule "an array that is a product of two others"
    input Real u;
    input Integer n;
    output Real y;
  protected
    Real a[n];
    Real b[n];
  algorithm
    for i in 1:n loop
      a[i] := sin(i*u);
      b[i] := cos(i*u);
    end for;
    a := a .* b;
    y := sum(a);
  end product_rule;
  function both "elements of a vector in turn, Booleans and Integers"
    input Integer n;
    input Real x;
    output Real y = 0;
  protected
    Boolean odd[n] = {mod(i, 2) == 1 for i in 1:n};
    Integer k = 0;
  algorithm
    for v in {x*i for i in 1:n} loop
      k := k + 1;
      if odd[k] then
        y := y + v;
      end if;
    end for;
  end both;
  function deduced "iterators without a range"
    input Integer n;
    input Real x;
    output Real y;
  protected
    Real a[n, 2];
  algorithm
    for i, j loop
      a[i, j] := i*x;
    end for;
    y := sum(a[i, 1] for i) + sum({a[i, 2] for i});
  end deduced;
  function scaled
    input Real a;
    input Real b;
    output Real y = a*b;
  end scaled;
  function for_each "functions of scalars called for each element"
    input Integer n;
    input Real x;
    output Real y;
  algorithm
    y := sum(scaled({i*x for i in 1:n}, 2)) + sum(scaled(zeros(n), zeros(n)));
  end for_each;
  function window "an array of two columns, rows taken out"
    input Integer n;
    input Real x;
    output Real y;
  protected
    Real M[:, 2] = [{i*x for i in 1:n}, ones(n)];
  algorithm
    M := [M; x, 2];
    y := sum(M[:, 1]) + sum(M[end, :]) + sum(matrix(M[1:n, 1])) + sum(vector(M[n + 1:end, :]))
      - scalar(M[end:end, 1:1]) - scalar(vector(M[end:end, 2:2]));
  end window;
  constant Real grown = longest_of_constants();
  function longest_of_constants "all known at translation"
    output Real y;
  protected
    Real all[:] = {0};
  algorithm
    while sum(all) < 7 loop
      all := cat(1, all, {1});
    end while;
    y := size(all, 1) + sum(all[2:integer(sum(all))]);
  end longest_of_constants;
  Integer n(start = 0, fixed = true);
  Real error[20];
  Real u[5] = {time, 1, -time, cos(time), 0.3};
  Real y[4] = parts({1, 2, 3, 4, 5}*time, n + 1);
  Real p[6] = powers(n + 1, time);
  Real s[5] = bubble(u, n);
  Real longest_sum, longest_n;
  Real x(start = 1, fixed = true);
  Real w(start = 0.5);
  Real drift = x - exp(-time);
  Real product_der = der(product_rule(time, 4));
equation
  when sample(0.9, 0.9) then
    n = pre(n) + 1;
  end when;
  (longest_sum, longest_n) = longest(5*time);
  error[1] = squares(n, time) - n*(n + 1)/2*time^2;
  error[2] = longest_sum - longest_n*(longest_n - 1)/2 + (if noEvent(longest_sum >= 5*time
    and longest_sum - (longest_n - 1) < 5*time or longest_n < 1.5) then 0 else 1);
  error[3] = y[1] - time*((n + 1)*(n + 2)/2 + n + 1) + y[2] - n*time;
  error[4] = y[3] - time*(15 - n*(n + 1)/2) + y[4] - 2*time*(n + 2);
  error[5] = tail_sum(u, n) - sum(if i > n then u[i] else 0 for i in 1:5) - 5 + n;
  error[6] = filtered_mean({1, time, 2, time, 3, 4}, 2.5) - (if noEvent(time > 2.5) then (2*time + 3)/3 else 3.5);
  error[7] = (p[1] - sum(if i <= n + 1 then time^(i + 1) else 0 for i in 1:6) + p[2] - (n + 2)/2)/(1 + time^6);
  error[8] = p[3] - (n + 1)*time + p[4] - (n + 1)*(n + 2)/2*time;
  error[9] = (p[5] - abs(time^(n + 1) - time) - time^(n + 1))/(1 + time^5);
  error[10] = (p[6] - (if noEvent(time > 1) then sum(if i <= n + 1 then time^i else 0 for i in 1:6) else (n + 1)*time))/(1 + time^5);
  error[11] = triangle(n + 1, time) - (n + 1)*time;
  error[12] = sum(s) - sum(u) + (if n > 1 then s[1] - min(if i <= n then u[i] else 100 for i in 1:5) else 0);
  error[13] = halves(n, time) - n*(n + 1)/2*time + halves(1000, time)/500500 - time;
  error[14] = product_der - sum(i*cos(2*i*time) for i in 1:4);
  error[15] = both(n, time) - time*(if n == 0 then 0 elseif n < 3 then 1 else 4);
  error[16] = for_each(n, time) + deduced(n, time) - 2*n*(n + 1)*time;
  error[17] = window(n, time) - time*(n*(n + 1) + 1) - time - 2;
  error[18] = grown - 14;
  error[19] = squares(0, time) + halves(0, time) + longest(-1);
  error[20] = squares(1000, time)/500500 - time^2;
  der(x) = -product_rule(x, 1)*2*x/sin(2*x);
  product_rule(w, 2) = 0.3*cos(time) + 0.2 "solved by Newton's method";
end DynamicArrays;
