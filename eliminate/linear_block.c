#include "eliminate/linear_block.h"

#include "eliminate/loss.h"
#include "eliminate/refine.h"

#include <math.h>

/* Nodes built while trying orders inside body structures, for one kind: some hundred trials of a
 * structure of 27 pairs. */
enum { REFINE_EFFORT = 400000 };

/* Estimates are off by the symmetry they do not see: up to this factor dearer is worth a try. */
enum { WORTH_A_TRY = 3, MAX_PROPOSALS = 16 };

/* In blocks of more equations the cheapest estimate is believed: a trial takes as long as the
 * elimination. */
enum { LARGE = 10000 };

static const Cost COST_UNKNOWN = {UINT32_MAX - 1, UINT64_MAX};

/* A proposal for the block, equations and unknowns renumbered: along the structures by their roles
 * where the order knows structures, else by their places. So nothing depends on the numbers that
 * they happen to have. */
typedef struct Attempt {
    const char *name;
    Order order; /* new numbers */
    uint32_t n_variants;
    Order *variant;
    Kinds kinds;
    uint32_t *row, *col; /* new number of an equation, of an unknown */
    uint32_t *eq, *var;  /* the inverse                              */
    uint64_t estimate;   /* 0: wanted by the user */
    uint64_t effort;     /* of the refinement, 0 for the usual */
    bool is_tried;       /* its cost is known, and its order refined */
    double loss;
    Cost cost;
} Attempt;

static Order renumbered(const Order *o, const Attempt *a, Arena *mem)
{
    Order r = *o;
    r.eq = arena_array(mem, uint32_t, o->n);
    r.var = arena_array(mem, uint32_t, o->n);
    for (uint32_t k = 0; k < o->n; k++) {
        r.eq[k] = a->row[o->eq[k]];
        r.var[k] = a->col[o->var[k]];
    }
    return r;
}

static Attempt attempt_of(const LinearBlock *b, const Proposal *p, const Incidence *g)
{
    Arena *mem = b->mem;
    uint32_t n = b->n;
    Attempt a = {.name = p->name,
                 .estimate = p->ops,
                 .effort = p->effort,
                 .loss = NAN,
                 .cost = COST_UNKNOWN,
                 .row = arena_array(mem, uint32_t, n),
                 .col = arena_array(mem, uint32_t, n),
                 .eq = arena_array(mem, uint32_t, n),
                 .var = arena_array(mem, uint32_t, n)};
    if (p->order.stage)
        a.kinds = kinds_find(&p->order, g, mem);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t place = p->order.stage ? a.kinds.slot[k] : k;
        a.eq[k] = p->order.eq[place];
        a.var[k] = p->order.var[place];
        a.row[a.eq[k]] = k;
        a.col[a.var[k]] = k;
    }
    a.order = renumbered(&p->order, &a, mem);
    a.variant = arena_array(mem, Order, p->n_variants);
    for (uint32_t k = 0; k < p->n_variants; k++)
        a.variant[a.n_variants++] = renumbered(&p->variant[k], &a, mem);
    return a;
}

/* Coefficients as leaves of pool p, or as they are if p is the System's own. */
static Matrix matrix_of(const LinearBlock *b, const Attempt *a, ExprPool *p, Arena *mem)
{
    const ExprPool *own = b->s->pool;
    bool trial = p != own;
    Map column = map_new(mem);
    for (uint32_t k = 0; k < b->n; k++)
        map_put(&column, b->var[k].i, a->col[k]);
    Matrix m = matrix_new(p, b->n, b->n, mem);
    for (uint32_t row = 0; row < b->n; row++) {
        const LinearForm *f = &b->form[a->eq[row]];
        for (uint32_t i = 0; i < f->n; i++)
            matrix_set(&m, row, map_get(&column, f->var[i].i),
                       trial ? expr_import(p, own, f->coeff[i]) : f->coeff[i]);
        m.rhs[row] = expr_neg(p, trial ? expr_import(p, own, f->rest) : f->rest);
    }
    return m;
}

