#!/bin/sh
# Runs with nothing said but the tolerance are right, and ways of solving for a step agree: a part of the table
# of docs/measured/accuracy.md, whose models are all run by docs/measured/accuracy.sh.
# usage: trajectories.sh RUNG DIR SOURCE large
. "$(dirname "$0")/common.sh"
bench=$source/tests/bench
some='*PushedBody;*Examples.DoublePendulum;*Squeezer;*FiveBar;*SpatialFourBar;Rope;*Hires;*VanDerPol;*Pollution'
python3 "$bench/trajectories.py" "$rung" "$source" "$dir/cache" --only "$some;*Transistor;*Problems.CarAxis;*Nand" || failed=1
python3 "$bench/loop_paths.py" "$rung" "$source" "$dir/cache" || failed=1
exit $failed
