#!/bin/sh
# Tables with many rows: a function that looks a value up in a matrix is as long in C with ten times the
# rows, and what it finds is right, in columns, rows, arrays that are copied and passed on; a parameter of
# more than a hundred thousand rows is no reason to refuse a call.
# usage: tables.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >tables.mo <<'M'
function halved "where u lies in a column"
  input Real x[:], u;
  output Integer low = 1;
protected
  Integer high = size(x, 1), middle;
algorithm
  while high - low > 1 loop
    middle := div(low + high, 2);
    if x[middle] <= u then low := middle; else high := middle; end if;
  end while;
end halved;
function column
  input Real table[:, 2], u;
  output Real y;
protected
  Integer k = halved(table[:, 1], u), i = 1;
algorithm
  while i < size(table, 1) - 1 and table[i + 1, 1] <= u loop i := i + 1; end while;
  assert(i == k, "two searches find one interval");
  y := table[k, 2] + (u - table[k, 1])/(table[k + 1, 1] - table[k, 1])*(table[k + 1, 2] - table[k, 2]);
end column;
function row
  input Real table[2, :], u;
  output Real y, all[size(table, 2)];
protected
  Integer k = halved(table[1, :], u);
algorithm
  all := table[2, :];
  y := all[k] + (u - table[1, k])/(table[1, k + 1] - table[1, k])*(all[k + 1] - all[k]);
end row;
model Tables "squares, read between equal distances h: a line is off by (u - a)(b - u)"
  parameter Integer n = 21;
  parameter Real h = 1/(n - 1), u0 = 0.3*h;
  parameter Real table[n, 2] = array(((i - 1)*h)^j for j in 1:2, i in 1:n);
  Real u = u0 + floor(time)*h, y = column(table, u), z = row(transpose(table), u), square = u^2 + 0.3*0.7*h^2;
end Tables;
model Long
  parameter Real table[120000, 2] = fill(1.0, 120000, 2);
  Real y = column(table, time);
end Long;
M
lines() { # n
    "$rung" compile tables.mo --model "Tables(n=$1)" -o "n$1" >log 2>&1 || fail "n = $1: $(cat log)"
    wc -l <"n$1/Tables_functions.c"
}
few=$(lines 30)
many=$(lines 300)
[ "$many" -le "$((few + few / 10))" ] || fail "$few lines of C for 30 rows, $many for 300"
"$rung" simulate tables.mo --model Tables --stop 9 --interval 1 -o out.csv --signals y,z,square >log 2>&1 ||
    fail "Tables: $(cat log)"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
    NR > 1 { a = $at["y"] - $at["square"]; b = $at["z"] - $at["square"]; rows++; bad += a*a + b*b > 1e-24 }
    END { exit !(rows >= 10 && !bad) }' out.csv || fail "values of tables: $(cat out.csv)"
"$rung" check tables.mo --model Long >log 2>&1 || fail "Long: $(head -3 log)"
exit $failed
