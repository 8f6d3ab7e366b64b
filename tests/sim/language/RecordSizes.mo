// MLS 12.4.4: fields of a record in a function have the sizes that its declaration gives other fields
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// moves: x 30
model RecordSizes
  record Table
    parameter Integer n;
    Real a[n];
    Real b[n, n + 1];
  end Table;
  record Row
    parameter Integer n = 2;
    parameter Integer m = n + 1;
    Real a[m];
  end Row;
  function table
    input Integer k;
    input Real x;
    output Table t(n = k);
  algorithm
    for i in 1:k loop
      t.a[i] := i*x;
    end for;
    t.b := fill(x, k, k + 1);
  end table;
  function rows
    input Real x;
    output Real y;
  protected
    Row q(n = 4);
    Row p;
  algorithm
    q.a := x*ones(5);
    p.a := x*ones(3);
    y := sum(q.a) + 10*sum(p.a);
  end rows;
  record Points
    parameter Real y[:];
    parameter Real eta[size(y, 1)];
  end Points;
  function points "its sizes are constants that come further down"
    input Real p;
    output Points r(y = {0, 1, 2}, eta = zeros(n));
  protected
    constant Real u[m] = {1, 2};
    constant Integer m = 2;
    constant Integer n = 3;
  algorithm
    r.eta[2] := p + u[2];
  end points;
  parameter Table t = table(3, 2.0);
  parameter Real q = 3;
  parameter Points r = points(q);
  Real x = rows(time);
  Real error[3] = {x - 35*time, sum(t.a) + sum(t.b) - 36, r.eta*r.y - 5};
end RecordSizes;
