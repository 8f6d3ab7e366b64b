#!/bin/sh
# default_method.sh RUNG SOURCE: the method where none is named: explicit where nothing is stiff, implicit where something
# is, and back; errors in units of the tolerance; steps that end where time makes a kink.
set -u
rung=$1
models=$2/tests/bench
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
cat >own.mo <<'MO'
package Own
  model Bends "a function of time that bends at each event, which a when-clause announces"
    discrete Real knot(start = 0.001, fixed = true);
    Real x(start = 0, fixed = true), error = x - (0.5*0.001*1000 + 0.001*0.001*1000*0.5);
  equation
    der(x) = noEvent(if time < knot then (time - (knot - 0.001))/0.001 else 1 - 1000*(time - knot)) + (time - knot + 0.001);
    when time >= pre(knot) then
      knot = pre(knot) + 0.001;
    end when;
  end Bends;
  model Limited "40,000 kinks of a state that oscillates, all to one side"
    Real x(start = 0, fixed = true), v(start = 1, fixed = true), s(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -x;
    der(s) = abs(x);
  end Limited;
end Own;
MO
# summary FILE MODEL OPTION...: method, method at the end, changes, steps, rejected steps
summary() {
    file=$1
    model=$2
    shift 2
    "$rung" simulate "$file" --model "$model" --format json -o out.csv "$@" >out.json 2>err || fail "$model $*: $(cat err)"
    python3 -c '
import json
r = json.load(open("out.json"))
print(r["method"], r.get("later_method") or r["method"], r["steps"], r["rejected"])'
}
last() {
    tail -1 out.csv
}
expect() { # what it is, what it should be
    case $1 in
    $2) ;;
    *) fail "$3: $1" ;;
    esac
}
expect "$(summary "$models/NonStiff.mo" NonStiff.Turning --stop 50)" 'esdirk dopri5 *' 'nothing is stiff'
expect "$(summary "$models/InitialValueProblems.mo" InitialValueProblems.VanDerPol --stop 2000)" 'esdirk esdirk *' 'stiff'
grep -q '"method_changes": *[1-9]' out.json || fail "van der Pol never changes: $(cat out.json)"
expect "$(summary "$models/InitialValueProblems.mo" InitialValueProblems.Beam --stop 0.5 --tolerance 1e-6)" 'esdirk esdirk *' \
    'fast oscillations that nothing excites'
expect "$(summary "$models/NonStiff.mo" NonStiff.Turning --stop 50 --method ida)" 'ida ida *' 'a method that is named'
# errors of 500 periods at three tolerances
for tolerance in 1e-4 1e-6 1e-8; do
    summary "$models/NonStiff.mo" NonStiff.Oscillator --stop 3141.592653589793 --interval 3141.592653589793 --tolerance $tolerance >line
    last | python3 -c '
import sys
t, x, v = map(float, sys.stdin.read().split(",")[:3])
sys.exit(not (abs(x - 1) + abs(v) < 100*'$tolerance'))' || fail "oscillator at $tolerance: $(last)"
done
set -- $(summary own.mo Own.Bends --stop 1 --tolerance 1e-6)
[ "$4" -le 20 ] || fail "steps over known times come back $4 times"
[ "$3" -le 3000 ] || fail "steps to known times: $3"
python3 -c '
import csv
r = list(csv.reader(open("out.csv")))
assert abs(float(r[-1][r[0].index("error")])) < 1e-8, r[-1]' || fail "bends: error"
exit $failed
