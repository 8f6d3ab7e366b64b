#!/bin/sh
# Small states count: what a state moves, and its start value, say how large it is where it has no
# nominal value. A model in other units gives the same digits to the tolerance, with each method.
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
    for unit in $units; do
        python3 - $unit <<'PY' || fail "Ring, $method: other digits in units of $unit"
import csv, sys
a, b = (list(csv.DictReader(open(f"ring.{u}.csv"))) for u in ("1", sys.argv[1]))
worst = max(abs(float(p[k]) - float(q[k])) for p, q in zip(a, b) for k in ("y", "z"))
sys.exit(not (len(a) == len(b) and worst < 1e-5))
PY
    done
done
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
