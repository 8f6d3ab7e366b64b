#!/bin/sh
# The choices of the methods ali3p and penalty on the five-bar mechanism: counts per step, and what is left of the
# constraints. A table of docs/methods.md; it has no times, so that it is the same everywhere.
#   docs/measured/closing.sh RUNG       on standard output; a minute
set -eu
rung=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
run="$rung simulate --model Linkage.Benchmarks.FiveBar --stop 1 --interval 1 --signals r2[2] --no-audit"
$run --method dopri5 --tolerance 1e-12 -q -o "$dir/reference.csv"
reference=$(tail -1 "$dir/reference.csv" | cut -d, -f2)
echo '| options | iterations a step | factorisations | evaluations | largest \|phi\| | largest \|phi'"'"'\| | error at the end |'
echo '|---|---|---|---|---|---|---|'
while read -r options; do
    $run --step 1e-3 --method $options -o "$dir/r.csv" >"$dir/out" 2>&1
    sed 's/[,<]/ /g' "$dir/out" | awk -v options="$options" -v end="$(tail -1 "$dir/r.csv" | cut -d, -f2)" -v reference="$reference" '
        / steps  / { for (i = 2; i <= NF; i++) { if ($i == "steps" && $(i-1) > 0) steps = $(i-1); if ($i == "evaluations") e = $(i-1)
            if ($i == "Newton") n = $(i-1); if ($i == "factorisations") f = $(i-1) } }
        /constraints of the loops/ { for (i = 1; i < NF; i++) { if ($i == "|phi|") phi = $(i+2); if ($i ~ /^.phi.*\|$/ && $i != "|phi|") rate = $(i+2) } }
        END { d = end - reference; printf "| `%s` | %.1f | %.1f | %.1f | %.0e | %.0e | %.1e |\n", options, n/steps, f/steps, e/steps, phi, rate, d < 0 ? -d : d }'
done <<'END'
ali3p
ali3p --projections 1
ali3p --projection alpha
ali3p --projection alpha --projections 1
ali3p --alpha 1e9
ali3p --alpha 1e9 --projections 1
ali3p --alpha 1e6
ali3p --penalty 1e2
ali3p --penalty 1e7
penalty
penalty --projections 3
penalty --projection mass
penalty --alpha 1e9
penalty --alpha 1e6
penalty --penalty 1e6
END
