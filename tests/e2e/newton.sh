#!/bin/sh
# The Newton iteration in straight-line code: its operations grow by the same number with each body
# of a chain, and with each loop of a chain of loops.
# usage: newton.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
operations() { # model, method
    "$rung" simulate --model "$1" --method "$2" --step 1e-3 --stop 0.002 -o "$dir/out.csv" |
        sed -n 's/.* factorisations of \([0-9]*\) operations.*/\1/p'
}
linear() { # method, models with growing size, at equal distances; most of one distance; how much the
    # second may be longer than the first: orders are searched, and what is found is luck in part
    method=$1
    most=$5
    longer=${6:-1.05}
    a=$(operations "$2" "$method")
    b=$(operations "$3" "$method")
    c=$(operations "$4" "$method")
    if ! awk -v a="$a" -v b="$b" -v c="$c" -v what="$2 ..." -v most="$most" -v longer="$longer" 'BEGIN {
            printf "%s: %d, %d, %d operations\n", what, a, b, c
            exit !(a > 0 && b > a && c - b <= longer*(b - a) && c - b <= most)
        }'; then
        echo "FAILED: not linear, or more than $most"
        failed=1
    fi
}
E_=Linkage.Examples
small && linear trapezoid "$E_.PlanarPendulum(n=8)" "$E_.PlanarPendulum(n=12)" "$E_.PlanarPendulum(n=16)" \
    1000
at_most() { # operations, file, model
    n=$("$rung" simulate "$source/tests/e2e/$2" --model "$3" --stop 1e-4 --no-audit -o "$dir/out.csv" |
        sed -n 's/.* factorisations of \([0-9]*\) operations.*/\1/p')
    echo "$3: ${n:-0} operations"
    [ "${n:-0}" -gt 0 ] && [ "$n" -le "$1" ] || fail "more than $1 operations"
}
# orders with divisors that are zero are not taken, though their samples have no value behind these
at_most 42000 ../../examples/rope.mo 'Rope(n=32)'
chains=newton/Chains.mo
closed=closed_legs/ClosedLegs.mo
# Balls turn by four parameters, which depend on each other in a circle.
small && at_most 6400 $chains "Chains.Balls(n=3)"
"$rung" verify "$source/tests/e2e/$chains" --model "Chains.Balls(n=2)" >out || fail "an iteration: $(cat out)"
grep -q "Newton's iterations are exact" out || fail "Newton's iterations are not proved: $(cat out)"
# Closed legs go before the body that they carry, whatever closes them: each costs the same. A loop is cut
# inside its ball joint, which has no coordinates then.
small && at_most 5700 $closed "ClosedLegs.Platform(m=2)"
large || exit $failed
night && at_most 15500 $closed "ClosedLegs.Platform(m=6)"
night && at_most 29500 $closed "ClosedLegs.Platform(m=12)"
at_most 13300 $closed "ClosedLegs.Car(m=1)"
# balls in loops turn by three angles, in constraints too
"$rung" verify "$source/tests/e2e/$closed" --model "ClosedLegs.Car(m=1)" >out || fail "closed corners: $(cat out)"
grep -q "Newton's iterations are exact" out || fail "Newton's iterations of closed corners are not proved: $(cat out)"
night && at_most 51000 $closed "ClosedLegs.Car(m=4)"
night && at_most 25000 $chains "Chains.Balls(n=8)"
at_most 12400 $chains "Chains.Slides(n=6)"
# a spring between bodies far apart is carried along as its force
at_most 46500 $chains "Chains.Mixed(n=4)"
night && at_most 77000 $chains "Chains.Mixed(n=6)"
# two orders with as many pivots that vanish at sample points: the cheaper one
night && at_most 115000 $chains "Chains.Mixed(n=8)"
# A long chain that whips: Newton's method of the stages neither stops too early, which the estimated
# error shows, nor begins so far off that it fails.
"$rung" simulate --model "$E_.AlternatingPendulum(n=50)" --method esdirk --stop 1 -o whip.csv >out ||
    fail "a long chain by esdirk: $(cat out)"
sed -n 's/.*: \([0-9]*\) steps, \([0-9]*\) rejected.*/\1 \2/p' out >counts
read -r steps rejected <counts
[ "${rejected:-$steps}" -le $((steps / 20)) ] || fail "$rejected of $steps steps are rejected"
linear trapezoid "$E_.AlternatingPendulum(n=12)" "$E_.AlternatingPendulum(n=16)" \
    "$E_.AlternatingPendulum(n=20)" 3600 1.25
night && linear trapezoid "$E_.AlternatingPendulumGeneral(n=8)" "$E_.AlternatingPendulumGeneral(n=12)" \
    "$E_.AlternatingPendulumGeneral(n=16)" 5200
# loops: a bound for each, whatever order is the cheapest
sizes=3
night && sizes='3 5'
for m in $sizes; do
    n=$(operations "Linkage.Benchmarks.FourBarChain(m=$m)" ali3p)
    echo "FourBarChain(m=$m): $n operations"
    [ "${n:-0}" -gt 0 ] && [ "$n" -le $((6000 * m)) ] || fail "more than 6000 operations per loop"
done
# a chain of them, each on the coupler of the one before
four=Linkage.Benchmarks.FourBarChain
linear ali3p "$four(m=4)" "$four(m=8)" "$four(m=12)" 32000 1.4
night && linear ali3p "$four(m=6)" "$four(m=15)" "$four(m=24)" 72000 1.4
# many loops: a penalty, which leaves its constraints open, goes on with this iteration, and the start
# comes from it, as from the full system of the multipliers
many='Linkage.Benchmarks.FourBarChain(m=12)'
"$rung" simulate --model "$many" --method penalty --step 0.01 --stop 0.2 -o many.csv >out ||
    fail "a penalty for many loops: $(cat out)"
grep -q Jacobians out && fail "a matrix of the runtime's own for many loops: $(cat out)"
"$rung" simulate --model "$many" --method dopri5 --stop 0.01 --interval 0.01 -o full.csv >out ||
    fail "dopri5 for many loops: $(cat out)"
sed -i '1s/\([0-9]\),\([0-9]\)/\1;\2/g' full.csv many.csv # names of elements
awk -F, 'function size(x) { return x < 0 ? -x : x }
    FNR == 1 { for (i = 1; i <= NF; i++) name[FILENAME, i] = $i; next }
    FNR > 2 { next }
    FILENAME == "full.csv" { for (i = 1; i <= NF; i++) full[name[FILENAME, i]] = $i; next }
    { for (i = 1; i <= NF; i++) {
        at = name[FILENAME, i]
        if (!(at in full)) continue
        n++
        if (size($i - full[at]) > 1e-7*(1 + size($i))) { print at ": " $i ", " full[at]; off = 1 }
    } }
    END { exit off || n < 1000 }' full.csv many.csv || fail "the start of many loops"
exit $failed
