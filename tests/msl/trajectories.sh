#!/bin/sh
# Trajectories of the library's multibody examples against published ones.
# usage: trajectories.sh RUNG REFERENCES [PATTERN]
#
# REFERENCES is a folder with NAME.csv or NAME.csv.gz, NAME being a model's last name; PATTERN a grep
# pattern for models. MODELICAPATH names the library; without it, or without references, nothing is
# run, and that is said. One line per model: inside or OUTSIDE, seconds from source to result, signals.
# Status 0 if all are inside.
rung=$1
references=$2
pattern=${3:-.}
root=Modelica.Mechanics.MultiBody.Examples
here=$(dirname "$0")
if ! "$rung" check --model $root.Elementary.Pendulum >/dev/null 2>&1; then
    echo "skipped: no Modelica Standard Library on MODELICAPATH"
    exit 0
fi
if [ ! -d "$references" ]; then
    echo "skipped: no folder of reference trajectories"
    exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
while read -r model options; do
    case $model in '' | '#'*) continue ;; esac
    echo "$model" | grep -q "$pattern" || continue
    name=${model##*.}
    rm -f "$dir/result.csv" "$dir/reference.csv"
    if [ -f "$references/$name.csv.gz" ]; then
        gzip -dc "$references/$name.csv.gz" >"$dir/reference.csv"
    else
        cp "$references/$name.csv" "$dir/reference.csv" || exit 1
    fi
    from=$(date +%s.%N)
    if "$rung" simulate --model "$root.$model" -o "$dir/result.csv" >"$dir/log" 2>&1; then
        took=$(awk -v a="$from" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }')
        # shellcheck disable=SC2086
        "$rung" compare "$dir/result.csv" "$dir/reference.csv" $options >"$dir/compared" 2>&1
        status=$?
    else
        took=-
        status=1
        grep -m 1 'rung:' "$dir/log" >"$dir/compared"
    fi
    if [ $status -eq 0 ]; then
        printf 'inside   %6s s  %s\n' "$took" "$model"
    else
        printf 'OUTSIDE  %6s s  %s\n' "$took" "$model"
        sed 's/^/    /' "$dir/compared" | head -5
        failed=1
    fi
done <"$here/trajectories.txt"
exit $failed
