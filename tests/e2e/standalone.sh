#!/bin/sh
# What `rung compile` writes simulates as `rung simulate` does, without options, stiff models too.
# usage: standalone.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cd "$dir" || exit 1

# alone FILE OPTIONS...: builds the program, runs both, and compares the last rows
alone() {
    name=$(basename "$1" .mo)
    "$rung" compile -q "$1" -o "$name" && make_program "$name" >log 2>&1 ||
        { fail "$name: $(cat log)"; return; }
    program=$(find "$name" -type f -perm -u+x)
    file=$1
    shift
    "$program" "$@" -o alone.csv 2>log || fail "$name alone: $(cat log)"
    grep -q '^esdirk' log || fail "$name alone: another method: $(cat log)"
    "$rung" simulate -q "$file" "$@" -o with.csv || fail "$name with rung"
    tail -n 1 alone.csv | tr , '\n' >alone.row
    tail -n 1 with.csv | tr , '\n' >with.row
    paste alone.row with.row | awk -v name="$name" '
        { d = $1 - $2; s = 1 + ($2 < 0 ? -$2 : $2); if (d < 0) d = -d
          if (!(d <= 1e-4 * s)) { print name ", column " NR ": " $1 " for " $2; bad = 1 } }
        END { exit bad || NR < 2 }' || failed=1
}
alone "$source/tests/sim/MotorWithPendulum.mo" --stop 2
motor=$program
alone "$source/tests/sim/language/Diodes.mo" --stop 0.1
# closed loops, from rest: with the model's own Newton iteration, as in a run
cat >five.mo <<'MO'
model five
  extends Linkage.Benchmarks.FiveBar;
end five;
MO
alone five.mo --stop 0.1 --tolerance 1e-8
grep -q 'factorisations of [0-9]* operations' log || fail "closed loops by differences: $(cat log)"

# the method that it was made for, unless another is named; one of SUNDIALS is a usage error
"$rung" compile -q "$source/tests/sim/MotorWithPendulum.mo" --method trapezoid -o own && make_program own >log 2>&1 || fail "$(cat log)"
own=$(find own -type f -perm -u+x)
"$own" --stop 0.1 --step 1e-3 -o alone.csv 2>log && grep -q '^trapezoid from' log || fail "compiled for trapezoid: $(cat log)"
"$own" --stop 0.1 --method esdirk -o alone.csv 2>log && grep -q '^esdirk from' log || fail "another method: $(cat log)"
"$own" --stop 0.1 -o alone.csv 2>log && fail "trapezoid without a step"
grep -q 'give --step' log || fail "no word on the step: $(cat log)"
expect 2 'made without SUNDIALS' "$rung" compile "$source/tests/sim/MotorWithPendulum.mo" --method ida -o none
# smaller time constants, and none to speak of
for inductance in 1e-3 1e-5 1e-8 1e-12; do
    "$motor" --set L=$inductance --stop 60 -o alone.csv 2>log || fail "L=$inductance: $(cat log)"
    tail -n 1 alone.csv | awk -F, '{ for (k = 1; k <= NF; k++) if ($k - 0.3046926 < 1e-6 && $k - 0.3046926 > -1e-6) found = 1 } END { exit !found }' ||
        fail "L=$inductance: the pendulum does not come to rest where it should"
done

# an explicit method that was asked for says which one to take; the program has it
for method in dopri5 'rk4 --step 0.001'; do
    "$motor" --method $method --stop 2 -o alone.csv 2>log
    [ $? -eq 3 ] || fail "$method on a stiff model: $(cat log)"
    advice=$(sed -n 's/.*use --method \([a-z0-9]*\).*/\1/p' log | head -n 1)
    [ -n "$advice" ] || fail "$method gives no advice: $(cat log)"
    "$motor" --method "$advice" --stop 2 -o alone.csv 2>log || fail "--method $advice: $(cat log)"
done
exit $failed
