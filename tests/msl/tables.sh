#!/bin/sh
# The library's tables, which are external C objects: linked, called, differentiated.
# usage: tables.sh RUNG
# MODELICAPATH names the library; without it nothing is run, and that is said.
rung=$1
here=$(dirname "$0")
if ! "$rung" check --model Modelica.Blocks.Examples.Filter >/dev/null 2>&1; then
    echo "skipped: no Modelica Standard Library on MODELICAPATH"
    exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$rung" simulate -q "$here/Tables.mo" --stop 2 --interval 0.125 --tolerance 1e-8 -o "$dir/R.csv" || exit 1
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /^"off\[/) at[++n] = k; next }
    { for (k = 1; k <= n; k++) { v = $at[k] < 0 ? -$at[k] : $at[k]; if (v > worst) worst = v } rows++ }
    END { printf "%d rows of %d values, off by %.1e at most\n", rows, n, worst
          exit !(rows >= 17 && n == 5 && worst < 1e-6) }' "$dir/R.csv"
