/* Instances of graph/sparse_elimination.inc, expressions and residues, against each other and
 * against dense elimination of fractions, on random matrices with random pivots. What the search
 * counts is compared with expressions in cost_test.c. */
#include "base/hash.h"
#include "eliminate/block/elimination.h"
#include "eliminate/structure.h"
#include "eliminate/verify/exact.h"
#include "graph/symbolic_lu.h"
#include "tests/eliminate/fixture.h"

enum { N = 7 };

typedef struct Random {
    uint64_t state;
} Random;

static uint32_t any(Random *r, uint32_t n)
{
    r->state = hash_word(r->state);
    return (uint32_t)(r->state >> 32) % n;
}

/* Few different values, so that entries are equal and cancel. */
static ExprId entry(Fixture *f, Random *r, const ExprId *leaf)
{
    ExprId x = leaf[any(r, 4)];
    switch (any(r, 5)) {
    case 0:
        return expr_int(f->p, 1);
    case 1:
        return expr_int(f->p, -1);
    case 2:
        return expr_mul(f->p, x, leaf[any(r, 4)]);
    case 3:
        return expr_neg(f->p, x);
    default:
        return x;
    }
}

typedef struct Case {
    Fixture f;
    LinearForm form[N];
    EqId eq[N];
    VarId var[N];
    Matrix m;
    Incidence g;
} Case;

static Case case_of(uint64_t seed)
{
    Case c = {.f = fixture()};
    Fixture *f = &c.f;
    Random r = {seed};
    ExprId leaf[4];
    char name[16];
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "x%d", k);
        leaf[k] = k ? unknown(f, name) : parameter(f, name);
    }
    c.m = matrix_new(f->p, N, N, f->mem);
    for (uint32_t k = 0; k < N; k++) {
        snprintf(name, sizeof name, "u%u", k);
        c.var[k] = variable(f, VAR_CONTINUOUS, name);
        equation(f, expr_int(f->p, 0), expr_int(f->p, 0));
        c.eq[k] = (EqId){k};
    }
    for (uint32_t k = 0; k < N; k++) {
        LinearForm *form = &c.form[k];
        *form = (LinearForm){.is_linear = true,
                             .var = arena_array(f->mem, VarId, N),
                             .coeff = arena_array(f->mem, ExprId, N),
                             .rest = expr_neg(f->p, leaf[any(&r, 4)])};
        for (uint32_t i = 0; i < N; i++) {
            if (i != k && any(&r, 3))
                continue;
            ExprId x = entry(f, &r, leaf);
            form->var[form->n] = c.var[i];
            form->coeff[form->n++] = x;
            matrix_set(&c.m, k, i, x);
        }
        c.m.rhs[k] = expr_neg(f->p, form->rest);
    }
    Sample sample = sample_new(f->s, f->mem);
    c.g = structure_of_block(f->s, &sample, N, c.eq, c.var, c.form, f->mem);
    return c;
}

/* A random entry among rows and columns that were no pivot's; false if none is left. */
static bool next_pivot(const Matrix *m, Random *r, uint32_t *row, uint32_t *col)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = 0; k < N; k++)
            if (!m->row_done[i] && !m->col_done[k] && expr_exists(matrix_entry(m, i, k)) &&
                any(r, ++n) == 0) {
                *row = i;
                *col = k;
            }
    return n > 0;
}

static void eliminate_dense(mpq_t a[N][N + 1], const bool *done, uint32_t row, uint32_t col)
{
    mpq_t factor, x;
    mpq_inits(factor, x, NULL);
    for (uint32_t i = 0; i < N; i++) {
        if (i == row || done[i])
            continue;
        mpq_div(factor, a[i][col], a[row][col]);
        for (uint32_t k = 0; k <= N; k++) {
            mpq_mul(x, factor, a[row][k]);
            mpq_sub(a[i][k], a[i][k], x);
        }
    }
    mpq_clears(factor, x, NULL);
}

