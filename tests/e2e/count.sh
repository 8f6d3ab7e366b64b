#!/bin/sh
# Operations of the four families: the ladder grows by the same number with each body (each level of
# MultiPendulum by twice the last), up to what trying orders inside body structures finds for one
# size and not for another; tearing grows faster.
# usage: count.sh RUNG
rung=$1
failed=0

# ops MODEL ORDER: operations for the accelerations
ops() {
    "$rung" count --model "$1" --order "$2" --format csv | awk -F, -v order="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); c[$i] = i } next }
        { gsub(/"/, "", $c["order"]) }
        $c["order"] == order { print $c["add"] + $c["mul"] + $c["div"] }'
}

# even A B: the second is within a tenth of the first
even() {
    [ $((10 * $2)) -ge $((9 * $1)) ] && [ $((10 * $2)) -le $((11 * $1)) ]
}

for family in PlanarPendulum SplitPendulum AlternatingPendulum; do
    a=$(ops "Linkage.Examples.$family(n=12)" ladder)
    b=$(ops "Linkage.Examples.$family(n=16)" ladder)
    c=$(ops "Linkage.Examples.$family(n=20)" ladder)
    t12=$(ops "Linkage.Examples.$family(n=12)" tearing)
    t16=$(ops "Linkage.Examples.$family(n=16)" tearing)
    t20=$(ops "Linkage.Examples.$family(n=20)" tearing)
    echo "$family: ladder $a $b $c, tearing $t12 $t16 $t20 for n = 12, 16, 20"
    if [ -z "$c" ] || ! even $((b - a)) $((c - b)); then
        echo "FAILED: the ladder is not linear"
        failed=1
    fi
    if [ -z "$t20" ] || [ $((t20 - t16)) -le $((t16 - t12)) ]; then
        echo "FAILED: tearing should grow faster than linearly"
        failed=1
    fi
done
a=$(ops 'Linkage.Examples.MultiPendulum(depth=4)' ladder)
b=$(ops 'Linkage.Examples.MultiPendulum(depth=5)' ladder)
c=$(ops 'Linkage.Examples.MultiPendulum(depth=6)' ladder)
echo "MultiPendulum: ladder $a $b $c for depth = 4, 5, 6"
if [ -z "$c" ] || ! even $((2 * (b - a))) $((c - b)); then
    echo "FAILED: the ladder is not linear in the number of bodies"
    failed=1
fi
exit $failed
