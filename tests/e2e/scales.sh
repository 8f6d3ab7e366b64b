#!/bin/sh
# Small states count: what a state moves, and its start value, say how large it is where it has no
# nominal value; else what it can reach in the run. A model in other units gives the same digits to the tolerance,
# with each method. Rounding is no small state.
# usage: scales.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
model Charge "1 pF charged over 1 GOhm, in units of `unit` coulomb"
  parameter Real unit = 1;
  parameter Real C = 1e-12/unit;
  Real q(start = 0, fixed = true), v = q/C, i;
  output Real exact = 1 - exp(-time/1e-3), gap = abs(v - exact);
equation
  der(q) = i;
  1e9*i*unit = 1 - v;
  annotation(experiment(StopTime = 5e-3));
end Charge;
model Ring "LC with a nonlinear capacitor, a resistor and a source, in units of charge"
  parameter Real unit = 1;
  Real q(start = 0, fixed = true), j(start = 0, fixed = true), v = q*unit/1e-9, i = j*unit;
  output Real y = v/10, z = i*1e3;
equation
  der(q) = j;
  1e-3*der(j)*unit = 10 - v - 0.001*v^3 - 200*i;
  annotation(experiment(StopTime = 5e-5));
end Ring;
model Begins "a start value says the size; what decays does so in parts of it"
  parameter Real unit = 1;
  Real x(start = 1e-9, fixed = true);
  output Real gap = abs(x/1e-9 - exp(-time)), y = unit*x;
equation
  der(x) = -x;
  annotation(experiment(StopTime = 5));
end Begins;
model Named "the nominal value of an alias"
  Real x(start = 0, fixed = true), y(nominal = 1e-9) = x;
  output Real gap = abs(x/1e-9 - sin(time));
equation
  der(x) = 1e-9*cos(time);
  annotation(experiment(StopTime = 20));
end Named;
model Tiny "of a size that only its derivative tells"
  Real q(start = 0, fixed = true);
  output Real gap = abs(q/1e-15 - (1 - cos(time)));
equation
  der(q) = 1e-15*sin(time);
  annotation(experiment(StopTime = 100));
end Tiny;
model Slow "two states that only each other tells"
  Real q(start = 0, fixed = true), i(start = 0, fixed = true);
  output Real gap = abs(q/1e-13 - (1 - cos(time))) + abs(i/1e-13 - sin(time));
equation
  der(q) = i;
  der(i) = 1e-13 - q;
  annotation(experiment(StopTime = 20));
end Slow;
model Late "driven behind an event of an ordinary state"
  Real x(start = 0, fixed = true), q(start = 0, fixed = true);
  output Real gap = abs(q/1e-15 - (if x < 5 then 0 else sin(time - 5)));
equation
  der(x) = 1;
  der(q) = if x < 5 then 0 else 1e-15*cos(x - 5);
  annotation(experiment(StopTime = 25));
end Late;
model Curved "a charge that is no linear function of its voltage"
  Real q, v(start = 0, fixed = true);
  output Real gap = abs(time*1e3 + v^2/2 + v + 2*log(1 - v));
equation
  q = 1e-12*(v + v^3/3);
  der(q) = (1 - v)/1e9;
  annotation(experiment(StopTime = 5e-3));
end Curved;
model Logistic "small at the start, large later"
  parameter Real a0 = 1e-30;
  Real a(start = a0, fixed = true), b(start = 1e-30, fixed = true);
  output Real gap = abs(a - 1/(1 + exp(69.07755278982137 - time))) + abs(b - a);
equation
  der(a) = a*(1 - a);
  der(b) = b*(1 - b);
  annotation(experiment(StopTime = 100));
