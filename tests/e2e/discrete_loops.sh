#!/bin/sh
# Loops of Booleans and Integers: a solution, or a failure with their names; never values that do not
# hold.
# usage: discrete_loops.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
model Never
  Boolean b(start = false);
equation
  b = not b;
end Never;
model Later
  Boolean b(start = false, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  b = if x > 0.5 then not b else false;
end Later;
model Whole
  Integer n(start = 0);
  Real x;
equation
  n = integer(x);
  x = 2*time - 3*n;
end Whole;
model Relation
  Boolean b;
  Real x;
equation
  b = x > 0;
  x = if b then -1 else 1;
end Relation;
model Holds "two Booleans that agree, an Integer that follows half of itself"
  Boolean a(start = true), b(start = true);
  Integer n;
  Real x(start = 0, fixed = true);
  output Real gap = abs(2*n - integer(4*x) + mod(integer(4*x), 2));
equation
  der(x) = 1;
  a = if x > 0.5 then b else false;
  b = a and x > -1;
  n = integer(0.5*integer(4*x));
end Holds;
MO
# stops MODEL TEXT...: with a failure that names all of these
stops() {
    model=$1
    shift
    "$rung" simulate m.mo --model "$model" --stop 2 --interval 0.25 -o r.csv >out 2>err && fail "$model runs"
    for text in "$@"; do
        grep -qF "$text" err || fail "$model: '$text' is not in: $(cat err)"
    done
}
stops Never "'b'" m.mo:4:3
stops Later "t = 0.5" "'b'" m.mo:11:3
stops Whole "t = 0.5" "floor('x')" m.mo:17:3
stops Relation "0 < 'x'" m.mo:24:3
"$rung" simulate m.mo --model Holds --stop 2 --interval 0.25 -o r.csv >out 2>err || fail "Holds: $(cat err)"
python3 - <<'PY' || fail "Holds: $(cat r.csv)"
import csv, sys
sys.exit(any(float(row["gap"]) != 0 for row in csv.DictReader(open("r.csv"))))
PY
exit $failed
