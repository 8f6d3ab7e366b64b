#!/bin/sh
# A chain of rods is written in ways that lose the order of elimination along it: check and simulate name the equation
# and the unknown, and the place of its declaration; all ways move alike. Chains and trees that are written from one
# body to the next say nothing.
# usage: lost_orders.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
models=$source/tests/e2e/lost_orders/Pendulum.mo

# blames LOG MODEL UNKNOWN: the marked line, once, and the unknown with its declaration
blames() {
    line=$(grep -n "// E07 in $2\$" "$models" | cut -d: -f1)
    grep "Pendulum.mo:$line:[0-9]*: warning E07: " "$1" | grep -qF "'$3'" ||
        fail "$2: line $line is not named: $(cat "$1")"
    grep 'Pendulum.mo:[0-9]*:[0-9]*: note: ' "$1" | grep -qF "'$3' is declared here" ||
        fail "$2: no declaration of $3"
    [ "$(grep -c 'warning E07' "$1")" -eq 1 ] || fail "$2: said more than once"
}

# motion MODEL: angles at the end of a run
motion() {
    "$rung" simulate "$models" --model "Pendulum.$1" --stop 1 --tolerance 1e-9 --signals 'time,phi*' \
        -o "$1.csv" >run.log 2>&1 ||
        fail "$1: $(cat run.log)"
    "$rung" compare Chain.csv "$1.csv" --tolerance 1e-6 -q || fail "$1 moves otherwise than Chain"
}

motion Chain
! grep -q E07 run.log || fail "Chain: $(cat run.log)"
for way in "Sums x[7]" "Moments w[1]" "Lagrange w[1]"; do
    set -- $way
    "$rung" check "$models" --model "Pendulum.$1" >check.log 2>&1 || fail "check: $(cat check.log)"
    blames check.log "$1" "$2"
    grep -q '  16 states$' check.log || fail "$1: $(cat check.log)"
    motion "$1"
    blames run.log "$1" "$2"
done

# silent ARGUMENTS...: checked without a word about the order
silent() {
    "$rung" check "$@" >check.log 2>&1 || fail "check $*: $(cat check.log)"
    ! grep -q E07 check.log || fail "$* is cheap: $(cat check.log)"
}
for model in 'Chain(n=24)' 'Carriage(n=24)' 'Sums(n=4)'; do
    silent "$models" --model "Pendulum.$model"
done
# their vectors are moved into other frames
for model in Joints Centres Origin; do
    silent "$source/tests/e2e/frames/OnPaper.mo" --model "OnPaper.$model(n=12)"
done
for model in 'Examples.AlternatingPendulumGeneral(n=16)' 'Examples.MultiPendulum(depth=5)' 'Benchmarks.FourBarChain(m=8)' \
    Vehicles.Iltis.Bump Benchmarks.JansenLeg; do
    silent --model "Linkage.$model"
done
exit $failed
