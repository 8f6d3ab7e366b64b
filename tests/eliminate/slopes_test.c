/* The check of derivatives finds one wrong entry of a Jacobian. */
#include "eliminate/verify/slopes.h"

#include "eliminate/prepare/differentiate.h"
#include "tests/eliminate/fixture.h"

enum { N = 3 };

static Slopes checked(const Program *g, Arena *mem)
{
    Exact *at = exact_new(g->sys, mem, 11, &verify_prime[0]);
    DualNumbers d = dual_new(at, mem);
    Slopes s = {.g = g, .at = &d, .mem = mem};
    slopes_check(&s);
    cr_assert(!exact_is_poor(at));
    exact_done(at);
    return s;
}

Test(slopes, each_entry_of_a_blocks_matrix_is_checked)
{
    Fixture f = fixture();
    ExprPool *p = f.p;
    VarId v[N];
    ExprId x[N], residual[N], entry[N * N];
    for (uint32_t k = 0; k < N; k++) {
        x[k] = unknown(&f, name_printf(f.s->names, "x%u", k).s);
        v[k] = expr_var_of(p, x[k]);
    }
    for (uint32_t k = 0; k < N; k++) {
        ExprId y = expr_fn(p, FN_SIN, x[(k + 1) % N]);
        residual[k] = expr_sub(p, expr_mul(p, x[k], y), expr_fn(p, FN_EXP, x[(k + 2) % N]));
    }
    uint32_t col_start[N + 1] = {0, N, 2 * N, 3 * N}, row[N * N];
    EqId eq[N] = {{0}, {1}, {2}};
    for (uint32_t c = 0; c < N; c++)
        for (uint32_t k = 0; k < N; k++) {
            Differentiator d = differentiator_partial(f.s, v[c], f.mem);
            row[c * N + k] = k;
            entry[c * N + k] = differentiate(&d, residual[k]);
        }
    NonlinearBlock block = {.n = N,
                            .unknown = v,
                            .eq = eq,
                            .residual = residual,
                            .col_start = col_start,
                            .row = row,
                            .entry = entry};
    Program g = {.sys = f.s, .n_blocks = 1, .block = &block};
    Slopes s = checked(&g, f.mem);
    cr_assert(!s.failed, "%s", s.failed);
    cr_assert_eq(s.n_rows, N);
    for (uint32_t k = 0; k < N * N; k++) {
        ExprId right = entry[k];
        entry[k] = expr_add(p, right, expr_ratio(p, 1, 1000));
        s = checked(&g, f.mem);
        cr_assert(s.failed && s.failed_row == row[k], "entry %u", k);
        entry[k] = right;
    }
    fixture_done(&f);
}
