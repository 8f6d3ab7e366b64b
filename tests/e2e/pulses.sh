#!/bin/sh
# What rises and falls within a step, as a function of a state, is not passed over, by no method: a bell,
# a branch without an event, a relation that holds for a moment. Nor do steps go back for what they have
# resolved. A relation at rest at zero in a stiff model is no event at each step.
# usage: pulses.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >pulses.mo <<'M'
model Pulses "each a millisecond wide, within ten seconds of nothing"
  Real x(start = 0, fixed = true) "time, which no term of time tells of";
  Real bell(start = 0, fixed = true), gate(start = 0, fixed = true), relation(start = 0, fixed = true),
    peaks(start = 0, fixed = true);
equation
  der(x) = 1;
  der(bell) = 1000*exp(-((x - 5.1237)/0.0005)^2);
  der(gate) = noEvent(if x > 7.0137 and x < 7.0147 then 1000 else 0);
  der(relation) = if exp(-((x - 3.3331)/0.001)^2) > 0.5 then 1000 else 0;
  der(peaks) = if sin(x)^100 > 0.999 then 1000 else 0;
end Pulses;
model Smooth "turns round within steps, and is resolved by them"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x/(1 + x^2) - 0.1*v^3/(1 + v^2) + 0.1*exp(-x^2);
end Smooth;
M
for method in ida esdirk dopri5 cvode; do
    "$rung" simulate pulses.mo --model Pulses --stop 10 --method $method -o $method.csv >log 2>&1 ||
        fail "$method: $(cat log)"
    python3 - $method <<'P' || fail "$method"
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1] + ".csv")))
end = dict(zip(rows[0], map(float, rows[-1])))
wide = 2*math.acos(0.999**0.01)
for name, value in (("bell", 0.5*math.sqrt(math.pi)), ("gate", 1), ("relation", 2*math.sqrt(math.log(2))),
                    ("peaks", 3000*wide)):
    assert abs(end[name] - value) < 1e-4*(1 + value), (sys.argv[1], name, end[name], value)
P
done

# what is resolved takes as many steps as it takes without a look: the run starts once
"$rung" simulate pulses.mo --model Smooth --stop 50 --method esdirk --format json -o smooth.csv >out 2>err ||
    fail "smooth: $(cat err)"
python3 - <<'P' || fail "smooth: $(cat out)"
import json
assert json.load(open("out"))["steps"] < 400
P

"$rung" simulate "$source/tests/bench/InitialValueProblems.mo" --model InitialValueProblems.Nand --method esdirk \
    --signals 'y[5]' -o nand.csv >log 2>&1 || fail "the gate: $(cat log)"
tail -n 1 nand.csv | awk -F, '{ d = $2 - 4.97083; exit !(d*d < 1e-8) }' || fail "the gate: $(tail -n 1 nand.csv)"

[ $failed -eq 0 ] && echo "no pulse is passed over"
exit $failed
