#!/bin/sh
# The generated C is the same for the same model, and no compiler warns about it.
# usage: generated_c.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
mkdir -p "$dir/seen" "$dir/runtime"
find "$source/runtime" -name '*.c' -exec cp {} "$dir/runtime" \;
for model in 'Linkage.Examples.PlanarPendulum(n=8)' 'Linkage.Examples.AlternatingPendulumGeneral(n=3)' \
    'Linkage.Examples.AlternatingPendulum(n=30)' 'Linkage.Examples.MultiPendulum(depth=5)' \
    Linkage.Examples.SpringPendulum Linkage.Examples.DrivenArm Linkage.Examples.UniversalPendulum; do
    case $model in
    *Planar*) ;;
    *n=3* | *Universal*) large || continue ;;
    *) night || continue ;;
    esac
    for run in 1 2; do
        rm -rf "$dir/$run"
        mkdir -p "$dir/$run"
        # orders are searched anew each time
        "$rung" compile --no-cache --model "$model" -o "$dir/$run" || exit 1
    done
    if ! diff -r "$dir/1" "$dir/2"; then
        echo "FAILED: two runs differ for $model"
        failed=1
    fi
    for text in "$dir"/1/*.c; do
        # the runtime's files come with every model
        name=$(basename "$text")
        cmp -s "$text" "$dir/seen/$name" && continue
        cp "$text" "$dir/seen/$name"
        # warnings that come of optimisation are found where the runtime is built
        made="-O1 -c -o $dir/object.o"
        night || ! cmp -s "$text" "$dir/runtime/$name" || made=-fsyntax-only
        for cc in gcc clang; do
            command -v $cc >/dev/null || continue
            [ $cc = gcc ] || large || continue
            # shellcheck disable=SC2086
            if ! $cc -std=c11 -Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L -I"$dir/1" $made "$text"; then
                echo "FAILED: $cc on $text of $model"
                failed=1
            fi
        done
    done
done
[ $failed -eq 0 ] && echo "same bytes, no warnings"
exit $failed
