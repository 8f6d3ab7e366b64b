#!/bin/sh
# rung compile --kind library, single-file, embedded: two models in one program, in C and C++; their
# numbers against those of `rung simulate` and `rung linearize`; what they need of others.
# usage: library.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
models=$source/tests/e2e/linearize
warnings="-Wall -Wextra -Wconversion -Wpedantic -Werror"
cc=${CC:-cc}
cxx=${CXX:-c++}
for model in cart tank; do
    "$rung" compile "$models/$model.mo" --kind library -q -o $model || fail "$model: library"
    make -s -C $model lib example CFLAGS="-O1 $warnings" || fail "$model: make"
    ./$model/example >$model.example || fail "$model: example"
    "$rung" compile "$models/$model.mo" --kind single-file -q -o $model.single || fail "$model: one file"
    "$rung" compile "$models/$model.mo" --kind embedded -q -o $model.small || fail "$model: embedded"
    for folder in $model.single $model.small; do
        cp -r $folder built && make -s -C built lib example CFLAGS="-O0 $warnings" &&
            ./built/example >$folder.example && [ -s built/README.md ] && [ -s built/CMakeLists.txt ] ||
            fail "$folder: what builds it"
        rm -rf built
    done
    cmp $model.example $model.single.example || fail "$model: examples of two kinds"
    "$rung" compile "$models/$model.mo" --kind embedded --real float -q -o $model.float || fail "$model: float"
