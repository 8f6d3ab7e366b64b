#!/bin/sh
# A value that is no number ends the run with its equation, its place and the values of the terms; rows
# up to there are kept. In a branch that is not taken it does no harm.
# usage: not_finite.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >values.mo <<'M'
model Root
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -1;
  z = y + 1;
  y = sqrt(x);
end Root;
model Quotient
  parameter Real b = 0;
  Real x(start = 0, fixed = true);
  Part part(a = b);
  model Part
    input Real u;
    parameter Real a;
    Real y;
  equation
    a*y = 2*u;
  end Part;
equation
  der(x) = 1;
  part.u = x;
end Quotient;
model Between
  Real x(start = 0, fixed = true), y;
equation
  der(x) = cos(5*time);
  y = sqrt(0.1899 - x);
end Between;
model Rate
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), c;
equation
  der(x) = -1;
  c = 2;
  c*der(v) = c*sqrt(x) + v;
end Rate;
model Guarded
  Real x(start = 0, fixed = true), y, z, w;
equation
  der(x) = 1;
  y = if noEvent(abs(x) > 0) then sin(x)/x else 1;
  z = if x > 0.5 then sqrt(x - 0.5) else 0;
  w = if noEvent(x > 1) then log(x - 1) else 0;
end Guarded;
M
# stops MODEL ROWS TEXT...: with status 3, 1 where there is no row, and a message that holds the texts
stops() {
    model=$1 rows=$2
    shift 2
    "$rung" simulate values.mo --model "$model" --stop 2 --interval 0.25 -o out.csv >log 2>&1
    status=$?
    [ "$status" -eq "$([ "$rows" -eq 0 ] && echo 1 || echo 3)" ] || fail "$model: status $status, $(cat log)"
    for text in "$@"; do
        grep -qF "$text" log || fail "$model: no '$text' in: $(cat log)"
    done
    found=0
    [ -f out.csv ] && found=$(($(wc -l <out.csv) - 1))
    [ "$found" -ge "$rows" ] || fail "$model: $found rows are kept"
    [ ! -f out.csv ] || ! grep -qi 'nan\|inf' out.csv || fail "$model: such values are in the result"
}
stops Root 4 "value of 'y' is not a number" "values.mo:6:3" "sqrt('x')" "with x = -"
stops Quotient 0 "value of 'part.y' is not a number" "values.mo:17:5" "part.a = 0" "part.u = 0"
# where no row is, and where the derivative of a state is the one; x is above 0.1899 between two rows alone
stops Between 1 "value of 'y' is not a number" "values.mo:27:3" "sqrt(0.1899 - 'x')" "with x = 0.19"
stops Rate 4 "the derivative of 'v' is not finite" "values.mo:34:3" "der('v')" "x = -" "c = 2"
"$rung" simulate values.mo --model Guarded --stop 2 --interval 0.25 -o out.csv >log 2>&1 || fail "Guarded: $(cat log)"
"$rung" compile -q values.mo --model Root -o alone && make_program alone >log 2>&1 || fail "make: $(cat log)"
program=$(find alone -type f -perm -u+x)
"$program" --stop 2 --interval 0.25 -o alone.csv 2>log
[ $? -eq 3 ] && grep -q "value of 'y' is not a number" log || fail "alone: $(cat log)"
exit $failed
