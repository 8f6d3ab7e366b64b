#!/bin/sh
# The library's tables, which are external C objects: linked, called, differentiated.
# usage: tables.sh RUNG
# MODELICAPATH names the library; without it nothing is run, and that is said.
rung=$(realpath "$1")
here=$(dirname "$0")
if ! "$rung" check --model Modelica.Blocks.Examples.Filter >/dev/null 2>&1; then
    echo "skipped: no Modelica Standard Library on MODELICAPATH"
    exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
XDG_CACHE_HOME=$dir/cache
export XDG_CACHE_HOME
# tables in files: text, CSV, MAT
cat >"$dir/Files.mo" <<'MO'
model Files
  Modelica.Blocks.Sources.CombiTimeTable txt(tableOnFile = true, tableName = "tab", fileName = "tab.txt", columns = {2, 3});
  Modelica.Blocks.Sources.CombiTimeTable csv(tableOnFile = true, tableName = "tab", fileName = "tab.csv", columns = {2, 3});
  Modelica.Blocks.Sources.CombiTimeTable mat(tableOnFile = true, tableName = "tab", fileName = "tab.mat", columns = {2, 3});
  Modelica.Blocks.Tables.CombiTable1Ds one(tableOnFile = true, tableName = "tab", fileName = "tab.txt", u = time);
  Modelica.Blocks.Tables.CombiTable2Ds two(tableOnFile = true, tableName = "map", fileName = "tab.txt", u1 = time, u2 = 0.5);
  Real line = if noEvent(time < 1) then 2*time else if noEvent(time < 2) then 2 else 4 - time;
  Real off[5] = {txt.y[1] - line, csv.y[1] - line, mat.y[1] - line, one.y[1] - line, two.y - 1.5 - time};
end Files;
MO
printf '#1\ndouble tab(4,3)\n0 0 1\n1 2 1\n2 2 5\n4 0 5\ndouble map(3,3)\n0 0 1\n0 1 2\n2 3 4\n' >"$dir/tab.txt"
printf '0,0,1\n1,2,1\n2,2,5\n4,0,5\n' >"$dir/tab.csv"
python3 - "$dir/tab.mat" <<'PY' || exit 1
import struct, sys
columns = [[0, 1, 2, 4], [0, 2, 2, 0], [1, 1, 5, 5]]
with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<5i", 0, 4, 3, 0, 4) + b"tab\0")
    f.write(struct.pack("<12d", *sum(columns, [])))
PY
(cd "$dir" && "$rung" simulate -q Files.mo --stop 3 --interval 0.125 -o files.csv >log 2>&1) || { cat "$dir/log"; exit 1; }
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /^"off\[/) at[++n] = k; next }
    { for (k = 1; k <= n; k++) { v = $at[k] < 0 ? -$at[k] : $at[k]; if (v > worst) worst = v } rows++ }
    END { printf "%d rows of %d values of tables in files, off by %.1e at most\n", rows, n, worst
          exit !(rows >= 25 && n == 5 && worst < 1e-12) }' "$dir/files.csv" || exit 1
"$rung" simulate -q "$here/Tables.mo" --stop 2 --interval 0.125 --tolerance 1e-8 -o "$dir/R.csv" || exit 1
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /^"off\[/) at[++n] = k; next }
    { for (k = 1; k <= n; k++) { v = $at[k] < 0 ? -$at[k] : $at[k]; if (v > worst) worst = v } rows++ }
    END { printf "%d rows of %d values, off by %.1e at most\n", rows, n, worst
          exit !(rows >= 17 && n == 5 && worst < 1e-6) }' "$dir/R.csv"
