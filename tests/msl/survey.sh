#!/bin/sh
# Flat sizes of many models of a library against a table of known ones.
# usage: survey.sh RUNG TABLE [PATTERN]
#
# TABLE is a CSV whose first two columns are a model and its number of scalar equations; PATTERN
# a grep pattern for models. MODELICAPATH names the library, JOBS the processes at once, SECONDS_EACH
# the limit for each model. A model whose number differs is tried on the library OLDER, too, if that
# names one. One line per model, by name:
#   same|older|differs|fails  rung's number  the table's  model  first error
# and at the end the errors by frequency and the numbers of each kind. Status 0 if all are the same.
rung=$1
table=$2
pattern=${3:-.}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat >"$dir/one" <<'END'
#!/bin/sh
# usage: one RUNG LIMIT DIR MODEL NUMBER
ulimit -v 4000000
timeout "$2" "$1" check --format json --diagnostics=json --model "$4" >"$3/$4.out" 2>"$3/$4.err"
status=$?
got=$(sed -n 's/.*"equations": \([0-9]*\).*/\1/p' "$3/$4.out")
older=
if [ "$got" != "$5" ] && [ -n "$OLDER" ]; then
    older=$(MODELICAPATH=$OLDER timeout "$2" "$1" check --format json --model "$4" 2>"$3/$4.err2" |
        sed -n 's/.*"equations": \([0-9]*\).*/\1/p')
fi
if [ "$got" = "$5" ]; then kind=same; elif [ "$older" = "$5" ]; then kind=older; elif [ -n "$got" ]; then kind=differs; else kind=fails; fi
why=$(grep -m 1 '"severity": *"error"' "$3/$4.err" |
    sed 's/.*"code": *"\([A-Z0-9]*\)".*"message": *"\(.*\)"[^"]*$/\1 \2/' | cut -c 1-160)
[ $status -gt 1 ] && why="status $status $why"
printf '%s\t%s\t%s\t%s\t%s\n' "$kind" "${got:--}" "$5" "$4" "$why" >"$3/$4.line"
END
chmod +x "$dir/one"

sed 1d "$table" | grep "$pattern" | awk -F, '{ print $1, $2 }' |
    xargs -P "${JOBS:-2}" -L 1 "$dir/one" "$rung" "${SECONDS_EACH:-60}" "$dir"
cat "$dir"/*.line | sort -t '	' -k 4 >"$dir/all"
cat "$dir/all"
echo
echo "errors where there is no number, without names:"
awk -F '\t' '$1 == "fails" { print $5 }' "$dir/all" | sed "s/'[^']*'/'..'/g" | sort | uniq -c |
    sort -rn | head -40
awk -F '\t' '{ n[$1]++ }
    END {
        printf "%d same, %d same on the older library, %d differ, %d fail\n", n["same"], n["older"],
            n["differs"], n["fails"]
    }' "$dir/all"
[ "$(awk -F '\t' '$1 != "same" && $1 != "older"' "$dir/all" | wc -l)" -eq 0 ]
