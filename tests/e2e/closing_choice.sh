#!/bin/sh
# --alpha, --penalty, --projections and --projection of ali3p and penalty: the position is that of dopri5 with a tight
# tolerance, whatever is chosen; what is left of the constraints follows the choice.
# usage: closing_choice.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

five="$rung simulate --model Linkage.Benchmarks.FiveBar --stop 0.3 --interval 0.3 --signals r2[2] --no-audit"
$five --method dopri5 --tolerance 1e-11 -q -o reference.csv || failed=1
reference=$(tail -1 reference.csv | cut -d, -f2)

# closed METHOD OPTIONS...: sets $phi and $rate, the largest |phi| and |phi'| of a run, and looks at its end
closed() {
    if ! $five --step 1e-3 --method "$@" -o choice.csv >out 2>&1; then
        fail "$*: $(cat out)"
        return
    fi
    phi=$(sed -n 's/.*|phi| <= \([^,]*\),.*/\1/p' out)
    rate=$(sed -n "s/.*|phi'| <= \([^,]*\).*/\1/p" out)
    tail -1 choice.csv | awk -F, -v r="$reference" '{ exit !(($2 - r)^2 < 1e-11) }' ||
        fail "$*: ends at $(tail -1 choice.csv), the reference at $reference"
}
# true NUMBERS AND OPERATORS
holds() {
    awk "BEGIN { exit !($*) }" || fail "$*"
}

closed ali3p
cp choice.csv default.csv
closed ali3p --projection mass
cmp -s choice.csv default.csv || fail 'masses are the default metric of ali3p'
closed penalty --projection alpha --projections 1
cp choice.csv alpha.csv
closed penalty
cmp -s choice.csv alpha.csv || fail 'one projection by the matrix of the step is the default of penalty'
once=$rate
closed penalty --projections 3
holds "$rate < 1e-13 && $once > 1e-12"
closed penalty --projection mass
holds "$rate < 1e-13"

# multipliers make constraints independent of the penalty; without them they give way as 1/alpha, and of their rates a
# projection leaves as much again
for projection in mass alpha; do
    closed ali3p --alpha 1e8 --projection $projection
    holds "$phi < 1e-10 && $rate < 1e-13"
done
closed penalty --alpha 1e8
soft=$phi soft_rate=$rate
closed penalty --alpha 1e9
holds "$soft > 9*$phi && $soft < 11*$phi && $soft_rate > 80*$rate && $soft_rate < 120*$rate"
closed penalty --penalty 1e5
soft=$phi
closed penalty --penalty 1e6
holds "$soft > 9*$phi && $soft < 11*$phi"
closed ali3p --alpha 1e8 --projection alpha --projections 1
soft=$rate
closed ali3p --alpha 1e9 --projection alpha --projections 1
holds "$soft > 9*$rate && $soft < 11*$rate && $rate > 1e-12"

# the matrix in full, instead of the model's own iteration
closed ali3p --projection alpha --jacobian coloured
holds "$rate < 1e-13"
closed penalty --projections 3 --jacobian coloured
holds "$rate < 1e-13"

# a simulator that stands alone
"$rung" compile --model Linkage.Benchmarks.FiveBar --method penalty -q -o alone && make -s -C alone >out 2>&1 || fail "$(cat out)"
closed penalty --alpha 1e9 --projections 2
alone="alone/Linkage_Benchmarks_FiveBar --stop 0.3 --interval 0.3 --signals r2[2] --step 1e-3 --method penalty"
$alone --alpha 1e9 --projections 2 --projection alpha -o alone.csv >out 2>&1 && cmp -s alone.csv choice.csv ||
    fail "alone: $(cat out)"
expect 2 "'0.5' is not a value of that option" $alone --projections 0.5
expect 2 "'stiff' is not a value of that option" $alone --projection stiff
expect 2 "'0' is not a value of that option" $alone --alpha 0

expect 2 '--alpha needs a number above 0' $five --method ali3p --step 1e-3 --alpha 0
expect 2 '--penalty needs a number above 0' $five --method ali3p --step 1e-3 --penalty -1
expect 2 '--projections needs a number of rounds, from 1 to 100' $five --method ali3p --step 1e-3 --projections 1.5
expect 2 "--projection does not know 'masses'" $five --method ali3p --step 1e-3 --projection masses
expect 2 'need --method ali3p, penalty or trapezoid' $five --method bdf --step 1e-3 --alpha 1e9
expect 2 'either --alpha or --penalty' $five --method ali3p --step 1e-3 --alpha 1e9 --penalty 1e4
expect 2 'cannot be chosen with derivatives' $five --method ali3p --step 1e-3 --projections 1 --sensitivity bar1.m
expect 2 'need a closed loop' "$rung" simulate --model Linkage.Examples.DoublePendulum --method ali3p --step 1e-3 --alpha 1e9
expect 3 'need --method ali3p' "$rung" sweep --model Linkage.Examples.DoublePendulum --vary world.g=9,10 --lanes 2 --method rk4 \
    --step 1e-3 --alpha 1e9 -o sweep
# so weak a penalty does not hold the loop
expect 3 'has come apart' $five --method penalty --step 1e-3 --alpha 1e3
exit $failed
