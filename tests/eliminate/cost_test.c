/* What a trial counts is what elimination in the pool builds. */
#include "eliminate/block/cost.h"

#include "eliminate/block/elimination.h"
#include "ir/program.h"

#include "tests/eliminate/fixture.h"

enum { PAIRS = 7, ROWS = 10, COLS = 11 };

static ExprId any_entry(Fixture *f, const ExprId *of, uint32_t n, uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    ExprId x = of[(*seed >> 8) % n];
    return *seed >> 31 ? expr_neg(f->p, x) : x;
}

/* A cosine and a sine, parameters, numbers: few, so that sharing and congruences have something to
 * do. */
static ExprId *entries_of(Fixture *f, uint32_t *n)
{
    ExprId *of = arena_array(f->mem, ExprId, 10);
    ExprId q = unknown(f, "q");
    *n = 0;
    of[(*n)++] = expr_int(f->p, 1);
    of[(*n)++] = expr_int(f->p, -1);
    of[(*n)++] = expr_int(f->p, 3);
    of[(*n)++] = expr_fn(f->p, FN_COS, q);
    of[(*n)++] = expr_fn(f->p, FN_SIN, q);
    of[(*n)++] = unknown(f, "u");
    of[(*n)++] = unknown(f, "v");
    of[(*n)++] = system_var_expr(f->s, variable(f, VAR_PARAMETER, "k"));
    of[(*n)++] = system_var_expr(f->s, variable(f, VAR_PARAMETER, "m"));
    return of;
}

typedef struct Both {
    Matrix m;
    CostMatrix *t;
    bool wanted[PAIRS];
} Both;

static Both both_of(Fixture *f, uint32_t seed)
{
    uint32_t n;
    ExprId *of = entries_of(f, &n);
    Sample sample = sample_new(f->s, f->mem);
    SamplePoints w = sample_points_new(f->p, &sample, f->mem);
    Both b = {.m = matrix_new(f->p, ROWS, COLS, f->mem),
              .t = cost_matrix_new(f->p, ROWS, COLS, f->mem)};
    for (uint32_t r = 0; r < ROWS; r++) {
        for (uint32_t c = 0; c < COLS; c++) {
            seed = seed * 1664525u + 1013904223u;
            if (r != c && seed >> 30)
                continue;
            ExprId x = any_entry(f, of, n, &seed);
            Samples samples = sample_points_value(&w, x);
            matrix_set(&b.m, r, c, x);
            cost_matrix_set(b.t, r, c, x, &samples);
        }
        b.m.rhs[r] = any_entry(f, of, n, &seed);
    }
    for (uint32_t r = 0; r < ROWS; r++)
        cost_matrix_set_rhs(b.t, r, b.m.rhs[r]);
    for (uint32_t k = 0; k < PAIRS; k++)
        b.wanted[k] = k % 3 != 1;
    return b;
}

/* The operations of what is left and of the unknowns that are wanted; UINT64_MAX at a zero pivot.
 */
static uint64_t built(Fixture *f, Both *b)
{
    VEC(ExprId) root = {0};
    for (uint32_t k = 0; k < PAIRS; k++) {
        if (!expr_exists(matrix_entry(&b->m, k, k)))
            return UINT64_MAX;
        matrix_pivot(&b->m, k, k);
    }
    for (uint32_t r = PAIRS; r < ROWS; r++) {
        for (uint32_t k = 0; k < b->m.row[r].n; k++)
            vec_push(f->mem, root, b->m.row[r].at[k].x);
        vec_push(f->mem, root, b->m.rhs[r]);
    }
    ExprId x[COLS];
    for (uint32_t c = PAIRS; c < COLS; c++)
        x[c] = unknown(f, name_printf(f->s->names, "outside%u", c).s);
    matrix_solve(&b->m, x);
    for (uint32_t k = 0; k < PAIRS; k++)
        if (b->wanted[k])
            vec_push(f->mem, root, x[k]);
    OpCount n = program_count(f->p, root.n, root.at);
    return COST_OF_OPERATION * (uint64_t)(n.add + n.mul) + COST_OF_DIVISION * (uint64_t)n.div;
}

Test(cost, counts_what_the_pool_would_build)
{
    enum { CASES = 200 };
    uint32_t row[PAIRS], n_whole = 0, n_less = 0;
    for (uint32_t k = 0; k < PAIRS; k++)
        row[k] = k;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        Fixture f = fixture();
        Both b = both_of(&f, seed * 7919u);
        Cost cost = cost_of_order(b.t, PAIRS, row, row, b.wanted, UINT32_MAX - 1);
        Cost again = cost_of_order(b.t, PAIRS, row, row, b.wanted, UINT32_MAX - 1);
        cr_assert_eq(cost.ops, again.ops);
        cr_assert_eq(cost.n_vanishing, again.n_vanishing);
        uint64_t ops = built(&f, &b);
        n_whole += ops != UINT64_MAX;
        // a trial shares a value, whatever it is made of; the pool where it adds no variables
        bool is_less = ops != UINT64_MAX && cost.ops < ops && ops - cost.ops <= ops / 50;
        n_less += is_less;
        cr_assert(cost.ops == ops || is_less, "case %u: %lu by residues, %lu built", seed,
                  (unsigned long)cost.ops, (unsigned long)ops);
        fixture_done(&f);
    }
    cr_assert_gt(n_whole, CASES / 2);
    cr_assert_lt(n_less, CASES / 20);
}
