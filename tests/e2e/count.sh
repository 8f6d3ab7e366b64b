#!/bin/sh
# Operations of the four families: the ladder grows by the same number with every body (each level of
# MultiPendulum by twice the last), up to what the search for orders finds by chance; tearing grows
# faster.
# usage: count.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# ops MODEL ORDER: operations for the accelerations
ops() {
    "$rung" count --model "$1" --order "$2" --format csv | awk -F, -v order="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); c[$i] = i } next }
        { gsub(/"/, "", $c["order"]) }
        $c["order"] == order { print $c["add"] + $c["mul"] + $c["div"] }'
}

# alike A B: within a tenth
alike() {
    [ $(((10 * ($1 - $2)) * (10 * ($1 - $2)))) -lt $(($2 * $2)) ]
}

for family in PlanarPendulum SplitPendulum AlternatingPendulum; do
    [ $family = PlanarPendulum ] || large || exit $failed
    a=$(ops "Linkage.Examples.$family(n=16)" ladder)
    b=$(ops "Linkage.Examples.$family(n=24)" ladder)
    c=$(ops "Linkage.Examples.$family(n=32)" ladder)
    t8=$(ops "Linkage.Examples.$family(n=8)" tearing)
    t10=$(ops "Linkage.Examples.$family(n=10)" tearing)
    t12=$(ops "Linkage.Examples.$family(n=12)" tearing)
    echo "$family: ladder $a $b $c for n = 16, 24, 32, tearing $t8 $t10 $t12 for n = 8, 10, 12"
    if [ -z "$c" ] || ! alike $((b - a)) $((c - b)); then
        echo "FAILED: the ladder is not linear"
        failed=1
    fi
    if [ -z "$t12" ] || [ $((t12 - t10)) -le $((t10 - t8)) ]; then
        echo "FAILED: tearing should grow faster than linearly"
        failed=1
    fi
done
a=$(ops 'Linkage.Examples.MultiPendulum(depth=4)' ladder)
b=$(ops 'Linkage.Examples.MultiPendulum(depth=5)' ladder)
c=$(ops 'Linkage.Examples.MultiPendulum(depth=6)' ladder)
echo "MultiPendulum: ladder $a $b $c for depth = 4, 5, 6"
if [ -z "$c" ] || ! alike $((2 * (b - a))) $((c - b)); then
    echo "FAILED: the ladder is not linear in the number of bodies"
    failed=1
fi
exit $failed
