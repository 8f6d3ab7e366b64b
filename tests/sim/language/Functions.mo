// MLS 12: algorithms, defaults, named arguments, several outputs, sizes, vectorisation
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
model Functions
  function horner
    input Real c[:];
    input Real x = 2;
    output Real y = 0;
  algorithm
    for k in size(c, 1):-1:1 loop
      y := y*x + c[k];
    end for;
  end horner;
  function polar
    input Real x;
    input Real y;
    output Real r;
    output Real phi;
  algorithm
    r := sqrt(x^2 + y^2);
    phi := atan2(y, x);
  end polar;
  function gcd
    input Integer a;
    input Integer b;
    output Integer g;
  protected
    Integer x = a;
    Integer y = b;
    Integer rest;
  algorithm
    while y > 0 loop
      rest := mod(x, y);
      x := y;
      y := rest;
    end while;
    g := x;
  end gcd;
  function clip
    input Real x;
    output Real y;
  algorithm
    if x > 1 then
      y := 1;
      return;
    elseif x < -1 then
      y := -1;
    else
      y := x;
    end if;
  end clip;
  function rows
    input Real A[:, :];
    output Real s[size(A, 1)];
  algorithm
    for i in 1:size(A, 1) loop
      s[i] := sum(A[i, :]);
      if i > 5 then
        break;
      end if;
    end for;
  end rows;
  function square
    input Real x;
    output Real y = x*x;
  algorithm
  end square;
  parameter Integer n = gcd(84, 36);
  Real x[n] = fill(time, n);
  Real r;
  Real phi;
  Real only;
  Real v[3] = square({1, 2, time});
  Real error[6];
equation
  (r, phi) = polar(cos(time), sin(time));
  (only) = polar(3, 4);
  error[1] = horner({1, 2, 3}) - 17 + (horner(x = time, c = {1, 1}) - 1 - time);
  error[2] = r - 1 + (phi - time) + (only - 5);
  error[3] = n - 12 + (sum(x) - 12*time);
  error[4] = clip(time + 2) - 1 + (clip(-3) + 1) + (clip(time/2) - time/2);
  error[5] = sum(rows([1, 2; 3, time])) - 6 - time;
  error[6] = v[1] + v[2] - 5 + (v[3] - time^2);
end Functions;
