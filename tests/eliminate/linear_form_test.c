/* A series of forms against forms made one by one. */
#include "eliminate/block/linear_form.h"
#include "tests/eliminate/fixture.h"

#include <stdlib.h>

enum { N = 40 };

typedef struct Names {
    Fixture f;
    ExprId x[N], k[N];
    bool *is_unknown;
} Names;

static Names names(void)
{
    Names n = {.f = fixture()};
    for (int i = 0; i < N; i++) {
        n.x[i] = unknown(&n.f, name_printf(n.f.s->names, "x%d", i).s);
        n.k[i] = unknown(&n.f, name_printf(n.f.s->names, "k%d", i).s);
    }
    n.is_unknown = arena_array(n.f.mem, bool, n.f.s->var.n);
    for (int i = 0; i < N; i++)
        n.is_unknown[expr_var_of(n.f.p, n.x[i]).i] = true;
    return n;
}

/* k0*(k1*(... + x1) + x2) ...: holds the unknowns up to n. */
static ExprId nested(Names *w, int n)
{
    ExprPool *p = w->f.p;
    ExprId sum = w->x[0];
    for (int i = 1; i < n; i++)
        sum = expr_add(p, expr_mul(p, sum, w->k[i]), w->x[i]);
    return sum;
}

static void same_forms(const LinearForm *a, const LinearForm *b, unsigned seed)
{
    cr_assert_eq(a->is_linear, b->is_linear, "seed %u", seed);
    cr_assert_eq(a->n, b->n, "seed %u: %u unknowns, %u", seed, a->n, b->n);
    for (uint32_t i = 0; i < a->n; i++) {
        cr_assert_eq(a->var[i].i, b->var[i].i, "seed %u", seed);
        cr_assert_eq(a->coeff[i].i, b->coeff[i].i, "seed %u", seed);
    }
    cr_assert_eq(a->rest.i, b->rest.i, "seed %u", seed);
}

Test(linear, a_series_agrees_with_single_forms)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        Names w = names();
        ExprPool *p = w.f.p;
        srand(seed);
        Substitution none = {0};
        Series series = series_new(w.f.s, w.is_unknown, w.f.mem);
        series.cancels = seed % 2;
        ExprId deep = nested(&w, N);
        for (int e = 0; e < 12; e++) {
            ExprId near = nested(&w, 2 + rand() % 5), t = w.k[rand() % N];
            ExprId sum = expr_sub(p, expr_mul(p, expr_add(p, deep, near), t), expr_mul(p, deep, t));
            if (rand() % 3 == 0)
                sum = expr_add(p, sum, w.k[rand() % N]);
            if (rand() % 4 == 0)
                sum = expr_add(p, sum, deep);
            if (rand() % 5 == 0)
                sum = expr_mul(p, sum, w.x[rand() % N]);
            if (rand() % 4 == 0)
                sum = expr_select(p, expr_compare(p, OP_LT, t, w.k[0]), sum, near);
            LinearForm together = series_form(&series, &none, sum, w.f.mem);
            LinearForm alone = linear_form(w.f.s, w.is_unknown, &none, sum, w.f.mem);
            same_forms(&together, &alone, seed);
            VarId *a, *b;
            uint32_t n = series_unknowns(&series, sum, UINT32_MAX - 1, w.f.mem, &a);
            cr_assert_eq(n, unknowns_of(w.f.s, w.is_unknown, sum, UINT32_MAX - 1, w.f.mem, &b));
            cr_assert_eq(n > 0 ? memcmp(a, b, n * sizeof *a) : 0, 0, "seed %u", seed);
            if (rand() % 4 == 0) {
                w.is_unknown[expr_var_of(p, w.k[rand() % N]).i] ^= true;
                series_restart(&series);
            }
        }
        fixture_done(&w.f);
    }
}

Test(linear, what_cancels_is_not_built)
{
    Names w = names();
    ExprPool *p = w.f.p;
    Substitution none = {0};
    Series series = series_new(w.f.s, w.is_unknown, w.f.mem);
    series.cancels = true;
    ExprId deep = nested(&w, N), t = w.k[0];
    ExprId sum = expr_sub(p, expr_mul(p, expr_add(p, deep, w.x[3]), t), expr_mul(p, deep, t));
    uint32_t before = pool_size(p);
    LinearForm form = series_form(&series, &none, sum, w.f.mem);
    cr_assert_eq(form.n, 1);
    cr_assert_eq(form.var[0].i, expr_var_of(p, w.x[3]).i);
    cr_assert(expr_same(form.coeff[0], t));
    cr_assert_eq(expr_is_zero(p, form.rest), YES);
    cr_assert_leq(pool_size(p) - before, 4, "%u nodes", pool_size(p) - before);
    fixture_done(&w.f);
}
