#!/bin/sh
# The method where none is named: explicit where nothing is stiff, implicit where something is, and back; errors in
# units of the tolerance; steps that end where time makes a kink.
# usage: default_method.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
models=$source/tests/bench
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
  model Kinks "2,000 of them in time, without an event"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  equation
    der(x) = abs(sin(1000*time));
    der(y) = min(0.5, max(-0.5, sin(1000*time))) + noEvent(if sin(1000*time) < 0.3 then 0 else sin(1000*time) - 0.3);
  end Kinks;
end Own;
MO
# summary FILE MODEL OPTION...: method at the start and at the end, steps, rejected steps
summary() {
    file=$1
    model=$2
    shift 2
    "$rung" simulate "$file" --model "$model" --format json -o out.csv "$@" >out.json 2>err || fail "$model: $(cat err)"
    python3 -c '
import json
r = json.load(open("out.json"))
print(r["method"], r.get("later_method") or r["method"], r["steps"], r["rejected"])'
}
last() {
    tail -1 out.csv
}
# expect IS PATTERN WHAT
expect() {
    # shellcheck disable=SC2254
    case $1 in
    $2) ;;
    *) fail "$3: $1" ;;
    esac
}
expect "$(summary "$models/NonStiff.mo" NonStiff.Oscillator --stop 50)" 'esdirk dopri5 *' 'nothing is stiff'
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
# 318 half waves and the rest of one: x(1) = 318*2/1000 + (1 - cos(1000 - 318 pi))/1000
summary own.mo Own.Kinks --stop 1 --tolerance 1e-6 >line
[ "$(cut -d" " -f4 line)" -le 100 ] || fail "steps over kinks come back: $(cat line)"
python3 - <<'P' || fail "kinks: $(cat line) $(last)"
import csv
from math import acos, asin, cos, floor, pi
r = list(csv.reader(open("out.csv")))
last = dict(zip(r[0], map(float, r[-1])))
whole, rest = divmod(1000, pi)
assert abs(last["x"] - (2*whole + 1 - cos(rest))/1000) < 2e-5, last
def limited(a):  # of min(0.5, max(-0.5, sin)) from 0 to a <= pi
    b = asin(0.5)
    return 1 - cos(min(a, b)) + 0.5*max(0, min(a, pi - b) - b) + max(0, cos(pi - b) - cos(max(a, pi - b)))
def above(a):  # of max(0, sin - 0.3)
    b = asin(0.3)
    a = min(max(a, b), pi - b)
    return cos(b) - cos(a) - 0.3*(a - b)
whole = int(whole)
y = limited(pi)*(whole % 2) + (-1)**whole*limited(rest) + above(pi)*((whole + 1)//2) + (above(rest) if whole % 2 == 0 else 0)
assert abs(last["y"] - y/1000) < 2e-5, (last, y/1000)
P

# a method by name that makes short steps of which many fail says so once, and how many there are to come
cat >slips.mo <<'M'
model Slips
  Real v(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(v) = 0.1*time - tanh(v/1e-9);
  der(w) = 0.1*time - w/sqrt(w^2 + 1e-18);
  when time > 0.08 then
    terminate("enough");
  end when;
end Slips;
M
"$rung" simulate slips.mo --method dopri5 --stop 20 -o slips.csv >log 2>err || fail "slips: $(cat log err)"
grep -q 'at this pace the run takes [0-9.]*e+0[6-9] steps more; .*; der(v) jumps to and fro' err || fail "slips: $(cat log err)"
"$rung" simulate slips.mo --stop 20 -o slips.csv >log 2>err || fail "slips, by default: $(cat log err)"
grep -q 'at this pace' err && fail "slips, by default: $(cat err)"
exit $failed
