#!/bin/sh
# Every example runs as it stands, and the exact check proves its program.
# usage: examples.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"

points=1
night && points=2
# run ARGUMENTS...: FILE and --model MODEL
run() {
    if ! "$rung" simulate "$@" -o "$dir/result.csv" >"$dir/log" 2>&1; then
        cat "$dir/log"
        echo "FAILED: simulate $*"
        failed=1
    elif ! "$rung" verify "$@" --points $points >"$dir/log" 2>&1; then
        cat "$dir/log"
        echo "FAILED: verify $*"
        failed=1
    else
        echo "good: $*"
    fi
}

for file in "$source"/library/Linkage/Examples/*.mo; do
    large || break
    name=$(basename "$file" .mo)
    grep -q '^model' "$file" || continue # the package, partial models
    run --model "Linkage.Examples.$name"
done
# the mechanisms with loops: proved, runs are in tests/sim
for file in "$source"/library/Linkage/Benchmarks/*.mo; do
    large || break
    name=$(basename "$file" .mo)
    grep -q '^model' "$file" || continue
    case $name in
    FourBarChain) name='FourBarChain(m=2)' ;;
    esac
    if "$rung" verify --model "Linkage.Benchmarks.$name" --points 1 >"$dir/log" 2>&1; then
        echo "proved: $name"
    else
        cat "$dir/log"
        echo "FAILED: verify $name"
        failed=1
    fi
done
# a file says at its head how it is run, or has one model
for file in "$source"/examples/*.mo; do
    model=$(sed -n 's/^\/\/ .*--model \([A-Za-z_.]*\).*/\1/p; s/^model \([A-Za-z_]*\).*/\1/p' "$file" |
        head -n 1)
    # those that say at their head what must hold run in `./dev test` by themselves (sim_example_*)
    kind=small
    case $model in FourFamilies* | WorldFrame* | Robot) kind=large ;; esac
    ! grep -q '^// zero:' "$file" || kind=large
    $kind || continue
    run "$file" --model "$model"
done
exit $failed
