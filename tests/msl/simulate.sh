#!/bin/sh
# Simulates many models of a library, each for its experiment, and tells where those end that do not run.
# usage: simulate.sh RUNG TABLE [PATTERN]
#
# TABLE is a CSV whose first column is a model; PATTERN a grep pattern for models. MODELICAPATH names the
# library, JOBS the processes at once, SECONDS_EACH the limit for each model, REFERENCES a folder of published
# trajectories: A/B/C/C.csv for the model A.B.C. One line per model, by name:
#   inside|outside|runs|translate|build|start|stops|slow|crash  seconds  model  first error
# and at the end the errors by frequency, without names and numbers, and the numbers of each kind:
# inside, outside: it runs, and its trajectory is inside the tube around the published one or is not; runs: there is
# none to compare with; translate: a diagnostic; build: the C compiler or linker; start: no consistent start; stops:
# the run ended early; slow: the limit was reached.
rung=$1
table=$2
pattern=${3:-.}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat >"$dir/one" <<'END_ONE'
#!/bin/sh
# usage: one RUNG LIMIT DIR MODEL
ulimit -v 6000000
from=$(date +%s.%N)
timeout "$2" nice "$1" simulate --model "$4" --progress none --diagnostics=json -o "$3/$4.csv" >"$3/$4.out" 2>"$3/$4.err"
status=$?
took=$(awk -v a="$from" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
why=$(grep -m 1 '"severity": *"error"' "$3/$4.err" |
    sed 's/.*"code": *"\([A-Z0-9]*\)".*"message": *"\(.*\)"[^"]*$/\1 \2/' | cut -c 1-200)
[ -n "$why" ] || why=$(grep -m 1 '^rung: ' "$3/$4.err" | cut -c 1-200)
case $status in
    0) kind=runs why= ;;
    124) kind=slow why= ;;
    1) kind=translate; grep -q '"severity": *"error"' "$3/$4.err" || kind=start ;;
    3) kind=stops ;;
    4) kind=build ;;
    *) kind=crash; why="status $status $why" ;;
esac
reference=$REFERENCES/$(echo "$4" | tr . /)/${4##*.}.csv
if [ $kind = runs ] && [ -f "$reference" ]; then
    kind=inside
    timeout "$2" nice "$1" compare -q "$3/$4.csv" "$reference" >"$3/$4.cmp" 2>&1 || {
        kind=outside
        why=$(grep -m 1 FAIL "$3/$4.cmp" || head -1 "$3/$4.cmp")
    }
fi
rm -f "$3/$4.csv"
printf '%s\t%s\t%s\t%s\n' "$kind" "$took" "$4" "$why" >"$3/$4.line"
END_ONE
chmod +x "$dir/one"

sed 1d "$table" | cut -d, -f1 | grep "$pattern" |
    xargs -P "${JOBS:-2}" -L 1 "$dir/one" "$rung" "${SECONDS_EACH:-60}" "$dir"
cat "$dir"/*.line | sort -t '	' -k 3 >"$dir/all"
cat "$dir/all"
echo
echo "errors without names and numbers:"
awk -F '\t' '$1 != "runs" && $1 != "inside" { print $1 ": " $4 }' "$dir/all" |
    sed "s/'[^']*'/'..'/g; s/[0-9][-+.0-9e]*/#/g" | sort | uniq -c | sort -rn | head -60
awk -F '\t' '{ n[$1]++ } END { for (k in n) printf "%s %d\n", k, n[k] }' "$dir/all"