/* What the elimination is to do when the entry of a pair is zero, or vanishes at the sample. */
typedef struct Safety {
    Sample *sample; /* NULL: entries that vanish are not looked for */
    bool may_swap;  /* take the unknown of a later pair, the largest there is */
    uint32_t swaps;
} Safety;

/* The unknown of the row whose entry is largest at the sample; UINT32_MAX if all vanish. */
static uint32_t largest(const Matrix *m, Sample *sample, uint32_t row)
{
    const Row *r = &m->row[row];
    uint32_t best = UINT32_MAX;
    double size = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        double v = fabs(sample_value(sample, r->at[i].x));
        if (!sample_vanishes(sample, r->at[i].x) && v > size) {
            size = v;
            best = r->at[i].col;
        }
    }
    return best;
}

/* Eliminates in the order o, whose structures are refined on the way if there is a refinement.
 * Returns the number of pivots. */
static uint32_t eliminate(Matrix *m, Order *o, Refinement *refinement, Safety *safety)
{
    uint32_t refined = 0; /* pairs before this place have their final order */
    for (uint32_t k = 0; k < o->n; k++) {
        if (refinement && k == refined)
            refined += refine_structure(refinement, m, o, k);
        uint32_t col = o->var[k];
        ExprId x = m->col_done[col] ? EXPR_NONE : matrix_entry(m, o->eq[k], col);
        if (!expr_exists(x) || (safety->sample && sample_vanishes(safety->sample, x))) {
            col = safety->may_swap ? largest(m, safety->sample, o->eq[k]) : UINT32_MAX;
            if (col == UINT32_MAX)
                return k;
            safety->swaps++;
        }
        matrix_pivot(m, o->eq[k], col);
    }
    return o->n;
}

static Refinement *refinement_of(const LinearBlock *b, const Attempt *a, const Incidence *g,
                                 Arena *mem)
{
    if (a->n_variants == 0 || !pool_by_value(b->s->pool))
        return NULL;
    bool *is_needed = arena_array(mem, bool, b->n);
    uint32_t *group = arena_array(mem, uint32_t, b->n);
    for (uint32_t k = 0; k < b->n; k++) {
        is_needed[k] = b->is_needed[b->var[a->var[k]].i];
        group[k] = g->col_group[a->var[k]];
        if (group[k] == INC_NONE)
            group[k] = g->n_col_groups + k;
    }
    return refine_new(&a->kinds, group, a->n_variants, a->variant, is_needed,
                      a->effort ? a->effort : REFINE_EFFORT, mem);
}

/* False with a reason if a pivot is zero. */
static bool eliminate_in(LinearBlock *b, Attempt *a, const Incidence *g, bool may_swap,
                         ExprId *value, BlockReport *r)
{
    System *s = b->s;
    Matrix m = matrix_of(b, a, s->pool, b->mem);
    Safety safety = {.sample = b->sample, .may_swap = may_swap};
    Refinement *refinement = a->is_tried ? NULL : refinement_of(b, a, g, b->mem);
    a->is_tried = true;
    uint32_t reached = eliminate(&m, &a->order, refinement, &safety);
    if (reached < b->n) {
        uint32_t unknown = a->var[a->order.var[reached]];
        r->why = arena_printf(s->mem, "%s: zero pivot at step %u of %u, for %s", a->name,
                              reached + 1, b->n, s->var.at[b->var[unknown].i].name.s);
        return false;
    }
    ExprId *x = arena_array(b->mem, ExprId, b->n);
    matrix_solve(&m, x);
    for (uint32_t k = 0; k < b->n; k++)
        value[b->var[a->var[k]].i] = x[k];
    for (uint32_t k = 0; k < b->n; k++) {
        m.step.at[k].row = a->eq[m.step.at[k].row];
        m.step.at[k].col = a->var[m.step.at[k].col];
    }
    b->step = m.step.at;
    b->n_steps = m.step.n;
    r->order = a->name;
    r->n_torn = a->order.n_torn;
    r->fill = m.fill;
    r->swaps = safety.swaps;
    return true;
}

