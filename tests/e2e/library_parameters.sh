#!/bin/sh
# rung compile --parameters: derivatives by parameters in a library, against central differences of its
# own functions, for parameters that others follow from, that are in blocks solved at run time, and in
# mechanisms; together with the residual form.
# usage: library_parameters.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
cc="${CC:-cc} -std=c11 -O0 -Wall -Wextra -Wconversion -Wpedantic -Werror"
cat >chained.mo <<'MO'
model Chained "areas follow from diameters, a level is solved for"
  parameter Real d = 0.3, length = 2*d, k(start = 0.7);
  parameter Real area = 3.14159*d^2/4, volume = area*length;
  parameter Integer n = 2;
  final parameter Real fixed = volume + d;
  input Real u(start = 0.5);
  output Real x(start = 1), y, q;
  Real z(start = 1);
equation
  z + 0.2*z^3 + k*z = x + volume;
  der(x) = u - k*area*z + sin(length*x)*n;
  y = fixed*z + x;
  q = k*x;
end Chained;
MO
cat >test.c <<'END'
#include "MODEL.h"
#include <math.h>
#include <stdio.h>
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define M(x) JOIN(MODEL, x)
enum { ROWS = M(_JACOBIAN_ROWS), COLUMNS = M(_JACOBIAN_COLUMNS) };
static M(_Instance) m;
static int rows(const double *x, double *out)
{
    return M(_update)(&m) || M(_xdot)(&m, 0.3, x, out) || M(_outputs)(&m, 0.3, x, out + M(_N_STATES));
}
static const struct { unsigned parameter, column; } by[] = {BY};
int main(void)
{
    static double x[M(_N_STATES)], a[ROWS * COLUMNS], high[ROWS + 1], low[ROWS + 1];
    double worst = 0;
    M(_defaults)(&m);
    if (M(_init)(&m, 0.3, x))
        return 1;
    for (unsigned k = 0; k < M(_N_STATES); k++)
        x[k] += 0.3 * sin(1 + 3.7 * k);
    if (M(_jacobian)(&m, 0.3, x, a)) {
        puts(M(_why)(&m));
        return 2;
    }
    for (unsigned k = 0; k < sizeof by / sizeof *by; k++) {
        const unsigned p = by[k].parameter;
        const M(_Instance) before = m;
        const double value = m.p[p], h = 1e-5 * (1 + fabs(value));
        M(_set)(&m, p, value + h);
        if (rows(x, high))
            return 3;
        M(_set)(&m, p, value - h);
        if (rows(x, low))
            return 3;
        m = before;
        for (unsigned r = 0; r < ROWS; r++) {
            const double d = (high[r] - low[r]) / (2 * h), got = a[by[k].column * ROWS + r];
            worst = fmax(worst, fabs(d - got) / (1 + fabs(d)));
            if (fabs(d - got) > 1e-6 * (1 + fabs(d)))
                printf("row %u by parameter %u: %g, differences %g\n", r, p, got, d);
        }
    }
    printf("%.1e off\n", worst);
    return worst > 1e-6;
}
END
# NAME MODEL-IDENTIFIER how it is compiled: all parameters of the pattern are checked
check() {
    name=$1 id=$2
    shift 2
    "$rung" compile "$@" --kind single-file -q -o "$name" || fail "$name: compile"
    by=$(sed -n "s/^    ${id}_COLUMN_\([A-Za-z0-9_]*\) = .*/{${id}_PARAMETER_\1, ${id}_COLUMN_\1}, /p" "$name/$id.h" | tr -d '\n')
    [ -n "$by" ] || fail "$name: no columns"
    sed "s/MODEL\.h/$id.h/; s/MODEL/$id/g; s/{BY}/{$by}/" test.c >"$name/test.c"
    $cc -I"$name" -o "$name/test" "$name/test.c" "$name/$id.c" -lm && ./"$name"/test || fail "$name"
}
check chained Chained chained.mo --parameters '*'
check cart Cart "$source/tests/e2e/linearize/cart.mo" --parameters 'm,l'
large && check motor Motor "$source/tests/e2e/linearize/motor.mo" --parameters '*'
check chain Linkage_Examples_AlternatingPendulum --model 'Linkage.Examples.AlternatingPendulum(n=3)' --parameters 'm,l'
large && check fourbar Linkage_Benchmarks_SpatialFourBar --model Linkage.Benchmarks.SpatialFourBar --parameters 'crank*'
# the Jacobian and the residual form are in one program
grep -q 'Chained_entries\|Chained_jacobian' chained/Chained.h && grep -q Cart_residual cart/Cart.h &&
    grep -q Cart_COLUMN_m cart/Cart.h || fail "residual form and derivatives"
# a parameter that is set follows from nothing any more
cat >set.c <<'END'
#include "Chained.h"
#include <stdio.h>
static Chained_Instance m;
int main(void)
{
    double x[Chained_N_STATES], a[Chained_JACOBIAN_ROWS * Chained_JACOBIAN_COLUMNS];
    Chained_defaults(&m);
    Chained_set(&m, Chained_PARAMETER_length, 1);
    Chained_set(&m, Chained_PARAMETER_area, 0);
    if (Chained_init(&m, 0, x) || Chained_jacobian(&m, 0, x, a))
        return 1;
    /* d enters by these two alone, and by fixed */
    printf("%g %g\n", a[Chained_COLUMN_d * Chained_JACOBIAN_ROWS],
           a[Chained_COLUMN_length * Chained_JACOBIAN_ROWS]);
    return !(a[Chained_COLUMN_d * Chained_JACOBIAN_ROWS] == 0 &&
             a[Chained_COLUMN_length * Chained_JACOBIAN_ROWS] != 0);
}
END
$cc -Ichained -o set set.c chained/Chained.c -lm && ./set || fail "set"
# steps are the same as without these derivatives
cat >steps.c <<'END'
#include "Chained.h"
#include <stdio.h>
static Chained_Instance m;
int main(void)
{
    double x[Chained_N_STATES], error = 0;
    int status;
    Chained_defaults(&m);
    status = Chained_init(&m, 0, x);
    for (int k = 0; k < 20 && !status; k++)
        status = Chained_step(&m, k / 10.0, 1 / 10.0, x, &error);
    printf("%d %.17g %.17g\n", status, x[0], error);
    return status;
}
END
"$rung" compile chained.mo --kind single-file -q -o few || fail "compile"
for dir in few chained; do
    $cc -I$dir -o $dir.steps steps.c $dir/Chained.c -lm && ./$dir.steps >$dir.txt || fail "steps of $dir"
done
cmp few.txt chained.txt || fail "steps change with derivatives by parameters"
refused() { # status, what it says, arguments
    status=$1 text=$2
    shift 2
    "$rung" compile "$@" -o refused >out.txt 2>err.txt
    [ $? -eq "$status" ] || fail "compile $*: exit status"
    grep -q "$text" err.txt || fail "compile $*: $(cat err.txt)"
}
refused 1 "no parameter that can be set of type Real is called like 'fixed'" chained.mo --kind library --parameters fixed
refused 2 'are for libraries' chained.mo --parameters d
refused 2 'leave out' chained.mo --kind library --parameters d --jacobian dense
exit $failed