/* The rows that are left have the dense matrix's values, and no entry where it has a zero. */
static void compare_dense(const Case *c, Exact *e, mpq_t a[N][N + 1], uint64_t seed)
{
    for (uint32_t i = 0; i < N; i++) {
        if (c->m.row_done[i])
            continue;
        for (uint32_t k = 0; k < N; k++) {
            ExprId x = matrix_entry(&c->m, i, k);
            cr_assert_eq(expr_exists(x), mpq_sgn(a[i][k]) != 0, "seed %lu: %u, %u", seed, i, k);
            if (expr_exists(x))
                cr_assert(mpq_equal(exact_value(e, x).q, a[i][k]), "seed %lu: %u, %u", seed, i, k);
        }
        cr_assert(mpq_equal(exact_value(e, c->m.rhs[i]).q, a[i][N]), "seed %lu: row %u", seed, i);
    }
}

static void compare_symbolic(const Case *c, const SymbolicLu *f, uint64_t seed)
{
    cr_assert(symbolic_lu_check(f), "seed %lu", seed);
    cr_assert(f->by_value);
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t k = 0; k < N && !c->m.row_done[i]; k++) {
            ExprId x = matrix_entry(&c->m, i, k);
            const SymbolicEntry *y = symbolic_lu_find(f, i, k);
            cr_assert_eq(expr_exists(x), y != NULL, "seed %lu: %u, %u", seed, i, k);
            if (y)
                cr_assert_eq(y->residue, expr_residue(c->f.p, x), "seed %lu: %u, %u", seed, i, k);
        }
    }
}

Test(sparse_elimination, agrees_with_dense_elimination_of_fractions)
{
    uint32_t n_regular = 0, n_cancelled = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Case c = case_of(seed);
        Exact *e = exact_new(c.f.s, c.f.mem, seed, NULL);
        SymbolicLu f = symbolic_lu_begin(&c.g, c.f.mem);
        Random r = {1000 + seed};
        mpq_t a[N][N + 1];
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = 0; k <= N; k++) {
                ExprId x = k < N ? matrix_entry(&c.m, i, k) : c.m.rhs[i];
                mpq_init(a[i][k]);
                if (expr_exists(x))
                    mpq_set(a[i][k], exact_value(e, x).q);
            }
        uint32_t row = 0, col = 0, n = 0;
        for (; next_pivot(&c.m, &r, &row, &col); n++) {
            uint64_t before = f.ops, estimate = symbolic_lu_estimate(&f, row, col);
            uint64_t n_fill = f.n_fill, fill_by = symbolic_lu_fill_by(&f, row, col);
            matrix_pivot(&c.m, row, col);
            symbolic_lu_pivot(&f, row, col);
            eliminate_dense(a, c.m.row_done, row, col);
            compare_dense(&c, e, a, seed);
            compare_symbolic(&c, &f, seed);
            cr_assert_eq(f.n_fill - n_fill, fill_by, "seed %lu", seed);
            cr_assert_geq(estimate, f.ops - before, "seed %lu", seed);
            n_cancelled += estimate > f.ops - before; /* which the estimate does not foresee */
        }
        if (n == N) {
            ExprId x[N];
            matrix_solve(&c.m, x);
            mpq_t sum, term;
            mpq_inits(sum, term, NULL);
            for (uint32_t i = 0; i < N; i++) {
                mpq_set(sum, exact_value(e, c.form[i].rest).q);
                for (uint32_t k = 0; k < c.form[i].n; k++) {
                    mpq_mul(term, exact_value(e, c.form[i].coeff[k]).q,
                            exact_value(e, x[c.form[i].var[k].i - c.var[0].i]).q);
                    mpq_add(sum, sum, term);
                }
                cr_assert_eq(mpq_sgn(sum), 0, "seed %lu: row %u", seed, i);
            }
            mpq_clears(sum, term, NULL);
            n_regular++;
        }
        cr_assert(!exact_is_poor(e));
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = 0; k <= N; k++)
                mpq_clear(a[i][k]);
        exact_done(e);
        fixture_done(&c.f);
    }
    cr_assert_gt(n_regular, 20);
    cr_assert_gt(n_cancelled, 20);
}