/* What the order costs for the unknowns that are needed, the rest being evaluated for results only;
 * it is refined meanwhile. */
static Cost try_order(const LinearBlock *b, Attempt *a, const Incidence *g)
{
    Arena *mem = arena_new();
    ExprPool *p = pool_new(mem, pool_by_value(b->s->pool));
    Matrix m = matrix_of(b, a, p, mem);
    Cost cost = COST_FAILED;
    if (eliminate(&m, &a->order, refinement_of(b, a, g, mem), &(Safety){0}) == b->n) {
        ExprId *x = arena_array(mem, ExprId, b->n);
        matrix_solve(&m, x);
        uint32_t n_needed = 0;
        for (uint32_t k = 0; k < b->n; k++) {
            if (b->is_needed[b->var[a->var[k]].i])
                x[n_needed++] = x[k];
        }
        cost = cost_of_steps(&m, n_needed, x);
    }
    pool_free(p);
    arena_free(mem);
    return cost;
}

static double loss_of(const LinearBlock *b, const Attempt *a)
{
    ArenaMark mark = arena_mark(b->mem);
    Matrix m = matrix_of(b, a, b->s->pool, b->mem);
    double loss = matrix_loss(&m, &a->order, b->sample);
    arena_rollback(b->mem, mark);
    return loss;
}

/* Puts orders that lose digits which others keep behind all others, however cheap they are. */
static void put_lossy_last(const LinearBlock *b, uint32_t n, Attempt *attempt, const char **why)
{
    double best = INFINITY;
    for (uint32_t k = 0; k < n; k++)
        best = attempt[k].loss < best ? attempt[k].loss : best;
    Attempt lossy[MAX_PROPOSALS];
    uint32_t n_lossy = 0;
    uint32_t n_good = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!loss_is_too_much(attempt[k].loss, best)) {
            attempt[n_good++] = attempt[k];
            continue;
        }
        lossy[n_lossy++] = attempt[k];
        if (!*why)
            *why = arena_printf(b->s->mem, "%s: loses digits", attempt[k].name);
    }
    for (uint32_t k = 0; k < n_lossy; k++)
        attempt[n_good++] = lossy[k];
}

/* The proposals that are orders, in the order proposed. */
static uint32_t attempts(LinearBlock *b, const Incidence *g, Attempt *out, const char **why)
{
    uint32_t n = 0;
    for (uint32_t k = 0; n < MAX_PROPOSALS; k++) {
        Proposal p = {0};
        if (!b->order(b->order_data, g, k, b->mem, &p))
            break;
        if (p.order.why) {
            *why = arena_printf(b->s->mem, "%s: %s", p.name, p.order.why);
        } else if (p.is_numeric || p.is_torn) {
            b->is_numeric = p.is_numeric;
            b->is_torn = p.is_torn;
            b->left_order = p.order;
            out[0] = (Attempt){.name = p.name};
            return 1;
        } else {
            out[n++] = attempt_of(b, &p, g);
        }
    }
    return n;
}

/* Tries those that may be the cheapest, if there is a choice, and puts the best first. */
static void rank(const LinearBlock *b, const Incidence *g, uint32_t n, Attempt *attempt,
                 const char **why)
{
    uint64_t cheapest = UINT64_MAX;
    for (uint32_t k = 0; k < n; k++)
        cheapest = attempt[k].estimate < cheapest ? attempt[k].estimate : cheapest;
    if (cheapest == 0)
        return; /* the user's choice */
    uint64_t most = b->n > LARGE ? cheapest : cheapest * WORTH_A_TRY;
    uint32_t n_worth = 0;
    for (uint32_t k = 0; k < n; k++)
        n_worth += attempt[k].estimate <= most;
    if (n_worth < 2)
        return; /* the cheapest comes first */
    for (uint32_t k = 0; k < n; k++) {
        Attempt a = attempt[k];
        if (a.estimate <= most) {
            a.cost = try_order(b, &a, g);
            a.is_tried = true;
            if (a.cost.weak != COST_FAILED.weak)
                a.loss = loss_of(b, &a);
        }
        uint32_t at = k;
        for (; at > 0 && cost_less(a.cost, attempt[at - 1].cost); at--)
            attempt[at] = attempt[at - 1];
        attempt[at] = a;
    }
    put_lossy_last(b, n, attempt, why);
}

