#!/bin/sh
# Writes docs/measured/accuracy.md, docs/work_precision.md and docs/work_precision.svg again.
#   docs/measured/accuracy.sh RUNG CACHE      CACHE: a folder that keeps references from one time to the next
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
rung=$1
cache=$2
bench=$source/tests/bench
mkdir -p "$cache"
python3 "$bench/trajectories.py" "$rung" "$source" "$cache" --write "$cache/runs.md"
failed=$?
python3 "$bench/loop_paths.py" "$rung" "$source" "$cache" --write "$cache/loops.md" || failed=1
cat "$cache/runs.md" "$cache/loops.md" >"$source/docs/measured/accuracy.md"
python3 "$bench/work_precision.py" "$rung" "$source" "$cache" "$source/docs/work_precision.svg" \
    "$source/docs/work_precision.md" || failed=1
exit $failed