done
# nothing but the model's own names leaves a library, which needs the C library alone
for model in cart:Cart tank:Tank; do
    id=${model#*:} model=${model%:*}
    nm -g --defined-only $model/lib$id.a | awk 'NF == 3 { print $3 }' | grep -v "^${id}_" &&
        fail "$model: symbols without its name"
    for kind in single small float; do
        $cc -std=c11 -O1 $warnings -c -o $model.$kind.o $model.$kind/$id.c || fail "$model: $kind"
        ! command -v clang >/dev/null ||
            clang -std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror $model.$kind/$id.c ||
            fail "$model: $kind by clang"
        nm -g --defined-only $model.$kind.o | awk '{ print $3 }' | grep -v "^${id}_" &&
            fail "$model: symbols without its name: $kind"
    done
    nm -u $model.small.o $model.float.o | awk 'NF == 2 { print $2 }' |
        grep -vE '^(mem(cpy|set|move|cmp)|(sqrt|fabs|sin|cos|fmin|fmax|pow|sincos)f?|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$' &&
        fail "$model: an embedded target needs more than it has"
done
cat >pair.c <<'END'
#include "Cart.h"
#include "Tank.h"
#include <stdio.h>
#ifdef REAL
#define double REAL
#endif
static Cart_Instance cart;
static Tank_Instance tank;
int main(void)
{
    double x[Cart_N_STATES], y[Cart_N_OUTPUTS], h[Tank_N_STATES], q[Tank_N_OUTPUTS], error;
    int k, status;
    Cart_defaults(&cart);
    Tank_defaults(&tank);
    Cart_set(&cart, Cart_PARAMETER_m, (double)0.3);
    status = Cart_init(&cart, 0, x) || Tank_init(&tank, 0, h);
    x[Cart_STATE_phi] = (double)0.5;
    cart.u[Cart_INPUT_F] = 1;
    tank.u[Tank_INPUT_inflow] = (double)0.25;
    for (k = 0; k < 200 && !status; k++)
        status = Cart_step(&cart, (double)k / 100, (double)0.01, x, &error) ||
                 Tank_step(&tank, (double)k / 100, (double)0.01, h, &error);
    status = status || Cart_outputs(&cart, 2, x, y) || Tank_outputs(&tank, 2, h, q);
    printf("%.12g %.12g %.12g %.12g\n", (double)y[Cart_OUTPUT_s], (double)y[Cart_OUTPUT_phi],
           (double)q[Tank_OUTPUT_h], (double)q[Tank_OUTPUT_q]);
    return status;
}
END
$cc -std=c11 $warnings -Icart -Itank -o both.library pair.c cart/libCart.a tank/libTank.a -lm || fail "C"
$cxx -x c++ $warnings -Icart -Itank -o both.cxx pair.c -x none cart/libCart.a tank/libTank.a -lm || fail "C++"
for kind in single small; do
    $cc -std=c11 $warnings -Icart.$kind -Itank.$kind -o both.$kind pair.c cart.$kind.o tank.$kind.o -lm ||
        fail "both: $kind"
done
$cc -std=c11 -DREAL=float -Icart.float -Itank.float -o both.float pair.c cart.float.o tank.float.o -lm ||
    fail "both: float"
for kind in library cxx single small float; do
    ./both.$kind >both.$kind.txt || fail "both: $kind: $(cat both.$kind.txt)"
done
sed 's/phi(start = [^)]*)/phi(start = 0.5)/; s/ m = 0.2/ m = 0.3/; s/Real F;/Real F(start = 1);/' \
    "$models/cart.mo" >cart_moved.mo
sed 's/start = 0.2/start = 0.25/' "$models/tank.mo" >tank_moved.mo
for model in cart tank; do
    "$rung" simulate ${model}_moved.mo --stop 2 --interval 1 --tolerance 1e-11 -q -o $model.csv || fail "$model: run"
    "$rung" linearize "$models/$model.mo" -q -o $model.json || fail "$model: linearize"
done
cat >derivatives.c <<'END'
#include "Cart.h"
#include "Tank.h"
#include <stdio.h>
static Cart_Instance cart;
static Tank_Instance tank;
int main(void)
{
    double x[Cart_N_STATES], h[Tank_N_STATES], xdot[Cart_N_STATES], r[1];
    double a[Cart_JACOBIAN_ROWS*Cart_JACOBIAN_COLUMNS], b[Tank_JACOBIAN_ROWS*Tank_JACOBIAN_COLUMNS];
    double e[Cart_N_ENTRIES];
    unsigned c, k;
    Cart_defaults(&cart);
    Tank_defaults(&tank);
    if (Cart_init(&cart, 0, x) || Tank_init(&tank, 0, h) || Cart_jacobian(&cart, 0, x, a) ||
        Tank_jacobian(&tank, 0, h, b) || Cart_entries(&cart, 0, x, e))
        return 1;
    for (c = 0; c < Cart_JACOBIAN_COLUMNS; c++)
        for (k = Cart_column[c]; k < Cart_column[c + 1]; k++)
            if (a[c*Cart_JACOBIAN_ROWS + Cart_row[k]] != e[k])
                return 2;
    for (k = 0; k < sizeof a / sizeof *a; k++)
        printf("%.17g ", a[k]);
    puts("");
    for (k = 0; k < sizeof b / sizeof *b; k++)
        printf("%.17g ", b[k]);
    puts("");
    /* the residual form vanishes where it is given what the explicit form finds */
    cart.u[Cart_INPUT_F] = 3;
    x[Cart_STATE_phi] = 0.4;
    x[Cart_STATE_w] = 2;
    if (Cart_xdot(&cart, 0, x, xdot))
        return 3;
    for (k = 0; k < 2; k++) { /* the tearing variable is the one or the other */
        double found = xdot[k ? Cart_STATE_w : Cart_STATE_v];
        if (Cart_residual(&cart, 0, x, &found, r))
            return 4;
        printf("%.3g ", r[0]);
    }
    puts("");
    return 0;
}
END
$cc -std=c11 -Icart -Itank -o derivatives derivatives.c cart/libCart.a tank/libTank.a -lm &&
    ./derivatives >derivatives.txt || fail "derivatives"
python3 - <<'END' || fail "numbers"
import csv, json, sys
bad = 0
def last(name, columns):
    rows = list(csv.reader(open(name)))
    return [float(rows[-1][rows[0].index(c)]) for c in columns]
right = last("cart.csv", ["s", "phi"]) + last("tank.csv", ["h", "q"])
for kind, eps in ("library", 1e-9), ("cxx", 1e-9), ("single", 1e-9), ("small", 1e-9), ("float", 2e-5):
    got = [float(x) for x in open("both.%s.txt" % kind).read().split()]
    if not all(abs(a - b) <= eps*(1 + abs(b)) for a, b in zip(got, right)) or len(got) != 4:
        print(kind, got, right); bad = 1
lines = open("derivatives.txt").read().splitlines()
for model, line in ("cart", lines[0]), ("tank", lines[1]):
    s, got = json.load(open(model + ".json")), [float(x) for x in line.split()]
    rows = [a + b for a, b in zip(s["A"] + s["C"], s["B"] + s["D"])]
    right = [row[c] for c in range(len(rows[0])) for row in rows]
    if len(got) != len(right) or not all(abs(a - b) <= 1e-9*(1 + abs(b)) for a, b in zip(got, right)):
        print(model, got, right); bad = 1
r = [abs(float(x)) for x in lines[2].split()]
if min(r) > 1e-13 or max(r) < 1e-3:
    print("residual form", r); bad = 1
sys.exit(bad)
END
# what docs/c-library.md shows
awk '/^```(modelica|c) / { file = $2; next } /^```/ { file = "" } file { print >file }' "$source/docs/c-library.md"
for model in motor drum; do
    "$rung" compile $model.mo --kind library -q -o $model.shown && make -s -C $model.shown lib || fail "shown: $model"
done
$cc -std=c11 $warnings -o shown both.c -Imotor.shown -Idrum.shown motor.shown/libMotor.a drum.shown/libDrum.a -lm &&
    ./shown >shown.txt || fail "shown: C"
$cxx -x c++ $warnings -o shown both.c -Imotor.shown -Idrum.shown -x none motor.shown/libMotor.a drum.shown/libDrum.a -lm &&
    ./shown >shown.cxx.txt && cmp shown.txt shown.cxx.txt || fail "shown: C++"
sed -i 's/R(unit = "Ohm") = 2/R = 1.5/; s/input Real u(/input Real u(start = 24, /' motor.mo
"$rung" simulate motor.mo --stop 1 --interval 1 --tolerance 1e-10 -q -o motor.csv || fail "shown: run"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "\"w\"") c = k } END { printf "w = %.6f\n", $c }' motor.csv >w.txt
grep -qF "$(cat w.txt)," shown.txt && grep -qx 'd der(i) / d u = 2' shown.txt || fail "shown: $(cat w.txt shown.txt)"
# an equation may be written in any unit: rows are scaled where pivots are chosen, as in a run
cat >scaled.mo <<'MO'
model Scaled
  parameter Real k = 1e18;
  output Real a(start = 0.5), b(start = 0.5), c(start = 0.5);
