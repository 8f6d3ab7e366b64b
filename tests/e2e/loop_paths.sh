#!/bin/sh
# A step of the trapezoidal rule with closed loops, solved by the generated Newton step and by a matrix: both
# within three times its own error, which falls by four when the step halves; esdirk, ida and cvode agree.
# Two models; trajectories.sh has them all.
# usage: loop_paths.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
python3 "$source/tests/bench/loop_paths.py" "$rung" "$source" "$dir/cache" --only 'MasslessRod;*Bricard' >out ||
    fail "$(cat out)"
[ "$(grep -c '^| ' out)" -eq 6 ] || fail "models are missing: $(cat out)"
exit $failed
