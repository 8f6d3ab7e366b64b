#!/bin/sh
# What rises and falls within a step, as a function of states, is not passed over, by no method: a bell,
# a branch without an event, a relation that holds for a moment, an unknown of a nonlinear equation. Nor do steps go back for what they have
# resolved. A relation at rest at zero in a stiff model is no event at each step.
# Nor are conditions of several states without events, or of states and time. Steps of one length that do
# pass over something end with status 3.
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
model Windows "conditions without events that hold for a hundredth of the run or less"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), a(start = 1, fixed = true), b(start = 0, fixed = true),
    c(start = 1, fixed = true), d(start = 0, fixed = true);
  Real sum(start = 0, fixed = true), moving(start = 0, fixed = true), gap(start = 0, fixed = true),
    inverse(start = 0, fixed = true), first(start = 0, fixed = true);
equation
  der(x) = 0.6;
  der(y) = 0.4;
  der(a) = b;
  der(b) = -a;
  der(c) = 1.3*d;
  der(d) = -1.3*c;
  der(sum) = if noEvent(x + y > 5.013 and x + y < 5.015) then 1000 else 0;
  der(moving) = smooth(0, if noEvent(abs(x + 0.4*time - 7.31) < 0.001) then 1000 + a - a else 0);
  der(gap) = noEvent(if abs(a - c) < 1e-3 and time > 1 then 100*y else 0);
  der(inverse) = noEvent(if x*y < 0.24*1.7^2 or x*y > 0.24*1.71^2 then 1 else 0);
  der(first) = noEvent(if x + y > 0.011 and x + y < 0.012 then 1000 else 0);
end Windows;
model Several "narrow functions of several states, of states and time, and of unknowns of equations that are not linear"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true), a(start = 0), b, p(start = 0);
  Real sum(start = 0, fixed = true), moving(start = 0, fixed = true), plane(start = 0, fixed = true),
    quotient(start = 0, fixed = true), joined(start = 0, fixed = true), relation(start = 0, fixed = true),
    solved(start = 0, fixed = true), gate(start = 0, fixed = true), behind(start = 0, fixed = true);
equation
  der(x) = 0.6;
  der(y) = 0.4;
  der(z) = -0.9;
  a^3 + a = x + y;
  b = 2*a;
  p + 0.001*p^3 = exp(-((x - y - 1.2345)/1e-4)^2);
  der(sum) = 1000*exp(-((x + y - 5.1237)/1e-3)^2);
  der(moving) = 1000*exp(-((x + 0.5*time - 6.28)/1e-3)^4);
  der(plane) = 1000*exp(-((x - 2.4)^2 + (y - 1.6)^2)/1e-6);
  der(quotient) = 1/(1e-3 + 1e3*(x - z - 7.531)^2);
  der(joined) = 500*(tanh((x + y - 6.05)/1e-4) - tanh((x + y - 6.051)/1e-4));
  der(relation) = if exp(-((y - z - 3.3331)/1e-3)^2) > 0.5 then 1000 else 0;
  der(solved) = 1000*exp(-((b - 3)/2e-3)^2);
  der(gate) = noEvent(if a > 1.2 and a < 1.201 then 1000 else 0);
  der(behind) = 1000*p;
end Several;
model Bell "for steps of one length"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), q(start = 0, fixed = true);
  parameter Real of_time = 0, of_states = 0, wide = 1e-3;
equation
  der(x) = 0.6;
  der(y) = 0.4;
  der(q) = of_time*exp(-((time - 5.1237)/wide)^2) + of_states*exp(-((x + y - 5.1237)/wide)^2);
end Bell;
model Resting "the condition comes to rest at its limit, where the errors of the states decide"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = -x - y;
  der(y) = -9*(x + y);
  der(z) = noEvent(if x + y < 0 then -x - y else 0);
end Resting;
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

# the time of each pulse, by the rate of what moves through it
for method in ida esdirk dopri5 cvode; do
    "$rung" simulate pulses.mo --model Several --stop 10 --method $method --interval 5 -o s.csv >log 2>&1 ||
        fail "several, $method: $(cat log)"
    python3 - $method <<'P' || fail "several, $method"