end Logistic;
model Rounding "the second pair is moved by rounding alone, and begins with its length"
  Real x(start = 1, fixed = true), v(start = 0.3, fixed = true), z(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -sin(x);
  der(z) = w;
  der(w) = log(exp(x)) - x - z;
  annotation(experiment(StopTime = 50));
end Rounding;
model AtRest "likewise, from rest at zero, where states have no digits yet; the first pair is an ordinary one"
  parameter Real a = 0.7;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), z(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -9.81*cos(x);
  der(z) = w;
  der(w) = 1e3*(log(exp(x + a)) - x - a);
  annotation(experiment(StopTime = 1));
end AtRest;
model Crosses "two small states that become equal: the time of the event hangs on their size alone"
  Real x(start = 1e-6, fixed = true), y(start = 0, fixed = true);
  discrete Real at(start = 0.5, fixed = true);
  output Real gap = abs(at - 0.5);
equation
  der(x) = -1e-6;
  der(y) = 1e-6;
  when x - y < 0 then
    at = time;
  end when;
  annotation(experiment(StopTime = 5));
end Crosses;
model Unseen "what a small state moves may be large, and is not"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = z - 1e12*x;
  der(y) = x - y;
  der(z) = -z;
  annotation(experiment(StopTime = 10));
end Unseen;
MO
# worst MODEL BOUND OPTIONS...: the largest gap
worst() {
    model=$1 bound=$2
    shift 2
    "$rung" simulate m.mo --model "$model" "$@" -o r.csv >out 2>err || fail "$model $*: $(cat err)"
    python3 - "$bound" >gap <<'PY' || fail "$model $*: $(cat gap)"
import csv, sys
worst = max(float(row["gap"]) for row in csv.DictReader(open("r.csv")))
print("gap", worst)
sys.exit(not worst <= float(sys.argv[1]))
PY
}
units='1e-15'
large && units='1e-12 1e-15 1e3'
for method in ida dopri5 cvode esdirk; do
    for unit in 1 $units; do
        worst Charge 1e-5 --method $method --set unit=$unit
        large && worst Charge 1e-7 --method $method --set unit=$unit --tolerance 1e-9
        "$rung" simulate m.mo --model Ring --method $method --set unit=$unit --tolerance 1e-7 \
            -o "ring.$unit.csv" >out 2>err || fail "Ring, $method: $(cat err)"
    done
    worst Begins 1e-4 --method $method
    worst Named 1e-4 --method $method
    for model in Tiny Slow Late; do
        worst $model 1e-3 --method $method
        worst $model 1e-5 --method $method --tolerance 1e-9
    done
    worst Curved 1e-4 --method $method
    worst Crosses 1e-7 --method $method
    worst Logistic 1e-3 --method $method
    for unit in $units; do
        python3 - $unit <<'PY' || fail "Ring, $method: other digits in units of $unit"
import csv, sys
a, b = (list(csv.DictReader(open(f"ring.{u}.csv"))) for u in ("1", sys.argv[1]))
worst = max(abs(float(p[k]) - float(q[k])) for p, q in zip(a, b) for k in ("y", "z"))
sys.exit(not (len(a) == len(b) and worst < 1e-5))
PY
    done
done
# steps of rounding would be short; and it is not told as if it were a state that is not seen
"$rung" simulate m.mo --model Rounding --method esdirk --format json -o r.csv >out 2>err || fail "Rounding: $(cat err)"
python3 -c 'import json; assert json.load(open("out"))["steps"] < 500' || fail "Rounding: $(cat out)"
grep -q 'below' out err && fail "Rounding: $(cat out err)"
for method in esdirk dopri5; do
    "$rung" simulate m.mo --model AtRest --method $method --tolerance 1e-8 --format json -o r.csv >out 2>err ||
        fail "AtRest: $(cat err)"
    python3 -c 'import json; assert json.load(open("out"))["steps"] < 200' || fail "AtRest, $method: $(cat out)"
done
"$rung" simulate m.mo --model Unseen -o r.csv >out 2>err || fail "Unseen: $(cat err)"
grep -q "2 states stayed below their tolerances, the first is 'x'" out || fail "Unseen: $(cat out err)"
# a C library estimates the error of a step by the same sizes: one over five time constants is wrong by
# some percent, and says so
"$rung" compile -q m.mo --model 'Charge(C = 1e-12)' --kind library -o charge >out 2>err || fail "charge: $(cat err)"
cat >step.c <<'END'
#include "Charge.h"
#include <math.h>
#include <stdio.h>
static Charge_Instance m;
int main(void)
{
    double x[Charge_N_STATES], error = 0;
    Charge_defaults(&m);
    if (Charge_init(&m, 0, x) || Charge_step(&m, 0, 5e-3, x, &error))
        return 1;
    double off = fabs(x[0] / 1e-12 - 1 + exp(-5));
    printf("off by %g, estimated %g\n", off, error);
    return !(off > 1e-6 && error > off / 100);
}
END
${CC:-cc} -std=c11 -O0 -Icharge step.c charge/Charge*.c -lm -o step >out 2>&1 && ./step >out 2>&1 || fail "a C library: $(cat out)"
exit $failed
