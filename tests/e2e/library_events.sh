#!/bin/sh
# rung compile --kind single-file and embedded of models with events, assertions and pivots that
# vanish: their numbers against those of `rung simulate`, their statuses and what they say.
# usage: library_events.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cc="${CC:-cc} -std=c11 -O0 -Wall -Wextra -Wconversion -Wpedantic -Werror"

# a ball that bounces, sampled by a controller that holds a force, until the model ends the run
cat >ball.mo <<'MO'
model Ball
  parameter Real e = 0.7 "restitution", stop = 2.5;
  input Real wind(start = 0);
  output Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  output Integer bounces(start = 0, fixed = true), level;
  output Real hold(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 + hold + wind;
  level = integer(10*h);
  when h <= 0 then
    bounces = pre(bounces) + 1;
    reinit(v, -e*pre(v));
  end when;
  when sample(0, 0.13) then
    hold = if v < 0 then 1 else 0;
  end when;
  when time >= stop then
    terminate("enough");
  end when;
end Ball;
MO
"$rung" simulate ball.mo --stop 2 --interval 2 --tolerance 1e-11 -q -o ball.csv || fail "ball: run"
"$rung" compile ball.mo --kind single-file -q -o ball && "$rung" compile ball.mo --kind embedded -q -o small &&
    "$rung" compile ball.mo --kind embedded --real float -q -o float || fail "ball: compile"
cat >ball.c <<'END'
#include "Ball.h"
#include <stdio.h>
#ifndef REAL
#define REAL double
#endif
static Ball_Instance m;
int main(void)
{
    REAL x[Ball_N_STATES], y[Ball_N_OUTPUTS], error, at;
    int k, status;
    Ball_defaults(&m);
    status = Ball_init(&m, 0, x);
    for (k = 0; k < 100 && !status; k++)
        status = Ball_step(&m, (REAL)k / 50, (REAL)1 / 50, x, &error);
    status = status || Ball_outputs(&m, 2, x, y);
    for (k = 0; k < (int)Ball_N_OUTPUTS; k++)
        printf("%.9g ", (double)y[k]);
    at = Ball_next_event(&m);
    printf("%.6g %d ", (double)at, Ball_has_ended(&m));
    /* steps end with the model */
    for (k = 100; k < 200 && !status; k++)
        status = Ball_step(&m, (REAL)k / 50, (REAL)1 / 50, x, &error);
    printf("%d %d\n", Ball_has_ended(&m), status);
    return status;
}
END
for kind in ball small float; do
    real=double
    [ $kind = float ] && real=float
    $cc -DREAL=$real -I$kind -o $kind.run ball.c $kind/Ball.c -lm && ./$kind.run >$kind.txt || fail "ball: $kind"
done
nm -u small.run 2>/dev/null | grep -E 'malloc|calloc' && fail "embedded events take a heap"

# a relation that holds for a fourteenth of a step is searched for on the dense output, as in a run;
# an event that changes no derivative leaves the step as it is
cat >crest.mo <<'MO'
model Crest
  output Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  output Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > 0.9999 then
    n = pre(n) + 1;
  end when;
end Crest;
MO
cat >plain.mo <<'MO'
model Plain
  output Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Plain;
MO
cat >crest.c <<'END'
#include "Crest.h"
#include "Plain.h"
#include <math.h>
#include <stdio.h>
static Crest_Instance m;
static Plain_Instance plain;
int main(void)
{
    double x[2], y[2], out[3], error;
    int status;
    Crest_defaults(&m);
    Plain_defaults(&plain);
    status = Crest_init(&m, 0, x) || Plain_init(&plain, 0, y);
    for (int k = 0; k < 48 && !status; k++)
        status = Crest_step(&m, 0.4*k, 0.4, x, &error) || Plain_step(&plain, 0.4*k, 0.4, y, &error);
    status = status || Crest_outputs(&m, 0.4*48, x, out);
    printf("%g %d %d\n", out[Crest_OUTPUT_n],
           fabs(x[0] - y[0]) + fabs(x[1] - y[1]) < 1e-12, status);
    return status;
}
END
"$rung" simulate crest.mo --stop 19.2 --interval 19.2 --method esdirk -q -o crest.csv || fail "crest: run"
for model in crest plain; do
    "$rung" compile $model.mo --kind single-file -q -o $model.lib || fail "$model: compile"
done
$cc -Icrest.lib -Iplain.lib -o crest.run crest.c crest.lib/Crest.c plain.lib/Plain.c -lm && ./crest.run >crest.txt ||
    fail "crest"
tail -1 crest.csv | awk -F, '{ print $4, 1, 0 }' | cmp -s - crest.txt || fail "crest: $(tail -1 crest.csv) $(cat crest.txt)"

# A line for each length and number of steps from 0 on: the states, the outputs if all went well, the status.
cat >steps.c <<'END'
#define JOINED(model, name) model##_##name
#define OF(model, name) JOINED(model, name)
#define MODELS(name) OF(MODEL, name)
#include HEADER
#include <stdio.h>
#include <stdlib.h>
static MODELS(Instance) m;
int main(int argc, char **argv)
{
    double x[MODELS(N_STATES)], y[MODELS(N_OUTPUTS)], error;
    for (int i = 1; i + 1 < argc; i += 2) {
        const double h = atof(argv[i]);
        const int n = atoi(argv[i + 1]);
        MODELS(defaults)(&m);
        int status = MODELS(init)(&m, 0, x);
        for (int k = 0; k < n && !status; k++)
            status = MODELS(step)(&m, k*h, h, x, &error);
        for (unsigned k = 0; k < MODELS(N_STATES); k++)
            printf("%.9g ", x[k]);
        status = status || MODELS(outputs)(&m, n*h, x, y);
        for (unsigned k = 0; k < MODELS(N_OUTPUTS) && !status; k++)
            printf("%.9g ", y[k]);
        if (status)
            fprintf(stderr, "%s\n", MODELS(why)(&m));
        printf("%d\n", status);
    }
    return 0;
}
END
take_steps() { # file, model, length and number of steps ...
    file=$1
    model=$2
    shift 2
    "$rung" compile $file.mo --kind single-file -q -o $file &&
        $cc -DMODEL=$model -DHEADER="\"$model.h\"" -I$file -o $file.run steps.c $file/$model.c -lm &&
        ./$file.run "$@" >$file.txt 2>$file.err || fail "$file: it does not run"
}
# a relation that dips below zero by less than the usual noise, whatever the step
cat >dip.mo <<'MO'
model Dip
  output Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  output Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when (x - 0.4)^2 < 1e-12 then
    n = pre(n) + 1;
  end when;
end Dip;
MO
take_steps dip Dip 0.3 10 0.03 100 0.003 1000
awk 'NF != 6 || $5 != 2 || $6 != 0 { exit 1 } END { exit NR != 3 }' dip.txt || fail "dip: $(cat dip.txt)"

# Integers of 32 bits
cat >doubles.mo <<'MO'
model Doubles
  output Real x(start = 0, fixed = true), r;
  Integer n(start = 1, fixed = true);
  parameter Integer p = 100;
  parameter Integer q = p*p;
equation
  der(x) = 1;
  r = n - q;
  when sample(0, 0.1) then
    n = 2*pre(n);
  end when;
end Doubles;
MO
"$rung" compile doubles.mo --kind single-file -q -o doubles || fail "doubles: compile"
cat >doubles.c <<'END'
#include "Doubles.h"
#include <stdio.h>
static Doubles_Instance m;
int main(void)
{
    double x[Doubles_N_STATES], error;
    int k, status;
    Doubles_defaults(&m);
    status = Doubles_init(&m, 0, x);
    for (k = 0; k < 50 && !status; k++)
        status = Doubles_step(&m, 0.25 * k, 0.25, x, &error);
    printf("%d %d: %s\n", k, status, Doubles_why(&m));
    Doubles_defaults(&m);
    Doubles_set(&m, 0, 100000);
    status = Doubles_init(&m, 0, x);
    printf("%d: %s\n", status, Doubles_why(&m));
    return 0;
}
END
$cc -Idoubles -o doubles.run doubles.c doubles/Doubles.c -lm && ./doubles.run >doubles.txt || fail "doubles: it does not run"
cat >doubles.want <<'END'
12 -1: the value of 'n' is no Integer of 32 bits
-1: the value of 'q' is no Integer of 32 bits
END
cmp -s doubles.txt doubles.want || fail "doubles: $(cat doubles.txt)"

# events that coincide but for rounding, with steps that end at them, before and behind
sed 's/^  Real x(/  output Real x(/; s/^  Integer a(/  output Integer a(/' \
    "$source/tests/sim/language/EventsByRounding.mo" >rounding.mo
take_steps rounding EventsByRounding 0.1 90 0.25 36 0.37 24 1 9
awk '$7 != 1 || $8 != 1 || $9 != 1 || $10 != 1 || $11 != 2 || $12 != 1 || $13 != 0 { exit 1 } END { exit NR != 4 }' rounding.txt ||
    fail "rounding: $(cat rounding.txt)"
# a state that follows another one: the event is where they are equal, not where noise ends
cat >follows.mo <<'MO'
model Follows
  output Real x(start = 1e-6, fixed = true), y(start = 0, fixed = true), at(start = 0, fixed = true);
equation
  der(x) = -1e-6;
  der(y) = 1e-6;
  when x - y < 0 then
    at = time;
  end when;
end Follows;
MO
take_steps follows Follows 0.1 10 0.3 3 1 1
awk '{ off = $5 - 0.5; if (off*off > 1e-14 || $6 != 0) exit 1 } END { exit NR != 3 }' follows.txt ||
    fail "follows: $(cat follows.txt)"

# pulses shorter than a step: by a state, by time, and through an equation that is solved
cat >pulses.mo <<'MO'
model Pulses
  Real phi(start = 0, fixed = true), w(start = 10, fixed = true), z(start = 0.5);
  output Integer high(start = 0, fixed = true), late(start = 0, fixed = true),
    solved(start = 0, fixed = true);
  output Real at(start = 0, fixed = true);
equation
  der(phi) = w;
  der(w) = -100*phi;
  z + exp(z) = 2 + phi;
  when phi > 0.9 then
    high = pre(high) + 1;
    at = time;
  end when;
  when sin(10*time + 1) > 0.95 then
    late = pre(late) + 1;
  end when;
  when z > 0.77 then
    solved = pre(solved) + 1;
  end when;
end Pulses;
MO
# phi = sin(10 t) is above 0.9 once in each of five turns, last from (4 2 pi + asin(0.9))/10 on
take_steps pulses Pulses 0.1047 30
awk 'NF != 7 || $3 != 5 || $4 != 5 || $5 != 5 || $6 - 2.625251 > 1e-3 || 2.625251 - $6 > 1e-3 || $7 != 0 { exit 1 }
    END { exit NR != 1 }' pulses.txt || fail "pulses: $(cat pulses.txt)"

# a relation too fast for the samples of a step: the step is refused, with the states as they were, and a shorter one
# goes; it is no event at all, or one of each turn
cat >fast.mo <<'MO'
model Fast
  output Real x(start = 0, fixed = true);
  output Integer never(start = 0, fixed = true), turns(start = 0, fixed = true);
equation
  der(x) = 1;
  when sin(1e6*x) > 1.0000001 then
    never = pre(never) + 1;
  end when;
  when sin(20*x) > 0.5 then
    turns = pre(turns) + 1;
  end when;
end Fast;
MO
take_steps fast Fast 0.5 1 0.00025 2000
awk 'NR == 1 && !($1 == 0 && NF == 2 && $2 > 0) || NR == 2 && !($3 == 0 && $4 == 2 && $5 == 0) { exit 1 }
    END { exit NR != 2 }' fast.txt || fail "fast: $(cat fast.txt)"
grep 'moves too fast' fast.err | grep -q 'fast\.mo:7:' || fail "fast: $(cat fast.err)"

# the same by an integrator of one's own, which asks where events are
cat >own.c <<'END'
#include "Ball.h"
#include <float.h>
#include <stdio.h>
static Ball_Instance m;
static void rk4(double t, double h, const double *from, double *x)
{
    double k[4][Ball_N_STATES], at[Ball_N_STATES];
    for (unsigned s = 0; s < 4; s++) {
        const double c = s == 0 ? 0 : s == 3 ? 1 : 0.5;
        for (unsigned q = 0; q < Ball_N_STATES; q++)
            at[q] = from[q] + (s ? c*h*k[s - 1][q] : 0);
        Ball_xdot(&m, t + c*h, at, k[s]);
    }
    for (unsigned q = 0; q < Ball_N_STATES; q++)
        x[q] = from[q] + h/6*(k[0][q] + 2*k[1][q] + 2*k[2][q] + k[3][q]);
}
int main(void)
{
    double x[Ball_N_STATES], next[Ball_N_STATES], y[Ball_N_OUTPUTS], t = 0;
    Ball_defaults(&m);
    if (Ball_init(&m, 0, x))
        return 1;
    while (t < 2) {
        double h = 1e-3, low = 0;
        if (t + h > 2)
            h = 2 - t;
        if (t + h > Ball_next_event(&m))
            h = Ball_next_event(&m) - t;
        rk4(t, h, x, next);
        if (Ball_is_event(&m, t + h, next) && t + h < Ball_next_event(&m)) {
            double high = h;
            while (high - low > 1e-13) {
                rk4(t, (low + high)/2, x, next);
                if (Ball_is_event(&m, t + (low + high)/2, next))
                    high = (low + high)/2;
                else
                    low = (low + high)/2;
            }
            h = high;
            rk4(t, h, x, next);
        }
        t += h;
        for (unsigned q = 0; q < Ball_N_STATES; q++)
            x[q] = next[q];
        if (Ball_is_event(&m, t, x) && Ball_event(&m, t, x))
            return 2;
    }
    if (Ball_outputs(&m, t, x, y))
        return 3;
    for (unsigned k = 0; k < Ball_N_OUTPUTS; k++)
        printf("%.9g ", y[k]);
    printf("%.6g %d 1 0\n", Ball_next_event(&m), Ball_has_ended(&m));
    return 0;
}
END
$cc -Iball -o own.run own.c ball/Ball.c -lm && ./own.run >own.txt || fail "ball: own integrator"

# s vanishes at odd seconds, d at even ones: whatever is divided by vanishes at some time
cat >crossing.mo <<'MO'
model Crossing
  constant Real pi = 3.141592653589793;
  output Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  output Real a, b;
  parameter Real most = 100;
  Real s, d;
equation
  s = 1.5*cos(pi*time/2);
  d = sin(pi*time/2);
  s*a + d*b = cos(time) + x/10;
  -d*a + s*b = 1 - y/10;
  der(x) = a;
  der(y) = b;
  assert(x < most, "x is too large");
  assert(y < 1, "y is large", AssertionLevel.warning);
end Crossing;
MO
"$rung" simulate crossing.mo --stop 5 --interval 5 --tolerance 1e-11 -q -o crossing.csv 2>log || fail "crossing: run: $(cat log)"
"$rung" compile crossing.mo --kind single-file --order tearing -q -o crossing &&
    "$rung" compile crossing.mo --kind single-file --order tearing --no-fallback -q -o alone || fail "crossing: compile"
cat >crossing.c <<'END'
#include "Crossing.h"
#include <stdio.h>
static Crossing_Instance m;
int main(void)
{
    double x[Crossing_N_STATES], y[Crossing_N_OUTPUTS], error;
    unsigned char holds[Crossing_N_ASSERTIONS];
    int k, status;
    Crossing_defaults(&m);
    status = Crossing_init(&m, 0, x);
    for (k = 0; k < 250 && !status; k++)
        status = Crossing_step(&m, k*0.02, 0.02, x, &error);
    if (status || Crossing_outputs(&m, 5, x, y)) {
        printf("%d %s\n", status, Crossing_why(&m));
        return 1;
    }
    for (k = 0; k < (int)Crossing_N_OUTPUTS; k++)
        printf("%.9g ", y[k]);
    if (Crossing_assertions(&m, 5, x, holds))
        return 2;
    printf("%d %d\n", holds[0], holds[1]);
    /* from now on x may not be there */
    Crossing_set(&m, Crossing_PARAMETER_most, -100);
    if (Crossing_update(&m))
        return 3;
    status = Crossing_step(&m, 5, 0.01, x, &error);
    printf("%d %s\n", status, Crossing_why(&m));
    return 0;
}
END
$cc -Icrossing -o crossing.run crossing.c crossing/Crossing.c -lm && ./crossing.run >crossing.txt || fail "crossing: $(cat crossing.txt)"
$cc -Ialone -o alone.run crossing.c alone/Crossing.c -lm || fail "alone: cc"
./alone.run >alone.txt && fail "alone: no pivot vanishes"
grep -Eq "^[1-9][0-9]* crossing.mo:[0-9]+:[0-9]+: the divisor vanishes that determines [abxyd]" alone.txt || fail "alone: $(cat alone.txt)"
python3 - <<'END' || fail "numbers"
import csv, sys
bad = 0
def last(name, columns):
    rows = list(csv.reader(open(name)))
    return [float(rows[-1][rows[0].index(c)]) for c in columns]
right = last("ball.csv", ["h", "v", "bounces", "level", "hold"])
for kind, eps in ("ball", 1e-9), ("small", 1e-9), ("own", 1e-9), ("float", 2e-3):
    got = [float(x) for x in open(kind + ".txt").read().split()]
    if len(got) != 9 or not all(abs(a - b) <= eps*(1 + abs(b)) for a, b in zip(got, right)):
        print(kind, got, right); bad = 1
    if not (abs(got[5] - 2.08) < 1e-5 and got[6:] == [0, 1, 0]):
        print(kind, "next event, ended, status:", got[5:]); bad = 1
if right[2] < 3:
    print("the ball does not bounce", right); bad = 1
lines = open("crossing.txt").read().splitlines()
right = last("crossing.csv", ["x", "y", "a", "b"])
got = [float(x) for x in lines[0].split()]
if not all(abs(a - b) <= 1e-7*(1 + abs(b)) for a, b in zip(got, right)) or got[4:] != [1, right[1] < 1]:
    print("crossing", got, right); bad = 1
if not (lines[1].startswith("-1 crossing.mo:14:3: x is too large")):
    print("assertion:", lines[1]); bad = 1
sys.exit(bad)
END

# a rectifier: nonlinear equations whose relations hold what they are within a step, so that guesses
# from elsewhere overflow; the emitted example takes the steps that its tolerance asks for
cat >rectifier.mo <<'MO'
model Rectifier
  output Real v(start = 0, fixed = true), i, ahead(start = 0.5);
equation
  1e-3*der(v) = i - v/100;
  12*sin(314.159*time) - 0.5*i = ahead + v;
  i = if ahead/0.04 > 15 then 1e-6*(exp(15)*(ahead/0.04 - 14) - 1)
      else 1e-6*(exp(ahead/0.04) - 1) + 1e-8*ahead;
  annotation(experiment(StopTime = 0.2));
end Rectifier;
MO
"$rung" simulate rectifier.mo --tolerance 1e-9 -q -o rectifier.csv && "$rung" compile rectifier.mo --kind single-file -q -o rectifier &&
    make -s -C rectifier lib example CFLAGS=-O0 && ./rectifier/example >rectifier.txt || fail "rectifier: $(cat rectifier.txt)"
tail -1 rectifier.csv | cat - rectifier.txt | awk -F'[, ]' 'NR == 1 { v = $2; ahead = $4 }
    /^v = / { a = $3 } /^ahead = / { b = $3 }
    END { exit !((a - v)^2 < 1e-8 && (b - ahead)^2 < 1e-8) }' || fail "rectifier: $(tail -1 rectifier.csv; cat rectifier.txt)"
# delays: of signals, in feedback, across jumps, of nothing; events of what is delayed
cat >late.mo <<'MO'
model Late
  parameter Real T = 0.5;
  Real u = sin(3*time), step = if time > 1 then 1 else 0;
  Real late[2] = delay({u, time^2}, T);
  output Real x(start = 1, fixed = true) "by the method of steps";
  output Real jump = delay(step, 0.25), now = delay(delay(x, 0), 0);
  output Integer count(start = 0, fixed = true);
  output Real error[4];
equation
  der(x) = -delay(x, 1);
  when delay(u, 0.1) > 0.9 then
    count = pre(count) + 1;
  end when;
  error[1] = late[1] - (if noEvent(time < T) then 0 else sin(3*(time - T)));
  error[2] = late[2] - (if noEvent(time < T) then 0 else (time - T)^2);
  error[3] = now - (if noEvent(time < 1) then 1 - time
    elseif noEvent(time < 2) then 1 - time + (time - 1)^2/2
    else 1 - time + (time - 1)^2/2 - (time - 2)^3/6);
  error[4] = der(delay(u, T)) - (if noEvent(time < T) then 0 else 3*cos(3*(time - T)));
end Late;
MO
"$rung" compile late.mo --kind single-file -q -o late && "$rung" compile late.mo --kind embedded -q -o late_small ||
    fail "late: compile"
cat >late.c <<'END'
#include "Late.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static Late_Instance m, kept;
static double y[Late_N_OUTPUTS];
static double worst(double t, const double *x, double jump)
{
    int k;
    double most = 0;
    if (Late_outputs(&m, t, x, y))
        exit(1);
    for (k = Late_OUTPUT_error_1_; k <= (int)Late_OUTPUT_error_4_; k++)
        most = fmax(most, fabs(y[k]));
    return fabs(t - 1.25) < 1e-6 ? most : fmax(most, fabs(y[Late_OUTPUT_jump] - jump));
}
int main(int argc, char **argv)
{
    double x[Late_N_STATES], from[Late_N_STATES], f[Late_N_STATES], error, most = 0, h = atof(argv[1]);
    int k, n = (int)(3/h + 0.5), status = 0;
    Late_defaults(&m);
    status = Late_init(&m, 0, x);
    for (k = 0; k < n && !status; k++) {
        double t = k*h;
        if (argc < 3) {
            /* a longer step is taken and given back first */
            kept = m;
            from[0] = x[0];
            status = Late_step(&m, t, 1.5*h, x, &error);
            m = kept;
            x[0] = from[0];
            status = status ? status : Late_step(&m, t, h, x, &error);
        } else {
            /* an integrator of one's own: Heun's */
            status = Late_xdot(&m, t, x, f);
            from[0] = x[0] + h*f[0];
            status = status ? status : Late_xdot(&m, t + h, from, f);
            x[0] = (x[0] + from[0] + h*f[0])/2;
            if (*argv[2] == 'r')
                status = status ? status : Late_record(&m, t + h, x);
            if (Late_is_event(&m, t + h, x))
                status = status ? status : Late_event(&m, t + h, x);
        }
        if (!status)
            most = fmax(most, worst(t + h, x, t + h > 1.25));
    }
    printf("%d %g %g\n", status, y[Late_OUTPUT_count], most);
    return status < 0 ? 2 : status;
}
END
late() {
    want=$1
    shift
    "./late$1.run" "$2" $3 >late.txt
    [ $? -eq "$want" ] || fail "late: $* ended with another status than $want: $(cat late.txt)"
}
is_below() {
    awk -v most="$1" 'NR == 1 && $1 == 0 && $2 == 2 && $3 < most { ok = 1 } END { exit !ok }' late.txt ||
        fail "late: errors of $(cat late.txt), not two events and below $1"
}
$cc -Ilate -o late.run late.c late/Late.c -lm && $cc -Ilate_small -o late_small.run late.c late_small/Late.c -lm &&
    $cc -DLate_HISTORY=60u -Ilate -o late_few.run late.c late/Late.c -lm || fail "late: cc"
for kind in "" _small; do
    late 0 "$kind" 0.1
    is_below 1e-5
    late 0 "$kind" 0.025
    is_below 1e-8
done
late 0 "" 0.0125 record
is_below 1e-3
# nothing recorded; a history that is too short for that many steps, and long enough for these
late 1 "" 0.0125 forget
late 2 _few 0.0125
late 0 _few 0.1
is_below 1e-5

# steps end where a jump arrives, also one that comes at the end of a step but for rounding, as at 0.75
cat >arrivals.mo <<'MO'
model Arrivals
  Real decay(start = 1, fixed = true), step = if time > 0.3123 then 1 else 0;
  Real late = delay(step, 0.4377);
  output Real x(start = 0, fixed = true), state(start = 0, fixed = true), twice(start = 0, fixed = true);
equation
  der(decay) = -decay;
  der(x) = late;
  der(state) = delay(if decay < 0.5 then 1 else 0, 0.1511);
  der(twice) = delay(late, 0.2111);
end Arrivals;
MO
cat >arrivals.c <<'END'
#include "Arrivals.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static Arrivals_Instance m;
int main(int argc, char **argv)
{
    double x[Arrivals_N_STATES], y[Arrivals_N_OUTPUTS], error, t = 0, h = argc > 1 ? atof(argv[1]) : 0.1;
    int status;
    Arrivals_defaults(&m);
    status = Arrivals_init(&m, 0, x);
    for (; t < 2 && !status; t += fmin(h, 2 - t))
        status = Arrivals_step(&m, t, fmin(h, 2 - t), x, &error);
    status = status || Arrivals_outputs(&m, t, x, y);
    printf("%d %.3g %.3g %.3g\n", status, y[Arrivals_OUTPUT_x] - 1.25,
           y[Arrivals_OUTPUT_state] - (2 - log(2) - 0.1511), y[Arrivals_OUTPUT_twice] - 1.0389);
    return status;
}
END
"$rung" compile arrivals.mo --kind single-file -q -o arrivals &&
    $cc -Iarrivals -o arrivals.run arrivals.c arrivals/Arrivals.c -lm || fail "arrivals: compile"
for h in 0.1 0.037 0.01; do
    ./arrivals.run $h | awk '{ ok = $1 == 0 && $2^2 < 1e-18 && $3^2 < 1e-18 && $4^2 < 1e-18 } END { exit !ok }' ||
        fail "arrivals: errors of $(./arrivals.run $h) with steps of $h"
done

# the rules of events are those of runs: limits of a comparator that are all that is left, relations
# that are nothing but rounding, equations without a solution until a relation is another
cat >rules.c <<'END'
#include "Same.h"
#include <stdio.h>
static Same_Instance m;
int main(void)
{
    double x[Same_N_STATES], y[Same_N_OUTPUTS], error;
    int k, status;
    Same_defaults(&m);
    status = Same_init(&m, 0, x);
    for (k = 0; k < 1000 && !status; k++)
        status = Same_step(&m, k*(STOP/1000.0), STOP/1000.0, x, &error);
    status = status || Same_outputs(&m, STOP, x, y);
    for (k = 0; k < (int)Same_N_OUTPUTS; k++)
        printf("%.9g%s", y[k], k + 1 < (int)Same_N_OUTPUTS ? "," : "\n");
    return status;
}
END
# rules 'MODEL(MODIFIERS)' STOP OUTPUT...: a library has the values of a run in the end
rules() {
    name=${1%%\(*} stop=$2
    { echo "model Same extends $1;"
      shift 2
      for v in "$@"; do echo "output Real out_$v = $v;"; done
      echo "end Same;"; } >Same.mo
    "$rung" simulate -q "$source/tests/sim/language/$name.mo" Same.mo --model Same --stop "$stop" \
        --tolerance 1e-10 --signals 'out_*' -o same.csv || fail "$name: run"
    "$rung" compile -q "$source/tests/sim/language/$name.mo" Same.mo --model Same --kind single-file -o "same$name" &&
        $cc -DSTOP="$stop" -I"same$name" -o rules.run rules.c "same$name/Same.c" -lm && ./rules.run >rules.txt ||
        { fail "$name: $(cat rules.txt)"; return; }
    tail -n 1 same.csv | cut -d, -f2- | tr , '\n' >run.row
    tr , '\n' <rules.txt | paste - run.row | awk -v name="$name" '
        !($1 - $2 < 1e-6 && $2 - $1 < 1e-6) { print name ": " $1 " for " $2; bad = 1 } END { exit bad || !NR }' || failed=1
}
rules 'ComparatorWithFeedback(x(start = 0.6))' 5 x v
rules EqualSides 6 i n
rules UnsolvedAtFirst 1 q r error
rules Hysteresis 5 x switches

# Equations that no step solves: a step to behind the fold where their solution ends fails with its name, whatever
# outputs were asked for between; events that make another solution of them do not.
cat >fold.mo <<'MO'
model Fold "the solution for y ends at time = 0.526; with steps of 0.07 Newton's method finds another one"
  output Real y(start = 0), z(start = 1);
  output Real x(start = 0, fixed = true), w(start = 1, fixed = true), v(start = 1.2);
equation
  der(x) = 1;
  0.1*y + sin(3*y) = 2*x;
  z^3 = if x > 0.3 then -1 else 1;
  v^3 - v = 0.5 + x/10;
  der(w) = -v*w;
end Fold;
MO
cat >smooth.mo <<'MO'
model Smooth "the same without events"
  output Real y(start = 0), x(start = 0, fixed = true), w(start = 1, fixed = true), v(start = 1.2);
equation
  der(x) = 1;
  0.1*y + sin(3*y) = 2*x;
  v^3 - v = 0.5 + x/10;
  der(w) = -v*w;
end Smooth;
MO
cat >fold.c <<'END'
#include HEADER
#include <stdio.h>
#include <string.h>
#ifndef REAL
#define REAL double
#endif
static INSTANCE m;
int main(int n, char **arg)
{
    REAL x[2], kept[2], y[8], error, h = (REAL)(n == 2 ? 0.3 : 0.07), t = 0;
    int status;
    (void)arg;
    CALL(defaults)(&m);
    status = CALL(init)(&m, 0, x);
    while (!status && t < 2) {
        memcpy(kept, x, sizeof x);
        status = CALL(step)(&m, t, h, x, &error);
        if (!status && n > 2)
            status = CALL(outputs)(&m, t + h, x, y);
        t += status ? 0 : h;
    }
    printf("%d %.3g %d", status, (double)t, !memcmp(kept, x, sizeof x));
#ifdef WHY
    printf(" %s", CALL(why)(&m));
#endif
    printf("\n");
    return 0;
}
END
for model in Fold Smooth; do
    file=$(echo $model | tr FS fs).mo
    for kind in library single-file embedded float; do
        real=double why= as=$kind
        [ $kind = float ] && real=float && as="embedded --real float"
        [ "$as" = $kind ] && [ $kind != embedded ] && why=-DWHY
        "$rung" compile $file --kind $as -q -o $model.$kind || fail "$model, $kind: compile"
        $cc -Wno-unused-parameter -DREAL=$real $why -DHEADER="\"$model.h\"" -DINSTANCE=${model}_Instance \
            "-DCALL(f)=${model}_##f" -I$model.$kind -o fold.run fold.c $model.$kind/$model*.c -lm || fail "$model, $kind: C"
        for way in "" "long" "short outputs"; do
            reached=0.49
            [ "$way" = long ] && reached=0.3
            ./fold.run $way >out || fail "$model, $kind, $way: crash"
            grep -q "^1 $reached 1" out || fail "$model, $kind, $way: $(cat out)"
            says="the solution ends, and there is another one, of the equations of y"
            [ "$way" = long ] && says="equations find no solution: those of y"
            [ -z "$why" ] || grep -q "$says" out || fail "$model, $kind: $(cat out)"
        done
    done
done
# elastic stops are reached and left inside steps: there the force is zero on both sides, and yet a step does not go on with the
# equations from before. The energy is that of the start
cat >slack.mo <<'MO'
model Slack
  parameter Real c = 1e4;
  Real s(start = 0, fixed = true), v(start = 2, fixed = true), depth;
  output Real off = 0.5*(v^2 + c*depth^2) - 2;
equation
  der(s) = v;
  depth = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
  der(v) = -c*depth;
end Slack;
MO
"$rung" compile slack.mo --kind single-file -q -o slack || fail "slack: compile"
cat >slack.c <<'END'
#include "Slack.h"
#include <stdio.h>
static Slack_Instance m;
int main(void)
{
    double x[Slack_N_STATES], y[Slack_N_OUTPUTS], error, most = 0;
    int k, status;
    Slack_defaults(&m);
    status = Slack_init(&m, 0, x);
    for (k = 0; k < 20000 && !status; k++) {
        status = Slack_step(&m, k / 1000., 1 / 1000., x, &error) || Slack_outputs(&m, (k + 1) / 1000., x, y);
        most = y[0] > most ? y[0] : -y[0] > most ? -y[0] : most;
    }
    printf("%d %.3g\n", status, most);
    return status || most > 1e-6;
}
END
$cc -Islack slack.c slack/Slack.c -lm -o slack_run && ./slack_run >out.txt 2>&1 || fail "slack: $(cat out.txt)"

# a PI controller without windup, whose integral rests by a relation of its own derivative, from the start on; relations that
# no value satisfies until the signal falls below the limit again
cat >Rests.mo <<'MO'
model Rests
  parameter Real top = 0.1;
  Real u = 0.4 - time, s = i + u, y;
  Real i(start = 0, fixed = true);
  Boolean rests;
  // u = 0.1 and s = top at t = 0.3; s = -top at t = 0.5
  Real tau = max(0, min(time - 0.3, 0.2));
  output Real error = i - 0.5*(0.1*tau - tau^2/2);
equation
  y = if s > top then top else if s < -top then -top else s;
  der(i) = if rests then 0 else 0.5*u;
  rests = abs(top - y) <= 1e-15 and der(i) > 0 or abs(-top - y) <= 1e-15 and der(i) < 0;
end Rests;
MO
cat >Limited.mo <<'MO'
model Limited
  Real u = sin(10*time), limited = if limited > 0.5 then 0.5 else u;
  Real i(start = 0, fixed = true);
  Boolean rests = i > 0.05 and der(i) > 0;
  constant Real pi = 3.14159265358979323846;
  output Real error = abs(limited - min(u, 0.5)) + abs(i - (if time < pi/30 then (1 - cos(10*time))/10
    elseif time < pi/10 then 0.05 else -0.05 - cos(10*time)/10));
equation
  der(i) = if rests then 0 else u;
end Limited;
MO
cat >closed.c <<'END'
#include "MODEL.h"
#include <math.h>
#include <stdio.h>
static MODEL_Instance m;
int main(void)
{
    double x[MODEL_N_STATES], y[MODEL_N_OUTPUTS], error, worst = 0;
    int k, status;
    MODEL_defaults(&m);
    status = MODEL_init(&m, 0, x);
    for (k = 0; k < 60 && !status; k++) {
        status = MODEL_step(&m, k / 100., 1 / 100., x, &error) || MODEL_outputs(&m, (k + 1) / 100., x, y);
        worst = fmax(worst, fabs(y[0]));
    }
    printf("%d %.3g\n", status, worst);
    return status || worst > 1e-6;
}
END
for m in Rests Limited; do
    "$rung" compile $m.mo --kind single-file -q -o "of $m" || fail "$m: compile"
    sed "s/MODEL/$m/g" closed.c >$m.c
    $cc -I"of $m" $m.c "of $m/$m.c" -lm -o closed_run && ./closed_run >out.txt 2>&1 || fail "$m: $(cat out.txt)"
done

# the initial system: relations in it are those of its solution, homotopy() is followed from its simplified expression, and
# contradictory equations are refused, as in runs
cat >first.mo <<'MO'
model First
  parameter Real p = 2;
  Real x, w, s, u, v;
  output Real a = x, b = v, c = s;
initial equation
  u = 3;
  w = 0;
  s = p;
equation
  u = if x > 0.5 then x + 1 else 2*x;
  der(x) = -x;
  v = homotopy(smooth(0, if 1000*(v/2 - w) > 1 then 1 elseif 1000*(v/2 - w) < -1 then -1 else 1000*(v/2 - w)), 1);
  der(w) = v;
  der(s) = -s;
end First;
MO
sed 's/First/Contrary/; s/  s = p;/  s = p; der(s) = -1;/' first.mo >contrary.mo
cat >first.c <<'END'
#include HEADER
#include <stdio.h>
static INSTANCE m;
int main(void)
{
    double x[3], y[3] = {0};
    CALL(defaults)(&m);
    if (CALL(init)(&m, 0, x) || CALL(outputs)(&m, 0, x, y))
        return 1;
    printf("%.6g %.6g %.6g\n", y[0], y[1], y[2]);
    return 0;
}
END
"$rung" simulate first.mo --stop 0 --signals a,b,c -q -o first.csv && [ "$(sed -n 2p first.csv)" = 0,2,1,2 ] || fail "first: run"
for model in First Contrary; do
    for kind in library single-file embedded; do
        "$rung" compile $(echo $model | tr FC fc).mo --kind $kind -q -o $model.$kind || fail "$model, $kind: compile"
        $cc -Wno-unused-parameter -DHEADER="\"$model.h\"" -DINSTANCE=${model}_Instance "-DCALL(f)=${model}_##f" \
            -I$model.$kind -o first.run first.c $model.$kind/$model*.c -lm || fail "$model, $kind: C"
        ./first.run >out
        status=$?
        if [ $model = Contrary ]; then
            [ $status -eq 1 ] || fail "$model, $kind: status $status"
        else
            [ "$(cat out)" = "2 1 2" ] || fail "$model, $kind: $(cat out)"
        fi
    done
done
exit $failed
