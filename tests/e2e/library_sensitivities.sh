#!/bin/sh
# rung compile --sensitivity: derivatives by parameters that the steps of a C library carry along, against those of
# `rung simulate --sensitivity`; --adjoint: the same, back over the steps; models that are refused.
# usage: library_sensitivities.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
cc="${CC:-cc} -std=c11 -O0 -Wall -Wextra -Wconversion -Wpedantic -Werror"

# names and values of all states and outputs at the end of N steps to STOP
cat >drive.c <<'C'
#include "MODEL.h"
#include <stdio.h>
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define M(x) JOIN(MODEL, x)
static M(_Instance) m;
int main(void)
{
    double x[M(_N_STATES) + 1], y[M(_N_OUTPUTS) + 1], error;
    int status;
    M(_defaults)(&m);
    SET
    status = M(_init)(&m, 0, x);
    for (int k = 0; k < N && !status; k++)
        status = M(_step)(&m, (double)STOP * k / N, (double)STOP / N, x, &error);
    if (status || M(_outputs)(&m, STOP, x, y)) {
        puts(M(_why)(&m));
        return 1;
    }
    for (unsigned k = 0; k < M(_N_STATES); k++)
        printf("%s %.17g\n", M(_state_name)[k], x[k]);
    for (unsigned k = 0; k < M(_N_OUTPUTS); k++)
        printf("%s %.17g\n", M(_output_name)[k], y[k]);
    return 0;
}
C
# drive FOLDER MODEL-IDENTIFIER STOP N [statements]: builds the driver and runs it
drive() {
    sed "s/MODEL\.h/$2.h/; s/MODEL/$2/g; s/STOP/$3/g; s/\bN\b/$4/g; s/SET/${5:-}/" drive.c >"$1/drive.c"
    $cc -I"$1" -o "$1/drive" "$1/drive.c" "$1/$2.c" -lm && "$1/drive" >"$1.txt"
}
# alike FOLDER BOUND FEWEST: the last row of r.csv has the values of the driver, by names
alike() {
    awk -v bound="$2" -v fewest="$3" 'NR == FNR { value[$1] = $2; next }
        FNR == 1 { gsub(/^"|"$/, ""); n = split($0, name, /","/); next }
        { last = $0 }
        END { split(last, now, ",")
            for (k = 1; k <= n; k++)
                if (name[k] in value) {
                    d = value[name[k]] - now[k]; d = d < 0 ? -d : d; s = now[k] < 0 ? -now[k] : now[k]
                    found += name[k] ~ /^der\(.*,/
                    if (!(d <= bound*(1 + s))) { print name[k] ": " value[name[k]] " is not " now[k]; bad = 1 }
                }
            if (found < fewest) { print found " derivatives"; bad = 1 }
            exit bad }' "$1.txt" r.csv || fail "$1"
}
# check MODEL PARAMETERS STOP N BOUND FEWEST: the library and the run
check() {
    "$rung" simulate "$models" --model "$1" --sensitivity "$2" --stop "$3" --interval "$3" --tolerance 1e-12 \
        --method esdirk -q -o r.csv || fail "$1: run"
    "$rung" compile "$models" --model "$1" --kind single-file --sensitivity "$2" -q -o "$1" || fail "$1: compile"
    drive "$1" "$1" "$3" "$4" && alike "$1" "$5" "$6" || fail "$1: library"
}

models=models.mo
cat >models.mo <<'MO'
model Motor "parameters that follow from others, a product of states"
  parameter Real R = 2, L = 0.5, k = 0.1, J = 0.02, k2 = 2*k, u = 24;
  output Real w(start = 0, fixed = true), p;
  Real i(start = 0, fixed = true);
equation
  L*der(i) = u - R*i - k2*w;
  J*der(w) = k2*i - 0.2*w*abs(w);
  p = R*i^2 + k*w;
end Motor;
model Steady "starts at rest, where equations that are solved at run time say; stiff"
  parameter Real a = 1.5, tau = 5e-3, c = 0.3;
  output Real x, s, z(start = 1);
equation
  der(x) = a - z;
  tau*der(s) = x - s + c*sin(3*time);
  z + 0.1*z^3 = x + c*s;
initial equation
  der(x) = 0;
  s = x;
end Steady;
model Slow "equations that are solved at run time, linear and not, and a start value"
  parameter Real a = 0.4, b = 2, c = a*b;
  output Real x(start = 1, fixed = true), y;
  Real p(start = 1), q(start = 1), s(start = 0.5, fixed = true);
equation
  p + 0.3*sin(q) = x*b;
  q + 0.2*exp(-p) = c*s;
  der(x) = -p*s - x;
  der(s) = q - a*s^2;
  y = p*q + time*c;
end Slow;
model Bounce "reinit at a time that depends on the parameters, and a start value"
  parameter Real e = 0.8, g = 9.81, h0 = 1;
  output Real h(start = h0, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Bounce;
model Heater "a thermostat: derivatives that jump; samples, a time that is a parameter"
  parameter Real low = 19.5, high = 20.5, k = 0.2, P = 8, T = 2.7;
  output Real temperature(start = 20, fixed = true), energy(start = 0, fixed = true);
  Boolean on(start = true, fixed = true), even(start = false, fixed = true);
equation
  der(temperature) = (if on then P else 0) - k*(temperature - 5) + (if time > T then 0.3 else 0);
  der(energy) = if on then P else 0;
  when {temperature > high, temperature < low} then
    on = temperature < low;
  end when;
  when sample(0.31, 0.5) then
    even = not pre(even);
    reinit(energy, k*pre(energy));
  end when;
end Heater;
model Slack "derivatives that are continuous over a grazing event: none is left out"
  parameter Real g = 2, d = 1;
  output Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = d - time;
  der(y) = (if x > d^2/2 then 1000*(x - d^2/2) else 0) + g;
end Slack;
model Graze "a ball that just reaches a switch"
  parameter Real d = 1;
  output Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = d - time;
  der(y) = if x > 0.5 - 1e-9 then 1 else 0;
end Graze;
model Stiff "an event inside a step, of a state that follows a slow one; one that changes nothing else"
  parameter Real c = 0.7, tau = 1e-3, k = 2;
  output Real x(start = 0, fixed = true), s(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = k*cos(k*time);
  tau*der(s) = x - s;
  der(y) = if s > c then s - x^2 else 0.3;
  when x > 0.5 then
    n = pre(n) + 1;
  end when;
end Stiff;
model Control "a sampled controller: discrete Reals"
  parameter Real a = 0.5, K = 0.8, r = 2;
  output Real x(start = 0.3, fixed = true), y;
  discrete Real u(start = 0, fixed = true), sum(start = 0, fixed = true);
equation
  der(x) = u - a*x;
  y = u^2 + x;
  when sample(0.13, 0.21) then
    sum = pre(sum) + 0.2*(r - x);
    u = K*(r - x) + sum;
  end when;
end Control;
model Level "what an event keeps is the limit that makes the next one"
  parameter Real a = 0.8, b = 1.3, r = 0.6;
  output Real x(start = 1, fixed = true), y(start = 0, fixed = true), w(start = 0, fixed = true), s = x*time;
  discrete Real level(start = r, fixed = true);
equation
  der(x) = -a*x;
  der(y) = b - y;
  der(w) = x*y + level;
  when x < pre(level) then
    level = pre(level)*0.7*b + 0.01*pre(s);
    reinit(y, x*b + 0.1*y);
  end when;
end Level;
model Late
  parameter Real tau = 0.1;
  output Real x(start = 1, fixed = true);
equation
  der(x) = -tau*delay(x, 0.5);
end Late;
MO
check Motor 'R,k,u' 1 200 1e-9 9
check Steady 'a,tau,c' 2 2000 1e-8 9
check Bounce 'e,g,h0,v.start' 1 50 1e-9 8
check Heater 'low,high,k,P,T' 4 100 1e-7 10
check Slack 'g,d' 2 100 1e-6 4
check Control 'a,K,r,x.start' 2 50 1e-9 8
check Level 'a,b,r' 1.5 300 1e-8 9
models=$source/tests/e2e/sensitivities/Slides.mo
check Slides 'm,peak' 2 200 1e-8 4
models=models.mo
# rows and columns of the Jacobian are those of the model's own states and outputs, and of the parameters
grep -q 'JACOBIAN_ROWS 4u' Motor/Motor.h && grep -q 'JACOBIAN_COLUMNS 5u' Motor/Motor.h || fail "Jacobian"

# a parameter that is set follows from no other any more
"$rung" simulate models.mo --model Motor --sensitivity k --set k2=0.3 --stop 1 --interval 1 --tolerance 1e-12 \
    --method esdirk -q -o r.csv || fail "set: run"
drive Motor Motor 1 200 'Motor_set(\&m, Motor_PARAMETER_k2, 0.3);' && alike Motor 1e-9 3 || fail "set"

# the steps are those of the library without derivatives, to the bit
"$rung" compile models.mo --model Heater --kind single-file -q -o plain && drive plain Heater 4 100 || fail "plain"
grep -v '^der(' Heater.txt | cmp -s - plain.txt || fail "steps change with derivatives"

# an integrator of one's own: M_xdot, and M_event where h is zero
cat >own.c <<'C'
#include "Bounce.h"
#include <math.h>
#include <stdio.h>
static Bounce_Instance m;
/* exact between events: h'' = -g */
static int move(double t, double d, double *x)
{
    double f[Bounce_N_STATES];
    for (unsigned k = 0; k < Bounce_N_STATES; k += 2) {
        if (Bounce_xdot(&m, t, x, f))
            return 1;
        x[k] += d * x[k + 1] + d * d / 2 * f[k + 1];
        x[k + 1] += d * f[k + 1];
    }
    return 0;
}
int main(void)
{
    double x[Bounce_N_STATES], hit;
    Bounce_defaults(&m);
    if (Bounce_init(&m, 0, x))
        return 1;
    hit = sqrt(2 / 9.81) * (1 + 1e-13);
    if (move(0, hit, x) || !Bounce_is_event(&m, hit, x) || Bounce_event(&m, hit, x) ||
        move(hit, 1 - hit, x))
        return 1;
    for (unsigned k = 0; k < Bounce_N_STATES; k++)
        printf("%s %.17g\n", Bounce_state_name[k], x[k]);
    return 0;
}
C
"$rung" simulate models.mo --model Bounce --sensitivity 'e,g,h0,v.start' --stop 1 --interval 1 --tolerance 1e-12 \
    --method esdirk -q -o r.csv || fail "own: run"
$cc -IBounce -o own own.c Bounce/Bounce.c -lm && ./own >own.txt && alike own 1e-8 8 || fail "own integrator"

# a folder; small targets, in single precision too; steps with differences instead of symbolic derivatives
for kind in 'library' 'embedded' 'embedded --real float' 'single-file --jacobian dense'; do
    rm -rf kind
    # shellcheck disable=SC2086
    "$rung" compile models.mo --model Bounce --kind $kind --sensitivity e,h0 -q -o kind || fail "$kind"
    real=double
    [ "${kind#*float}" = "$kind" ] || real=float
    cat >kind.c <<'C'
#include "Bounce.h"
#include <stdio.h>
static Bounce_Instance m;
int main(void)
{
    REAL x[Bounce_N_STATES], y[Bounce_N_OUTPUTS], error;
    int status;
    Bounce_defaults(&m);
    status = Bounce_init(&m, 0, x);
    for (int k = 0; k < 40 && !status; k++)
        status = Bounce_step(&m, (REAL)k / 40, (REAL)1 / 40, x, &error);
    status = status || Bounce_outputs(&m, 1, x, y);
    printf("%.3f %.3f\n", (double)y[Bounce_OUTPUT_der_h_e_], (double)y[Bounce_OUTPUT_der_h_h0_]);
    return status;
}
C
    if [ "$kind" = library ]; then
        make -s -C kind lib CFLAGS=-O0 && $cc -DREAL=$real -Ikind -o kind.run kind.c kind/libBounce.a -lm
    else
        $cc -DREAL=$real -Ikind -o kind.run kind.c kind/Bounce.c -lm
    fi && [ "$(./kind.run)" = '2.429 1.387' ] || fail "$kind: $(./kind.run)"
done

# back over the steps: the derivatives of all outputs, to rounding
cat >back.c <<'C'
#include "MODEL.h"
#include <stdio.h>
#include <string.h>
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define M(x) JOIN(MODEL, x)
static M(_Instance) m, before[N];
static M(_Adjoint) a;
int main(void)
{
    static const char *const by[] = {BY};
    static double x[N + 1][M(_N_STATES) + 1], weight[M(_N_OUTPUTS) + 1], gradient[M(_N_GRADIENT)];
    const double h = (double)STOP / N;
    double error;
    int k, status;
    M(_defaults)(&m);
    SET
    status = M(_init)(&m, 0, x[0]);
    for (k = 0; k < N && !status; k++) {
        before[k] = m;
        memcpy(x[k + 1], x[k], sizeof x[k]);
        status = M(_step)(&m, (double)STOP * k / N, h, x[k + 1], &error);
    }
    for (unsigned i = 0; i < M(_N_OUTPUTS) && !status; i++) {
        M(_adjoint_begin)(&a);
        weight[i] = 1;
        status = M(_adjoint_outputs)(&m, STOP, x[N], weight, &a);
        weight[i] = 0;
        for (k = N - 1; k >= 0 && !status; k--)
            status = M(_adjoint_step)(&before[k], (double)STOP * k / N, h, x[k], &a);
        status = status || M(_adjoint_end)(&before[0], 0, x[0], &a, gradient);
        for (unsigned j = 0; j < M(_N_GRADIENT); j++)
            printf("der(%s,%s) %.17g\n", M(_output_name)[i], by[j], gradient[j]);
    }
    return status;
}
C
# back MODEL PARAMETERS STOP N BOUND [statements]
back() {
    "$rung" compile models.mo --model "$1" --kind single-file --sensitivity "$2" -q -o "$1" &&
        "$rung" compile models.mo --model "$1" --kind single-file --adjoint "$2" -q -o "$1_back" ||
        fail "$1: compile back"
    by=$(echo "$2" | sed 's/[^,]*/"&"/g')
    sed "s/MODEL\.h/$1.h/; s/MODEL/$1/g; s/STOP/$3/g; s/\bN\b/$4/g; s/BY/$by/; s/SET/${6:-}/" back.c >"$1_back/back.c"
    $cc -I"$1_back" -o "$1_back/back" "$1_back/back.c" "$1_back/$1.c" -lm && "$1_back/back" >"$1_back.txt" &&
        drive "$1" "$1" "$3" "$4" "${6:-}" &&
        awk -v bound="$5" 'NR == FNR { value[$1] = $2; next }
            { d = value[$1] - $2; d = d < 0 ? -d : d; s = $2 < 0 ? -$2 : $2
              if (!($1 in value) || !(d <= bound*(1 + s))) { print $1 ": " $2 " is not " value[$1]; bad = 1 } }
            END { exit bad || FNR < 2 }' "$1.txt" "$1_back.txt" || fail "$1: back"
}
back Motor 'R,k,u' 1 50 1e-12
back Motor 'R,k,u' 1 50 1e-12 'Motor_set(\&m, Motor_PARAMETER_k2, 0.3);'
back Steady 'a,tau,c' 1 100 1e-12
back Slow 'a,b,x.start' 2 40 1e-12
back Bounce 'e,g,h0,v.start' 1 10 1e-11
back Heater 'low,high,k,P,T' 4 100 1e-10
back Slack 'g,d' 2 20 1e-11
back Stiff 'c,tau,k' 2 20 1e-11
# small targets, a folder
"$rung" compile models.mo --model Heater --kind embedded --real float --adjoint 'high,P' -q -o tiny &&
    $cc -c -Itiny -o tiny.o tiny/Heater.c || fail "adjoint in single precision"
rm -rf kind
"$rung" compile models.mo --model Stiff --kind library --adjoint 'c,k' -q -o kind && make -s -C kind lib CFLAGS=-O0 ||
    fail "adjoint in a folder"
# discrete Reals that depend on states
"$rung" compile models.mo --model Control --kind single-file --adjoint 'a,K,r,x.start' -q -o Control_back || fail "Control: compile"
"$rung" gradient models.mo --model Control --mode adjoint --method esdirk --tolerance 1e-12 --stop 2 --objective x,y \
    --by 'a,K,r,x.start' | awk '/ = / { y = $1; next } { print "der(" y "," $2 ")", $3 }' >Control.txt
sed 's/MODEL\.h/Control.h/; s/MODEL/Control/g; s/STOP/2/g; s/\bN\b/50/g; s/BY/"a","K","r","x.start"/; s/SET//' back.c >Control_back/back.c
$cc -IControl_back -o Control_back/back Control_back/back.c Control_back/Control.c -lm && Control_back/back |
    awk 'NR == FNR { value[$1] = $2; next } $1 in value { n++
        d = value[$1] - $2; if (d*d > 1e-16*(1 + $2^2)) { print $1 ": " $2 " is not " value[$1]; bad = 1 } }
        END { exit bad || n != 8 }' Control.txt - || fail "Control"

if large; then
    models=
    for model in 'Linkage.Examples.AlternatingPendulum(n=3)' 'Linkage.Examples.PlanarPendulum(n=2)'; do
        by='m,l'
        rm -rf chain
        "$rung" compile --model "$model" --kind single-file --sensitivity "$by" -q -o chain || fail "$model: compile"
        id=$(cd chain && ls ./*.h)
        id=${id#./}
        id=${id%.h}
        "$rung" simulate --model "$model" --sensitivity "$by" --loops index-reduction --stop 0.5 --interval 0.5 \
            --tolerance 1e-12 --method esdirk -q -o r.csv || fail "$model: run"
        drive chain "$id" 0.5 200 && alike chain 1e-7 4 || fail "$model"
    done
fi

# models that are refused
"$rung" compile models.mo --model Graze --kind single-file --adjoint d -q -o Graze || fail "Graze: compile"
sed 's/MODEL\.h/Graze.h/; s/MODEL/Graze/g; s/STOP/2/g; s/\bN\b/50/g; s/BY/"d"/; s/SET//' back.c >Graze/back.c
$cc -IGraze -o Graze/back Graze/back.c Graze/Graze.c -lm
Graze/back >/dev/null && fail "adjoint over a grazing event"
# more events in a step than there is room for, and room for them
sed 's/MODEL\.h/Bounce.h/; s/MODEL/Bounce/g; s/STOP/3/g; s/\bN\b/1/g; s/BY/"e","g","h0","v.start"/; s/SET//' back.c >many.c
$cc -IBounce_back -o many many.c Bounce_back/Bounce.c -lm && ./many >/dev/null && fail "more events than there is room for"
$cc -DBounce_ADJOINT_EVENTS=20 -IBounce_back -o many many.c Bounce_back/Bounce.c -lm && ./many >/dev/null ||
    fail "room for 20 events"
"$rung" compile models.mo --model Graze --kind single-file --sensitivity d -q -o Graze || fail "Graze: compile"
drive Graze Graze 2 50 && fail "grazing event"
grep -q 'models.mo:.*no derivative by parameters' Graze.txt || fail "grazing event: $(cat Graze.txt)"
expect 1 'delay() is not differentiated' "$rung" compile models.mo --model Late --kind library --sensitivity tau -o no
expect 1 'the model has no such parameter' "$rung" compile models.mo --model Motor --kind library --sensitivity q -o no
expect 2 'are for libraries' "$rung" compile models.mo --model Motor --sensitivity k -o no
expect 1 'delay() is not differentiated' "$rung" compile models.mo --model Late --kind library --adjoint tau -o no
expect 2 '--sensitivity or --adjoint' "$rung" compile models.mo --model Motor --kind library --adjoint k --sensitivity k -o no
expect 2 'without --lanes' "$rung" compile models.mo --model Motor --kind library --lanes 4 --sensitivity k -o no
exit $failed
