#!/bin/sh
# Rods that have no inertia about their own lines do not cost the order of body structures: about as many
# operations as with some inertia there. What is open is said by check, and stops a run that it moves.
# usage: slender.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
models=$source/tests/e2e/slender/Slender.mo

# taken MODEL OPTIONS...: the order and its operations for the accelerations
taken() {
    model=$1
    shift
    "$rung" count "$models" --model "Slender.$model" "$@" --format csv 2>err |
        awk -F, 'NR > 1 && $NF == 1 { print $(NF - 9), $(NF - 8) + $(NF - 7) + $(NF - 6) }'
}

# even MODEL MODIFIERS: I = 0 by an order along the ladder costs at most a twentieth more than I = 0.01
even() {
    none=$(taken "$1($2I=0)")
    some=$(taken "$1($2I=0.01)")
    echo "$1($2): $none without, $some with inertia"
    case $none in
        ladder* | composite*) [ $((20 * ${none#* })) -le $((21 * ${some#* })) ] || fail "$1($2) is dear" ;;
        *) fail "$1($2): the order is lost: $none $(cat err)" ;;
    esac
}

even Arm ''
arm=$(taken Arm)
[ "${arm#* }" -le 1030 ] || fail "the arm: $arm"
even Stretched ''
even Planar ''
even Tree ''
even Tree n=6,
night && even Planar n=40,
numbers=13
night && numbers='12 13 40'
for n in $numbers; do
    even Turns "n=$n,"
    even Turns "n=$n,start=0,"
done

# the body is named once, where it is declared, and only where something is open
"$rung" check "$models" --model Slender.Arm >out 2>log || fail "check: $(cat log)"
grep -q "Slender.mo:[0-9]*:[0-9]*: warning E05: .*'body\[6\].I_11'" log && [ "$(grep -c E05 log)" -eq 1 ] ||
    fail "the body is not named: $(cat log)"
"$rung" check "$models" --model 'Slender.Arm(I=0.01)' >out 2>log || fail "check: $(cat log)"
[ ! -s log ] || fail "noise: $(cat log)"
"$rung" check "$models" --model Slender.Tree --diagnostics json 2>&1 | grep -q '"severity": "warning", "code": "E05"' ||
    fail "no warning as JSON"
[ "$("$rung" check "$models" --model Slender.Tree 2>&1 | grep -c E05)" -eq 1 ] || fail "three twigs, said more than once"

# run MODEL STOP: no evaluation by the LU, and the energy stays
run() {
    "$rung" simulate "$models" --model "Slender.$1" --stop "$2" --tolerance 1e-8 \
        --signals 'E,joint*.phi' -o "$1.csv" >log 2>&1 ||
        fail "$1: $(cat log)"
    grep -q 'solved numerically' log && fail "$1: $(cat log)"
    awk -F, -v what="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == "E") at = i } next }
        NR == 2 { first = $at }
        { e = $at - first; if (e < 0) e = -e; if (e > most) most = e }
        END { if (!(NR > 10 && most < 1e-4)) { print what ": E drifts by " most; exit 1 } }' "$1.csv" ||
        fail "$1: energy"
}
run 'Arm(I=0.01)' 1
run 'Tree(I=0.01)' 1

# what nothing determines stops the run, by name; before its first row where it is driven
for run in "Arm 3" "Driven 1"; do
    set -- $run
    model=$1
    "$rung" simulate "$models" --model Slender.$model --stop 1 -o open.csv >log 2>&1
    [ $? -eq $2 ] && grep -q 'singular.*z\[1\]' log && grep -q E05 log || fail "$model: nothing turns the rod: $(cat log)"
done
# and so does what nothing resists where it starts
"$rung" simulate "$models" --model Slender.Stretched --stop 1 -o stretched.csv >log 2>&1
[ $? -eq 3 ] && grep -q "'joint\[4\].*give the body an inertia" log || fail "stretched: $(cat log)"
"$rung" simulate "$models" --model 'Slender.Driven(I=0.01)' --stop 1 -o driven.csv >log 2>&1 ||
    fail "a torque on something: $(cat log)"

for model in Arm Tree Loop; do
    "$rung" verify "$models" --model "Slender.$model" >log 2>&1 || fail "verify $model: $(cat log)"
done

[ $failed -eq 0 ] && echo "slender rods are no trouble"
exit $failed
