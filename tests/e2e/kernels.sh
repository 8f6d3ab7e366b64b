#!/bin/sh
# Recurring stretches are emitted once: the C of a thousand bodies is hardly longer than that of
# fifty, and computes what straight code computes.
# usage: kernels.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# lines of the C that is not tables
lines() {
    cat "$1"/*_[0-9]*.c | grep -c ' = '
}
for family in PlanarPendulum AlternatingPendulum; do
    for n in 50 1000; do
        "$rung" compile -q --model "Linkage.Examples.$family(n=$n)" -o "$dir/$family$n" || exit 1
    done
    few=$(lines "$dir/${family}50")
    many=$(lines "$dir/${family}1000")
    [ $((2 * many)) -lt $((3 * few)) ] || fail "$family: $few statements for n=50, $many for n=1000"
    "$rung" compile -q --no-kernels --model "Linkage.Examples.$family(n=50)" -o "$dir/straight" || exit 1
    straight=$(lines "$dir/straight")
    [ "$straight" -gt "$few" ] || fail "$family: $straight straight statements, $few with kernels"
done

# tables and all: names, start values, indices, the model with numeric blocks
bytes() {
    cat "$1"/Linkage*.c | wc -c
}
for family in PlanarPendulum AlternatingPendulum; do
    few=$(bytes "$dir/${family}50")
    many=$(bytes "$dir/${family}1000")
    [ $((2 * many)) -lt $((3 * few)) ] || fail "$family: $few bytes for n=50, $many for n=1000"
done

# the levels of a tree become loops: four times the bodies, two levels more
for depth in 6 8; do
    "$rung" compile -q --no-fallback --model "Linkage.Examples.MultiPendulum(depth=$depth)" \
        -o "$dir/tree$depth" || exit 1
done
few=$(lines "$dir/tree6")
many=$(lines "$dir/tree8")
[ $((2 * many)) -lt $((3 * few)) ] || fail "tree: $few statements for depth=6, $many for depth=8"

# a tree, where the index tables are
for model in 'PlanarPendulum(n=61)' 'AlternatingPendulum(n=40)' 'MultiPendulum(depth=7)' 'SplitPendulum(n=24)'; do
    for option in '' --no-kernels; do
        # shellcheck disable=SC2086
        "$rung" simulate -q $option --model "Linkage.Examples.$model" --method rk4 --step 0.001 \
            --stop 0.02 --interval 0.01 -o "$dir/r$option.csv" || exit 1
    done
    paste -d, "$dir/r.csv" "$dir/r--no-kernels.csv" | awk -F, -v model="$model" '
        NR > 1 {
            for (k = 1; k <= NF / 2; k++) {
                d = $k - $(k + NF / 2)
                s = $k * $k + 1e-6
                if (d * d > 1e-18 * s)
                    wrong++
            }
            rows++
        }
        END { if (wrong || rows < 3) { print "FAILED:", model, wrong, "values differ"; exit 1 } }' ||
        failed=1
done
[ $failed -eq 0 ] && echo "few statements, equal results"
exit $failed