equation
  a + k*b + c = k + 2;
  a^3 + b + c = 3;
  a + b^3 - c = 1;
end Scaled;
MO
cat >scaled.c <<'END'
#include "Scaled.h"
#include <math.h>
static Scaled_Instance m;
int main(void)
{
    double y[Scaled_N_OUTPUTS], most = 0;
    Scaled_defaults(&m);
    if (Scaled_init(&m, 0, 0) || Scaled_outputs(&m, 0, 0, y))
        return 1;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(y[k] - 1));
    return most > 1e-12;
}
END
"$rung" compile scaled.mo --kind single-file -q -o scaled &&
    $cc -std=c11 $warnings -Iscaled -o scaled.run scaled.c scaled/Scaled.c -lm && ./scaled.run || fail "scaled rows"
refused() { # status, what it says, arguments
    status=$1 text=$2
    shift 2
    "$rung" compile "$@" -o refused >out.txt 2>err.txt
    got=$?
    [ $got -eq "$status" ] || fail "compile $*: exit status $got"
    grep -q "$text" err.txt || fail "compile $*: $(cat err.txt)"
    [ ! -e refused ] || fail "compile $*: leaves files"
}
refused 1 'calls the external C function' "$source/tests/sim/language/CalledAtEvents.mo" --kind embedded
refused 1 'its kinematic loops are cut' --model Linkage.Benchmarks.SliderCrank --loops ali3p --kind embedded
refused 2 'is for --kind program' "$models/cart.mo" --kind library --method esdirk
refused 2 'are for libraries' "$models/cart.mo" --real float
refused 2 'does not know' "$models/cart.mo" --kind staple
exit $failed
