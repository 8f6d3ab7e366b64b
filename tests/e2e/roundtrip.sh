#!/bin/sh
# A flat model that `rung flatten` writes is a model: read back, it gives the same values.
# usage: roundtrip.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
for model in DoublePendulum 'AlternatingPendulumGeneral(n=3)' 'MultiPendulum(depth=3)' TorsionPendulum \
    SpringPendulum DrivenArm PushedBody UniversalPendulum CylindricalJoint; do
    case $model in Driven* | Cyl*) ;; *) large || continue ;; esac
    name="Linkage.Examples.$model"
    class=${name%%(*}
    flat="'$class'.'$class'"
    if ! "$rung" flatten --model "$name" >"$dir/flat.mo" 2>"$dir/log" ||
        ! "$rung" simulate "$dir/flat.mo" --model "$flat" --stop 0.5 -o "$dir/flat.csv" >"$dir/log" 2>&1 ||
        ! "$rung" simulate --model "$name" --stop 0.5 -o "$dir/whole.csv" >"$dir/log" 2>&1; then
        cat "$dir/log"
        echo "FAILED: $name"
        failed=1
        continue
    fi
    # columns by name, since their order may differ; relative to the larger of the value and one unit
    if ! awk -v name="$name" '
        # cells of a line, commas inside quotes are no separators
        function split_row(line, cell,   n, i, c, quoted) {
            n = 1; cell[1] = ""
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) cell[++n] = ""
                else cell[n] = cell[n] c
            }
            return n
        }
        FNR == 1 { n = split_row($0, head); next }
        { last[FILENAME] = $0; count[FILENAME] = n; for (i = 1; i <= n; i++) {
            gsub(/\047/, "", head[i]) # in a flat model all names are quoted
            title[FILENAME, i] = head[i]
        } }
        END {
            a = ARGV[1]; b = ARGV[2]
            n = split_row(last[a], x); for (i = 1; i <= n; i++) value[title[a, i]] = x[i]
            m = split_row(last[b], y)
            for (i = 1; i <= m; i++) {
                if (!((b, i) in title) || !(title[b, i] in value)) { print title[b, i] " is new"; exit 1 }
                d = y[i] - value[title[b, i]]; if (d < 0) d = -d
                s = y[i] < 0 ? -y[i] : y[i]; if (s < 1) s = 1
                if (!(d <= worst*s)) worst = d/s
            }
            printf "%s: %d columns, largest difference %.1e\n", name, m, worst
            exit !(n == m && n > 1 && worst <= 1e-6)
        }' "$dir/whole.csv" "$dir/flat.csv"; then
        echo "FAILED: $name"
        failed=1
    fi
done
# Dumps of passes say besides what flat Modelica cannot: from there on all is as from the model itself,
# operation by operation. `loops` is in the dumps only while they are whole.
while read -r name passes; do
    "$rung" count --format json --model "$name" | sed 's/"model": "[^"]*"//' >whole.json
    grep -q '"taken": true' whole.json || fail "count of $name"
    for pass in $passes; do
        "$rung" -d "$pass" --model "$name" >dump.mo || fail "the dump of $name after $pass"
        "$rung" -d "$pass" dump.mo | grep -v '^//' >again.mo
        grep -v '^//' dump.mo | cmp -s again.mo || fail "$name: the dump after $pass is another one when read back"
        "$rung" count --format json dump.mo | sed 's/"model": "[^"]*"//' >again.json
        cmp -s whole.json again.json || fail "$name: other operations from the dump after $pass"
    done
done <<EOF
Linkage.Examples.AlternatingPendulum(n=3) flatten alias reduce
Linkage.Examples.MultiPendulum(depth=2) flatten reduce
Linkage.Benchmarks.SpatialFourBar flatten der
Linkage.Benchmarks.CarAxis flatten reduce
EOF
# States of state machines as well: their equations hold while they are active.
for name in StateMachines SuspendedIntegration; do
    "$rung" flatten "$source/tests/sim/language/$name.mo" --model "$name" >dump.mo 2>log || fail "$name: $(cat log)"
    "$rung" flatten dump.mo 2>log | cmp -s dump.mo - || fail "$name: flattened twice it is another one"
    "$rung" simulate -q "$source/tests/sim/language/$name.mo" --model "$name" --stop 20 -o whole.csv 2>log &&
        "$rung" simulate -q dump.mo --stop 20 -o flat.csv 2>log || fail "$name: $(cat log)"
    "$rung" compare flat.csv whole.csv --tolerance 1e-9 >log || fail "$name: $(grep FAIL log)"
done
sed 's/state = 1/state = 9/' dump.mo >wrong.mo
"$rung" flatten wrong.mo >log 2>&1 && fail "a state that there is not"
grep -q F08 log || fail "a state that there is not: $(cat log)"
exit $failed
