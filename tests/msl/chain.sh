#!/bin/sh
# Chains of the library's own pendulums: the exact check holds, all orders of elimination give the same
# accelerations, and the ladder's operations grow by the same number with each body.
# usage: chain.sh RUNG
# MODELICAPATH names the library; without it nothing is run, and that is said.
rung=$1
here=$(dirname "$0")
if ! "$rung" check --model Modelica.Mechanics.MultiBody.Examples.Elementary.Pendulum >/dev/null 2>&1; then
    echo "skipped: no Modelica Standard Library on MODELICAPATH"
    exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# operations of model $1 with n = $2
operations() {
    "$rung" count "$here/PendulumChain.mo" --model "PendulumChain.$1(n=$2)" --order ladder \
        --format csv >"$dir/count.csv" 2>/dev/null || return 1
    # model, order, additions, multiplications, divisions
    awk -F, 'NR == 2 { print $3 + $4 + $5 }' "$dir/count.csv"
}

for model in Planar Spatial Ones General; do
    "$rung" verify "$here/PendulumChain.mo" --model "PendulumChain.$model(n=6)" >"$dir/log" 2>&1 || {
        cat "$dir/log"
        failed=1
    }
    a=$(operations $model 8)
    b=$(operations $model 16)
    c=$(operations $model 32)
    slope=$(((c - b) / 16))
    printf '%-8s n = 8, 16, 32: %s %s %s operations, %s per body\n' $model "$a" "$b" "$c" "$slope"
    [ $((c - b)) -eq $((2 * (b - a))) ] || {
        echo "FAILED: the operations do not grow by the same number with each body"
        failed=1
    }
    # lengths and masses of 1 lead nobody astray
    [ $model = Spatial ] && spatial=$slope
    [ $model != Ones ] || [ $slope -le $((spatial + spatial / 20)) ] || {
        echo "FAILED: $slope operations per body where lengths are 1, else $spatial"
        failed=1
    }
    for order in ladder tearing sweep mindegree dissection; do
        "$rung" simulate "$here/PendulumChain.mo" --model "PendulumChain.$model(n=6)" --order $order \
            --stop 0 -o "$dir/$order.csv" >"$dir/log" 2>&1 || {
            cat "$dir/log"
            failed=1
            continue
        }
        "$rung" compare "$dir/$order.csv" "$dir/ladder.csv" --tolerance 1e-7 -q || {
            echo "FAILED: $model, $order against ladder"
            failed=1
        }
    done
done
exit $failed
