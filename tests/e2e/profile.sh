#!/bin/sh
# --profile: the time of a run by parts, which add up and change nothing; the rate of Newton's method in the summary.
# usage: profile.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

four="$rung simulate --model Linkage.Benchmarks.SpatialFourBar --stop 0.2 --no-audit"
# profiled NAME PARTS OPTIONS...: exactly these parts, in this order, and shares that make 100 %
profiled() {
    parts=$1
    shift
    $four "$@" --profile -o profiled.csv >out 2>&1 || fail "$*: $(cat out)"
    $four "$@" -q -o plain.csv || failed=1
    cmp -s profiled.csv plain.csv || fail "$*: --profile changes the run"
    got=$(sed -n '/^part of the run/,/^rest/p' out | awk 'NR > 1 { printf "%s,", $1 }')
    [ "$got" = "$parts" ] || fail "$*: parts $got, not $parts"
    sed -n '/^part of the run/,/^rest/p' out | tr -d '%' | awk 'NR > 1 { sum += $NF } END { exit !(sum > 99 && sum < 101) }' ||
        fail "$*: shares do not add up: $(cat out)"
}
profiled residual,factors,solve,constraints,Jacobian,rows,rest, --method gear
profiled residual,factors,solve,constraints,Jacobian,rows,rest, --method bdf --step 1e-3
profiled residual,constraints,Newton,rows,rest, --method ali3p --step 1e-3
profiled residual,constraints,rows,rest, --method dopri5
$four --method gear --profile -o profiled.csv >out 2>&1
calls=$(awk '/^factors/ { print $2 }' out)
grep -q " $calls factorisations" out || fail "the calls of a part are those of the summary: $(cat out)"
! $four --method gear -o r.csv 2>&1 | grep -q '^part of the run' || fail 'a profile nobody asked for'

# a Jacobian that is kept makes Newton's method slower, and no difference to the result
rate() {
    "$rung" simulate --model Linkage.Examples.DoublePendulum --method bdf --step 1e-2 --stop 1 --no-audit --jacobian coloured --jacobian-reuse $1 \
        --format json -o r.csv | sed -n 's/.*"newton_rate": \([^,]*\),.*/\1/p'
}
often=$(rate 1) seldom=$(rate 40)
awk -v a="$often" -v b="$seldom" 'BEGIN { exit !(a > 0 && b > 3*a && b < 1) }' || fail "rates $often and $seldom"
# linear equations are solved at once: what is left is rounding, and has no rate
cat >linear.mo <<'END'
model Linear
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Linear;
END
"$rung" simulate linear.mo --method trapezoid --step 0.1 --stop 1 -o r.csv >out 2>&1 || failed=1
! grep -q "Newton's method: corrections" out || fail "a rate of linear equations: $(cat out)"

# a simulator that stands alone
"$rung" compile --model Linkage.Benchmarks.SpatialFourBar --method gear -q -o alone && make -s -C alone >out 2>&1 || fail "$(cat out)"
alone/Linkage_Benchmarks_SpatialFourBar --stop 0.2 --method gear --profile -o alone.csv >out 2>&1 &&
    grep -q '^Jacobian  ' out && grep -q "Newton's method: corrections shrink by" out || fail "alone: $(cat out)"
exit $failed