import csv, math, sys
rows = list(csv.reader(open("s.csv")))
end = dict(zip(rows[0], map(float, rows[-1])))
bell = math.sqrt(math.pi)
cubic = lambda a: a**3 + a
expected = {"sum": bell, "moving": 2*math.gamma(1.25)/1.1, "plane": bell/math.hypot(0.6, 0.4),
            "quotient": (math.atan(7469) + math.atan(7531))/1.5, "joined": 1, "relation": 2*math.sqrt(math.log(2))/1.3,
            "solved": bell*(3*1.5**2 + 1), "gate": 1000*(cubic(1.201) - cubic(1.2)),
            "behind": 0.1*bell/0.2*(1 - 1e-3/math.sqrt(3) + 3e-6/math.sqrt(5))}
for name, value in expected.items():
    assert abs(end[name] - value) < 1e-4*(1 + value), (sys.argv[1], name, end[name], value)
P
done

# gap: two cosines that are equal at multiples of 2*pi/2.3
for method in ida esdirk dopri5 cvode; do
    for tolerance in 1e-4 1e-6 1e-8; do
        "$rung" simulate pulses.mo --model Windows --stop 10 --tolerance $tolerance --method $method --interval 5 -o w.csv \
            >log 2>&1 || fail "windows, $method: $(cat log)"
        python3 - $method $tolerance <<'P' || fail "windows, $method, $tolerance"
import csv, math, sys
tolerance = float(sys.argv[2])
rows = list(csv.reader(open("w.csv")))
end = dict(zip(rows[0], map(float, rows[-1])))
def edge(t, sign):
    """the end of the time around t in which the cosines are closer than 1e-3"""
    low, high = t, t + sign*0.05
    for _ in range(60):
        middle = (low + high)/2
        inside = abs(math.cos(middle) - math.cos(1.3*middle)) < 1e-3
        low, high = (middle, high) if inside else (low, middle)
    return low
gap = sum(20*(edge(t, 1)**2 - edge(t, -1)**2) for t in (2*math.pi*k/2.3 for k in (1, 2, 3)))
expected = {"sum": 2, "moving": 2, "inverse": 9.99, "first": 1, "gap": gap}
for name, value in expected.items():
    assert abs(end[name] - value) < 1e3*tolerance*(1 + value), (sys.argv, name, end[name], value)
P
    done
done
# steps of one length end with status 3 where they have passed over something, and not where they resolve it
for model in Windows 'Bell(of_time=1000)' 'Bell(of_states=1000)'; do
    for method in rk4 trapezoid euler bdf; do
        "$rung" simulate pulses.mo --model "$model" --stop 10 --method $method --step 0.3 -o w.csv >log 2>&1
        [ $? -eq 3 ] || fail "$method, $model: no status 3: $(cat log)"
        grep -q 'warning: t = [0-9.]*: a pulse or a condition under noEvent rises and falls inside a step' log &&
            grep -q '[0-9] steps passed over a pulse or a condition under noEvent' log ||
            fail "$method, $model: no warning: $(cat log)"
    done
done
"$rung" simulate pulses.mo --model 'Bell(of_states=1, of_time=1, wide=0.5)' --stop 10 --method rk4 --step 0.05 -o w.csv \
    >log 2>&1 || fail "rk4, wide: $(cat log)"
"$rung" simulate pulses.mo --model Windows --stop 10 --method rk4 --step 0.0001 -o w.csv >log 2>&1 || fail "rk4: $(cat log)"
grep -q 'rises and falls' log && fail "rk4, short steps: $(cat log)"
for method in ida esdirk; do
    "$rung" simulate pulses.mo --model Resting --stop 50 --method $method --format json -o r.csv >out 2>err ||
        fail "resting, $method: $(cat err)"
    python3 -c 'import json; assert json.load(open("out"))["steps"] < 1000' || fail "resting, $method: $(cat out)"
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
