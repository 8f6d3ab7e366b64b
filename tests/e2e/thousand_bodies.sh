#!/bin/sh
# A thousand bodies: checked and compiled in seconds, in hundreds of megabytes.
# usage: thousand_bodies.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
model='Linkage.Examples.PlanarPendulum(n=1000)'
ulimit -v 1500000 2>/dev/null
if ! timeout 20 "$rung" check --model "$model"; then
    echo "FAILED: check of $model"
    exit 1
fi
if ! timeout 60 "$rung" compile --method dopri5 --model "$model" -o "$dir"; then
    echo "FAILED: compile of $model"
    exit 1
fi
