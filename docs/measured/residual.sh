#!/bin/sh
# Arnold's comparison (1997, section 4): the residual form F(t, y, y') = 0 against the explicit form x' = f(t, x), by the same
# integrator (IDA). A table of docs/measured/residual.md; counts, so that it is the same everywhere.
#   docs/measured/residual.sh RUNG       on standard output; five minutes
set -eu
rung=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# of a JSON object: the number called $1
number() {
    sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" "$2"
}
echo '| model | states | operations: explicit | residual | steps | | Newton iterations a step | | rate of convergence | | evaluations | | work, residual/explicit |'
echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|'
while read -r model; do
    $rung count --model "$model" >"$dir/count"
    explicit=$(awk '/^totals/ { on = 1 } on && /taken/ { print $6; exit }' "$dir/count")
    residual=$(awk '/^totals/ { on = 1 } on && $1 == "residual" { print $6; exit }' "$dir/count")
    states=$($rung check --model "$model" | sed -n 's/^ *\([0-9]*\) states.*/\1/p')
    for method in ida ida-residual; do
        $rung simulate --model "$model" --method $method --stop 1 --tolerance 1e-6 --interval 1 --no-audit --format json -q \
            -o "$dir/r.csv" >"$dir/$method"
        for what in steps iterations newton_rate evaluations; do
            echo "$(number $what "$dir/$method")"
        done
    done | tr '\n' ' ' | awk -v model="$model" -v states="$states" -v e="$explicit" -v r="$residual" '
        { printf "| `%s` | %s | %d | %d | %d | %d | %.2f | %.2f | %.2g | %.2g | %d | %d | %.2f |\n", model, states, e, r, $1, $5,
            $2/$1, $6/$5, $3, $7, $4, $8, $8*r/($4*e) }'
done <<'END'
Linkage.Examples.DoublePendulum
Linkage.Examples.PlanarPendulum(n=4)
Linkage.Examples.PlanarPendulum(n=16)
Linkage.Examples.SplitPendulum(n=8)
Linkage.Examples.AlternatingPendulum(n=4)
Linkage.Examples.AlternatingPendulum(n=16)
Linkage.Examples.AlternatingPendulumGeneral(n=8)
Linkage.Examples.SpatialChain20
Linkage.Examples.MultiPendulum
Linkage.Examples.UniversalPendulum
END
