#!/bin/sh
# A violation of an assertion is found wherever it is in a step, at its first time, whatever the
# method and the interval of the rows: conditions of states, of time, joint ones, under noEvent, in
# functions, of unknowns that Newton's method finds; a warning is reported once and the run goes on.
# usage: assertions.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
model States
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(abs(x - 0.51234) > 1e-4, "close");
end States;
model Time
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(abs(time - 0.51234) > 1e-4, "close");
end Time;
model Joint "and, or, not; without events"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(noEvent(x < 0.51224 or not (x <= 0.51244)) and x < 10, "close");
end Joint;
model Dip
  Real x(start = 0, fixed = true), y = (x - 0.51234)^2;
equation
  der(x) = 1;
  assert(y > 1e-8, "close");
end Dip;
model InFunction
  function f
    input Real u;
    output Real y;
  algorithm
    assert(abs(u - 0.51234) > 1e-4, "close");
    y := 2*u;
  end f;
  Real x(start = 0, fixed = true), y = f(x);
equation
  der(x) = 1;
end InFunction;
model Unknown
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y + y^3 = x + x^3;
  assert(abs(y - 0.51234) > 1e-4, "close");
end Unknown;
model Warning "and an error behind it, in the same step"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(abs(x - 0.31234) > 1e-4, "first", AssertionLevel.warning);
  assert(abs(x - 0.51234) > 1e-4, "close");
end Warning;
model Behind "an event sets the state before the violation"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    reinit(x, 0.6);
    n = pre(n) + 1;
  end when;
  assert(abs(x - 0.51234) > 1e-4, "close");
  assert(n < 1 or abs(x - 0.61234) > 1e-4, "closer");
end Behind;
model Touched "holds with equality"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = 0;
  when x > 0.5 then
    reinit(v, -1);
  end when;
  assert(x <= 0.5 + 1e-9, "above");
end Touched;
MO
for model in States Time Joint Dip InFunction Unknown Warning; do
    for run in "esdirk 0.002" "dopri5 1" "cvode 1" "ida 0.01" "rk4 1 --step 0.01"; do
        set -- $run
        method=$1 interval=$2
        shift 2
        "$rung" simulate m.mo --model $model --stop 1 --tolerance 1e-8 --method $method --interval $interval "$@" \
            -q -o r.csv 2>log
        [ $? -eq 3 ] || fail "$model, $run: exit status"
        grep -q "assertion violated at t = 0.51224[0-9]*: close" log || fail "$model, $run: $(cat log)"
        [ $model != Warning ] || [ "$(grep -c 'warning.*t = 0.31224[0-9]*: first' log)" = 1 ] ||
            fail "$model, $run: $(cat log)"
        # no row is later
        awk -F, 'NR > 1 && $1 > 0.51225 { exit 1 }' r.csv || fail "$model, $run: rows"
    done
done
"$rung" simulate m.mo --model Behind --stop 1 -q -o r.csv 2>log
[ $? -eq 3 ] && grep -q "violated at t = 0.51224[0-9]*: closer" log || fail "Behind: $(cat log)"
"$rung" simulate m.mo --model Touched --stop 2 -q -o r.csv 2>log || fail "Touched: $(cat log)"
exit $failed
