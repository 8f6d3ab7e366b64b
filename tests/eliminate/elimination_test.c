#include "eliminate/block/elimination.h"
#include "eliminate/block/linear_form.h"
#include "ir/sample.h"
#include "tests/eliminate/fixture.h"

#include <stdlib.h>

/* A random regular sparse matrix of parameters, in a random order of rows and columns. Solving
 * must give unknowns that satisfy every row: with fingerprints, zero is recognised on building. */
Test(matrix, solution_satisfies_the_rows_in_any_order)
{
    enum { N = 12 };
    for (unsigned seed = 1; seed <= 30; seed++) {
        Fixture f = fixture();
        srand(seed);
        ExprId a[N][N];
        ExprId b[N];
        for (int i = 0; i < N; i++) {
            b[i] = parameter(&f, name_printf(f.s->names, "b%d", i).s);
            for (int j = 0; j < N; j++) {
                bool there = i == j || rand() % 4 == 0;
                a[i][j] = there ? parameter(&f, name_printf(f.s->names, "a%d_%d", i, j).s)
                                : expr_int(f.p, 0);
                if (there && rand() % 3 == 0)
                    a[i][j] = expr_int(f.p, rand() % 2 ? 1 : -1);
            }
        }
        ExprId first[N];
        for (int order = 0; order < 2; order++) {
            int place[N];
            for (int k = 0; k < N; k++)
                place[k] = order ? N - 1 - k : k;
            Matrix m = matrix_new(f.p, N, N, f.mem);
            for (int i = 0; i < N; i++) {
                for (int j = 0; j < N; j++) {
                    if (!expr_is(f.p, a[i][j], 0))
                        matrix_set(&m, (uint32_t)place[i], (uint32_t)place[j], a[i][j]);
                }
                m.rhs[place[i]] = b[i];
            }
            uint32_t k = 0;
            while (k < N && expr_exists(matrix_entry(&m, k, k))) {
                matrix_pivot(&m, k, k);
                k++;
            }
            if (k < N)
                break; /* singular */
            ExprId x[N];
            matrix_solve(&m, x);
            for (int i = 0; i < N; i++) {
                ExprId r = b[i];
                for (int j = 0; j < N; j++)
                    r = expr_sub(f.p, r, expr_mul(f.p, a[i][j], x[place[j]]));
                cr_assert_eq(expr_is_zero(f.p, r), YES, "seed %u, row %d", seed, i);
            }
            for (int k = 0; k < N; k++) {
                if (order == 0)
                    first[k] = x[place[k]];
                else
                    cr_assert(expr_same(first[k], x[place[k]]), "seed %u: orders disagree", seed);
            }
        }
        fixture_done(&f);
    }
}

Test(matrix, an_entry_that_cancels_is_gone)
{
    Fixture f = fixture();
    ExprId p = parameter(&f, "p");
    Matrix m = matrix_new(f.p, 2, 2, f.mem);
    matrix_set(&m, 0, 0, p);
    matrix_set(&m, 0, 1, expr_mul(f.p, p, p));
    matrix_set(&m, 1, 0, expr_int(f.p, 1));
    matrix_set(&m, 1, 1, p);
    matrix_pivot(&m, 0, 0);
    cr_assert(!expr_exists(matrix_entry(&m, 1, 1)), "the second row is a multiple of the first");
    fixture_done(&f);
}

/* p x + p y = c, y = d: where p is zero the divisor is, and it varies with c. */
Test(matrix, an_open_pivot_is_met_where_the_unknown_is_asked_for)
{
    const long p_is[] = {0, 2}, c_is[] = {3, 3};
    for (int k = 0; k < 2; k++) {
        Fixture f = fixture();
        ExprId p = parameter(&f, "p"), c = unknown(&f, "c"), d = parameter(&f, "d");
        f.s->var.at[expr_var_of(f.p, p).i].binding = expr_int(f.p, p_is[k]);
        f.s->var.at[expr_var_of(f.p, c).i].attr.start = expr_int(f.p, c_is[k]);
        f.s->var.at[expr_var_of(f.p, d).i].binding = expr_int(f.p, 5);
        Matrix m = matrix_new(f.p, 2, 2, f.mem);
        matrix_set(&m, 0, 0, p);
        matrix_set(&m, 0, 1, p);
        matrix_set(&m, 1, 1, expr_int(f.p, 1));
        m.rhs[0] = c;
        m.rhs[1] = d;
        matrix_pivot_open(&m, 0, 0);
        matrix_pivot(&m, 1, 1);
        ExprId x[2];
        matrix_solve(&m, x);
        Sample sample = sample_new(f.s, f.mem);
        double divisor = sample_value(&sample, m.step.at[0].pivot);
        cr_assert_eq(divisor, (double)p_is[k]);
        cr_assert(!expr_is_fixed(f.p, m.step.at[0].pivot));
        cr_assert(k == 0 || sample_start(&sample, x[0]) == -3.5);
        fixture_done(&f);
    }
}

Test(linear, form_reproduces_the_residual)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    ExprId y = unknown(&f, "y");
    ExprId k = parameter(&f, "k");
    ExprId known = unknown(&f, "known");
    bool is_unknown[4] = {true, true, false, false};
    ExprId value[4] = {EXPR_NONE, EXPR_NONE, EXPR_NONE, expr_mul(f.p, k, k)};
    Substitution values = {.value = value, .n = 4, .mem = f.mem};
    /* k*(x - known*y) + x/k - 3 */
    ExprId r = expr_add(f.p, expr_mul(f.p, k, expr_sub(f.p, x, expr_mul(f.p, known, y))),
                        expr_sub(f.p, expr_div(f.p, x, k), expr_int(f.p, 3)));
    LinearForm form = linear_form(f.s, is_unknown, &values, r, f.mem);
    cr_assert(form.is_linear);
    cr_assert_eq(form.n, 2);
    ExprId again = form.rest;
    again = expr_add(f.p, again, expr_mul(f.p, form.coeff[0], x));
    again = expr_add(f.p, again, expr_mul(f.p, form.coeff[1], y));
    cr_assert(expr_same(again, expr_substitute(f.p, &values, r)));
    LinearForm square = linear_form(f.s, is_unknown, &values, expr_mul(f.p, x, y), f.mem);
    cr_assert(!square.is_linear);
    cr_assert_eq(square.n, 2);
    fixture_done(&f);
}