/* The proposals one after the other; if each has a zero pivot, the first once more, with columns
 * exchanged where needed. */
/* Whether the matrix is regular at the pool's random point: what makes it singular then are the
 * values that this model starts from. Dense, so not for blocks beyond DENSE. */
static bool is_regular(const LinearBlock *b)
{
    enum { DENSE = 300 };
    uint32_t n = b->n;
    if (n > DENSE)
        return false;
    Fp *m = arena_array(b->mem, Fp, (size_t)n * n);
    Map column = map_new(b->mem);
    for (uint32_t k = 0; k < n; k++)
        map_put(&column, b->var[k].i, k);
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t k = 0; k < b->form[r].n; k++)
            m[(size_t)r * n + map_get(&column, b->form[r].var[k].i)] =
                expr_fingerprint(b->s->pool, b->form[r].coeff[k]);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t at = c;
        Fp inverse;
        while (at < n && !fp_inverse(m[(size_t)at * n + c], &inverse))
            at++;
        if (at == n)
            return false;
        for (uint32_t k = c; k < n; k++) {
            Fp other = m[(size_t)at * n + k];
            m[(size_t)at * n + k] = m[(size_t)c * n + k];
            m[(size_t)c * n + k] = other;
        }
        for (uint32_t r = c + 1; r < n; r++) {
            Fp f = fp_mul(m[(size_t)r * n + c], inverse);
            for (uint32_t k = c; k < n && !fp_is_zero(f); k++)
                m[(size_t)r * n + k] =
                    fp_sub(m[(size_t)r * n + k], fp_mul(f, m[(size_t)c * n + k]));
        }
    }
    return true;
}

/* Rows and columns as they are; the runtime chooses the pivots. */
static void leave(LinearBlock *b)
{
    uint32_t *same = arena_array(b->mem, uint32_t, b->n);
    for (uint32_t k = 0; k < b->n; k++)
        same[k] = k;
    b->is_numeric = true;
    b->left_order = (Order){.n = b->n, .eq = same, .var = same};
}

bool linear_block_solve(LinearBlock *b, ExprId *value, BlockReport *r)
{
    Incidence g = structure_of_block(b->s, b->sample, b->n, b->eq, b->var, b->form, b->mem);
    *r = (BlockReport){.kind = BLOCK_LINEAR, .n = b->n, .nonzeros = g.n_edges, .order = ""};
    Attempt attempt[MAX_PROPOSALS];
    uint32_t n = attempts(b, &g, attempt, &r->why);
    bool solved = b->is_numeric || b->is_torn;
    if (!solved)
        rank(b, &g, n, attempt, &r->why);
    if (solved) {
        r->order = attempt[0].name;
        r->n_torn = b->is_torn ? b->left_order.n_torn : b->n;
    }
    for (uint32_t k = 0; k < n && !solved; k++) {
        /* what is built for an order that fails would stay in the pool, and be found there */
        if (n > 1 && isnan(attempt[k].loss))
            attempt[k].loss = loss_of(b, &attempt[k]);
        if (attempt[k].loss == INFINITY)
            r->why = arena_printf(b->s->mem, "%s: a pivot is zero", attempt[k].name);
        else
            solved = eliminate_in(b, &attempt[k], &g, false, value, r);
    }
    if (!solved && n > 0)
        solved = eliminate_in(b, &attempt[0], &g, true, value, r);
    if (!solved && is_regular(b)) {
        leave(b);
        r->order = "numeric";
        r->n_torn = b->n;
        solved = true;
    }
    return solved;
}
