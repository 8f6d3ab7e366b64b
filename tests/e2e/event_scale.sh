#!/bin/sh
# An event costs what takes part in it: with four times as many clauses and as many more events the
# values that are found at events, which `rung simulate` counts, are about four times as many, not
# sixteen. What comes out is what the clauses say.
# usage: event_scale.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >scale.mo <<'M'
model Timers "each at a time of its own"
  parameter Integer n = 10;
  discrete Real y[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    when time >= i/n then
      y[i] = pre(y[i]) + i;
    end when;
  end for;
end Timers;
model Sampled "periods and a state that all read"
  parameter Integer n = 10;
  discrete Real y[n](each start = 0, each fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  for i in 1:n loop
    when sample(i/n, 2) then
      y[i] = pre(y[i]) + x;
    end when;
  end for;
end Sampled;
model Next "each sets the time of the next, and a counter that another one watches"
  parameter Integer n = 10;
  discrete Real next[n](start = {i/n for i in 1:n}, each fixed = true);
  Integer y[n](each start = 0, each fixed = true);
  Boolean twice[n](each start = false, each fixed = true);
equation
  for i in 1:n loop
    when time >= pre(next[i]) then
      next[i] = pre(next[i]) + 0.45;
      y[i] = pre(y[i]) + 1;
    end when;
    when change(y[i]) and y[i] == 2 then
      twice[i] = true;
    end when;
  end for;
end Next;
model Restarts "reinit of a state each, of what is found at that time"
  parameter Integer n = 10;
  Real y[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    der(y[i]) = 0;
    when time >= i/n then
      reinit(y[i], i*time);
    end when;
  end for;
end Restarts;
model Levels "that a state passes, all of them looked at"
  parameter Integer n = 10;
  Real x(start = 0, fixed = true);
  discrete Real y[n](each start = 0, each fixed = true);
equation
  der(x) = 1;
  for i in 1:n loop
    when x > i/n then
      y[i] = time;
    end when;
  end for;
end Levels;
model Curved "that a curve passes; those of the second half are let go by an event"
  parameter Integer n = 10;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  discrete Real y[n](each start = 0, each fixed = true);
  Boolean go(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > 0.3 then
    go = true;
  end when;
  for i in 1:n loop
    when x*(2 + v) > 2*i/n + (if go or 2*i < n then 0 else 10) then
      y[i] = time;
    end when;
  end for;
end Curved;
M
values() { # MODEL N [METHOD]
    "$rung" simulate scale.mo --model "$1(n=$2)" ${3:+--method "$3"} --stop 1.001 --interval 0.5 --format json \
        -o "$1$2.csv" | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["event_values"], r["events"])'
}
for m in Timers Next; do
    few=$(values $m 200) && many=$(values $m 800) || fail "$m: run"
    echo "$few $many" | awk '{ if (!($3 < 6*$1 && $2 >= 200 && $4 >= 800)) { print; exit 1 } }' ||
        fail "$m: work"
done
values Sampled 800 >/dev/null || fail "Sampled: run"
values Restarts 200 >/dev/null || fail "Restarts: run"
# where an event is known to be, few looks tell that nothing happened before
few=$(values Levels 300) || fail "Levels: run"
echo "$few" | awk '{ if (!($1 < 16*300*$2 && $2 >= 300)) { print; exit 1 } }' || fail "Levels: work"
# most relations stay for a step, and are looked at once; or at each event, where it has small parts
# (ida, whose steps are short: a step in which most relations change has none that stay)
few=$(values Curved 300 ida) && many=$(values Curved 1200 ida) || fail "Curved: run"
echo "$few $many" | awk '{ if (!(($3 < 9*$1 || $3 < 1200*$4) && $2 >= 200 && $4 >= 800)) { print; exit 1 } }' ||
    fail "Curved: work"
python3 - <<'P' || fail "what comes out"
import csv
def last(name):
    rows = list(csv.reader(open(name + ".csv")))
    return {k: float(v) for k, v in zip(rows[0], rows[-1])}
for n in (200, 800):
    y = last("Timers%d" % n)
    assert all(y["y[%d]" % i] == i for i in range(1, n + 1))
    y = last("Next%d" % n)
    times = [sum(i/n + k*0.45 <= 1.001 for k in range(9)) for i in range(n + 1)]
    assert all(y["y[%d]" % i] == times[i] for i in range(1, n + 1))
    assert all(y["twice[%d]" % i] == (times[i] >= 2) for i in range(1, n + 1))
y = last("Sampled800")
assert all(abs(y["y[%d]" % i] - i/800) < 1e-9 for i in range(1, 801))
y = last("Levels300")
assert all(abs(y["y[%d]" % i] - i/300) < 1e-6 for i in range(1, 301))
import math
for n in (300, 1200):
    y = last("Curved%d" % n)
    for i in range(1, n + 1):
        a, b = 0, 1.2
        for _ in range(60):
            t = (a + b)/2
            a, b = (a, t) if math.sin(t)*(2 + math.cos(t)) > 2*i/n else (t, b)
        t = max(a, 0 if 2*i < n else math.asin(0.3))
        assert abs(y["y[%d]" % i] - (t if t < 1.001 else 0)) < 2e-5, (n, i, t, y["y[%d]" % i])
y = last("Restarts200")
assert all(abs(y["y[%d]" % i] - i*i/200) < 1e-9 for i in range(1, 201))
P
exit $failed
