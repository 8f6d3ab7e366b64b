#!/bin/sh
# Methods of fixed step: the error at the end shrinks with the step as their order says. The
# reference is dopri5 with a tight tolerance.
# Those with step control by the steps that they take.
# usage: order_of_methods.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# the last value of column $2 of file $1
last() {
    # a comma inside brackets belongs to a name
    sed '1s/\(\[[0-9]*\),/\1;/g' "$1" | awk -v name="\"$2\"" -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i; next }
        { x = $k } END { print x }'
}

# model, signal, stop, longer step; then METHOD or METHOD:JACOBIAN and its order, again and again
measure() {
    model=$1 signal=$2 stop=$3 step=$4
    shift 4
    run="$rung simulate --model $model --stop $stop --interval $stop -q"
    if ! $run --method dopri5 --tolerance 1e-12 -o "$dir/reference.csv"; then
        failed=1
        return
    fi
    reference=$(last "$dir/reference.csv" "$signal")
    while [ $# -gt 1 ]; do
        method=${1%:*} order=$2 jacobian=analytic
        case $1 in *:*) jacobian=${1#*:} ;; esac
        shift 2
        short=$(awk "BEGIN { print $step/2 }")
        if ! $run --method "$method" --jacobian $jacobian --step "$step" -o "$dir/long.csv" ||
            ! $run --method "$method" --jacobian $jacobian --step "$short" -o "$dir/short.csv"; then
            failed=1
            continue
        fi
        if ! awk -v a="$(last "$dir/long.csv" "$signal")" -v b="$(last "$dir/short.csv" "$signal")" \
            -v r="$reference" -v order="$order" -v what="$model by $method, $jacobian" 'BEGIN {
                a -= r; b -= r
                if (a < 0) a = -a
                if (b < 0) b = -b
                found = b > 0 ? log(a/b)/log(2) : 99
                printf "%s: errors %.2e, %.2e, order %.2f\n", what, a, b, found
                exit !(a > 1e-12 && found > order - 0.3 && found < order + 0.5)
            }'; then
            echo "FAILED: order $order expected"
            failed=1
        fi
    done
}

# model, signal, stop, order: the largest error of hedop5 in 20 rows with two tolerances, against esdirk with a tight one
measure_controlled() {
    run="$rung simulate --model $1 --stop $3 --interval $(awk "BEGIN { print $3/20 }") --signals $2"
    $run --method esdirk --tolerance 1e-12 -q -o "$dir/reference.csv" || failed=1
    for tolerance in 1e-7 1e-10; do
        $run --method hedop5 --tolerance $tolerance -o "$dir/r.csv" >"$dir/out" 2>&1 || failed=1
        echo "$(sed -n 's/.*: \([0-9]*\) steps.*/\1/p' "$dir/out") $(paste -d, "$dir/reference.csv" "$dir/r.csv" |
            awk -F, 'NR > 1 { d = $2 > $4 ? $2 - $4 : $4 - $2; if (d > most) most = d } END { print most }')"
    done >"$dir/both"
    if ! awk -v order="$4" -v what="$1 by hedop5" '
            { steps[NR] = $1; d[NR] = $2 }
            END { found = log(d[1]/d[2])/log(steps[2]/steps[1])
                printf "%s: errors %.2e in %d steps, %.2e in %d, order %.2f\n", what, d[1], steps[1], d[2], steps[2], found
                exit !(NR == 2 && d[2] > 1e-13 && found > order - 0.6 && found < order + 1.5) }' "$dir/both"; then
        echo "FAILED: order $4 expected"
        failed=1
    fi
}

measure Linkage.Examples.DoublePendulum joint2.phi 1 0.002 trapezoid 2 bdf 2 euler 1 \
    half-explicit 2 half-explicit-euler 1
large || exit $failed
measure Linkage.Benchmarks.SpatialFourBar rocker.phi 0.5 0.002 ali3p 2 ali3p:coloured 2 \
    penalty 2 half-explicit 2 bdf 2
measure Linkage.Benchmarks.FiveBar 'r2[1]' 0.5 0.002 ali3p 2 penalty 2 half-explicit 2 bdf 2 euler 1 \
    half-explicit-euler 1
measure_controlled Linkage.Benchmarks.FiveBar 'r2[2]' 1 5
measure_controlled Linkage.Benchmarks.SpatialFourBar rocker.phi 1 5
measure_controlled Linkage.Benchmarks.Squeezer beta.phi 0.02 5
# by the emitted Newton step, and by the matrix
measure Linkage.Benchmarks.Bricard joint4.phi 1 0.01 ali3p 2 ali3p:coloured 2
measure Linkage.Benchmarks.SpatialSliderCrank slide.s 0.5 0.002 ali3p 2 ali3p:coloured 2
exit $failed
