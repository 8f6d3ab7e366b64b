#!/bin/sh
# All orders of elimination give the same values at the start, the accelerations among them.
# usage: orders.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
for model in 'PlanarPendulum(n=12)' 'SplitPendulum(n=12)' 'AlternatingPendulum(n=8)' \
    'AlternatingPendulumGeneral(n=4)' 'MultiPendulum(depth=4)' SphericalPendulum UniversalPendulum; do
    case $model in *n=*) large || continue ;; esac
    for order in ladder tearing mindegree dissection; do
        if ! "$rung" simulate --model "Linkage.Examples.$model" --order $order --stop 0 \
            -o "$dir/$order.csv" >"$dir/log" 2>&1; then
            cat "$dir/log"
            echo "FAILED: no result for $model by $order"
            failed=1
            continue
        fi
        # relative to the larger of the value and one unit
        if ! awk -F, -v model="$model" -v order=$order '
            FNR == 1 { next } # the names, some with commas
            FNR == 2 && FILENAME == ARGV[1] { n = NF; for (i = 1; i <= NF; i++) x[i] = $i; next }
            FNR == 2 {
                for (i = 1; i <= n; i++) {
                    d = $i - x[i]; if (d < 0) d = -d
                    s = x[i] < 0 ? -x[i] : x[i]; if (s < 1) s = 1
                    if (!(d <= worst * s)) worst = d/s
                }
                printf "%s, %s against ladder: %.1e\n", model, order, worst
                exit !(n > 0 && NF == n && worst <= 1e-10)
            }' "$dir/ladder.csv" "$dir/$order.csv"; then
            echo "FAILED: $model by $order"
            failed=1
        fi
    done
done
exit $failed
