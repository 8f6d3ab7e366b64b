#include "eliminate/block/candidate.h"

#include "eliminate/block/growth.h"
#include "eliminate/block/search.h"
#include "graph/mindegree.h"
#include "graph/order.h"

#include <math.h>
#include <string.h>

enum { MAX_CANDIDATES = 16 };

/* The cost of an order, and the reasons against it. */
typedef struct OrderCost {
    uint64_t ops, calls;  /* for the derivatives of the states */
    uint64_t all;         /* for all unknowns                            */
    uint32_t n_vanishing; /* pivots that vanish at a sample point */
    double growth;        /* growth.h */
} OrderCost;

/* A candidate for the block, equations and unknowns renumbered: along the structures by their roles
 * where the order knows structures, else by their places. So nothing depends on the numbers that
 * they happen to have. */
typedef struct CandidateWork {
    const char *name;
    Order order; /* new numbers */
    Order given; /* the same, before it was searched and columns were exchanged */
    uint32_t n_variants;
    Order *variant;
    StructureClasses classes;
    uint32_t *row, *col; /* new number of an equation, of an unknown */
    uint32_t *eq, *var;  /* the inverse                              */
    uint64_t estimate;   /* 0: wanted by the user */
    uint64_t budget;     /* of the search, 0 for the usual */
    bool is_counted;     /* its cost is known, its order searched and without zero pivots */
    OrderCost cost;
    VEC(Samples) pivot;  /* those that are no constants */
    VEC(PivotStep) open; /* before the unknowns are solved for */
    uint32_t swaps;
    Reason stuck; /* at the first zero pivot */
    Reason bad;   /* why it is rejected */
} CandidateWork;

static Order renumbered(const Order *o, const CandidateWork *a, Arena *mem)
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

static CandidateWork work_of(const LinearBlock *b, const Candidate *p, const Incidence *g)
{
    Arena *mem = b->mem;
    uint32_t n = b->n;
    CandidateWork a = {.name = p->name,
                       .estimate = p->estimate,
                       .budget = p->budget,
                       .row = arena_array(mem, uint32_t, n),
                       .col = arena_array(mem, uint32_t, n),
                       .eq = arena_array(mem, uint32_t, n),
                       .var = arena_array(mem, uint32_t, n)};
    if (p->order.stage)
        a.classes = structure_classes(&p->order, g, mem);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t place = p->order.stage ? a.classes.by_role[k] : k;
        a.eq[k] = p->order.eq[place];
        a.var[k] = p->order.var[place];
        a.row[a.eq[k]] = k;
        a.col[a.var[k]] = k;
    }
    a.order = renumbered(&p->order, &a, mem);
    a.given = renumbered(&p->order, &a, mem);
    a.variant = arena_array(mem, Order, p->n_variants);
    for (uint32_t k = 0; k < p->n_variants; k++)
        a.variant[a.n_variants++] = renumbered(&p->variant[k], &a, mem);
    return a;
}

static Matrix matrix_of(const LinearBlock *b, const CandidateWork *a, Arena *mem)
{
    ExprPool *p = b->s->pool;
    Matrix m = matrix_new(p, b->n, b->n, mem);
    Map column = map_with_room(b->n, mem);
    for (uint32_t k = 0; k < b->n; k++)
        map_put(&column, b->var[k].i, a->col[k]);
    for (uint32_t row = 0; row < b->n; row++) {
        const LinearForm *f = &b->form[a->eq[row]];
        for (uint32_t i = 0; i < f->n; i++)
            matrix_set(&m, row, map_get(&column, f->var[i].i), f->coeff[i]);
        m.rhs[row] = expr_neg(p, f->rest);
    }
    return m;
}

/* To where the pool was before an order was carried out. */
static void go_back(LinearBlock *b, SamplePoints *w, PoolMark mark)
{
    uint32_t before = pool_size(b->s->pool);
    pool_rollback(b->s->pool, mark);
    sample_forget(b->sample, before);
    if (b->given)
        sample_forget(b->given, before);
    op_counter_forget(b->counter, before);
    sample_points_forget(w);
}

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

static Reason zero_pivot(const LinearBlock *b, const CandidateWork *a, uint32_t k, uint32_t col)
{
    return (Reason){.kind = REASON_ZERO_PIVOT,
                    .step = k + 1,
                    .of = b->n,
                    .text = b->s->var.at[b->var[a->var[col]].i].name.s};
}

/* A pivot at the parameter values of the model. */
typedef enum GivenPivot {
    GIVEN_USABLE,  /* at some time: where it vanishes the numeric twin of the block takes over */
    GIVEN_OPEN,    /* parameters make it zero (elimination.h)                                    */
    GIVEN_USELESS, /* it is always next to nothing                                               */
} GivenPivot;

static GivenPivot given_pivot(const LinearBlock *b, ExprId x)
{
    double value = b->given ? sample_value(b->given, x) : 1;
    bool is_parameter = expr_is_fixed(b->s->pool, x);
    if (value == 0 && is_parameter)
        return GIVEN_OPEN;
    return fabs(value) < 1e-12 ? GIVEN_USELESS : GIVEN_USABLE;
}

/* Eliminates in the order, whose structures are searched on the way if there is a search. Where a
 * pivot is zero, or vanishes at the sample, the unknown of a later pair is taken if that is
 * allowed. False if there is none. */
static bool eliminate(const LinearBlock *b, Matrix *m, CandidateWork *a, OrderSearch *search,
                      bool may_swap)
{
    Order *o = &a->order;
    a->open.n = 0;
    uint32_t searched = 0; /* pairs before this place have their final order */
    for (uint32_t k = 0; k < o->n; k++) {
        if (search && k == searched)
            searched += search_structure(search, m, o, k);
        uint32_t col = o->var[k];
        ExprId x = m->col_done[col] ? EXPR_NONE : matrix_entry(m, o->eq[k], col);
        if (!expr_exists(x) || sample_vanishes(b->sample, x)) {
            if (a->stuck.kind == REASON_NONE)
                a->stuck = zero_pivot(b, a, k, col);
            col = may_swap ? largest(m, b->sample, o->eq[k]) : UINT32_MAX;
            if (col == UINT32_MAX)
                return false;
            a->swaps++;
            x = matrix_entry(m, o->eq[k], col);
        }
        GivenPivot given = given_pivot(b, x);
        if (given == GIVEN_USELESS) {
            a->stuck = zero_pivot(b, a, k, col);
            return false;
        }
        if (given == GIVEN_OPEN) {
            vec_push(b->mem, a->open, ((PivotStep){o->eq[k], col, x}));
            matrix_pivot_open(m, o->eq[k], col);
        } else {
            matrix_pivot(m, o->eq[k], col);
        }
    }
    return true;
}

static OrderSearch *search_of(const LinearBlock *b, const CandidateWork *a, const Incidence *g,
                              SamplePoints *w, uint32_t seed, Arena *mem)
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
    return search_new(&a->classes, group, a->n_variants, a->variant, is_needed, w,
                      a->budget ? a->budget : SEARCH_BUDGET, seed, b->s->cache, mem);
}

/* The steps of the elimination, in the block's numbers. */
static void take(LinearBlock *b, const CandidateWork *a, Matrix *m, BlockReport *r)
{
    for (uint32_t k = 0; k < b->n; k++) {
        m->step.at[k].row = a->eq[m->step.at[k].row];
        m->step.at[k].col = a->var[m->step.at[k].col];
    }
    b->step = m->step.at;
    b->n_steps = m->step.n;
    r->order = a->name;
    r->n_torn = a->order.n_torn;
    r->fill = m->fill;
    r->swaps = a->swaps;
    OpenUnknown *open = arena_array(b->s->mem, OpenUnknown, a->open.n);
    for (uint32_t k = 0; k < a->open.n; k++) {
        const PivotStep *p = &a->open.at[k];
        open[k] = (OpenUnknown){b->var[a->var[p->col]], b->eq[a->eq[p->row]],
                                open_unknown_parameter(b->s, p->pivot, b->mem)};
    }
    r->open = open;
    r->n_open = a->open.n;
}

/* False with a reason if a pivot is zero. */
static bool eliminate_in(LinearBlock *b, CandidateWork *a, const Incidence *g, SamplePoints *w,
                         bool may_swap, ExprId *value, BlockReport *r)
{
    PoolMark mark = pool_mark(b->s->pool);
    Matrix m = matrix_of(b, a, b->mem);
    OrderSearch *search = a->is_counted ? NULL : search_of(b, a, g, w, 1, b->mem);
    if (!eliminate(b, &m, a, search, may_swap)) {
        r->failure = (Failure){a->name, a->stuck};
        go_back(b, w, mark);
        return false;
    }
    ExprId *x = arena_array(b->mem, ExprId, b->n);
    matrix_solve(&m, x);
    for (uint32_t k = 0; k < b->n; k++)
        value[b->var[a->var[k]].i] = x[k];
    take(b, a, &m, r);
    return true;
}

static uint64_t sum(OpCount c)
{
    return c.add + c.mul + c.div;
}

/* Carries the order out, counts its operations and takes it back. The order becomes the one found
 * by the search, with exchanged columns. False if it cannot be carried out. */
static bool count_searched(LinearBlock *b, CandidateWork *a, const Incidence *g, SamplePoints *w,
                           uint32_t seed)
{
    Arena *mem = arena_new();
    PoolMark mark = pool_mark(b->s->pool);
    Matrix m = matrix_of(b, a, mem);
    bool done = eliminate(b, &m, a, search_of(b, a, g, w, seed, mem), true);
    if (done) {
        ExprId *x = arena_array(mem, ExprId, b->n), *value = arena_array(mem, ExprId, b->n), *root;
        matrix_solve(&m, x);
        for (uint32_t k = 0; k < b->n; k++)
            value[a->var[k]] = x[k];
        uint32_t n_needed;
        uint32_t n = b->consequences->find(b->consequences, value, &root, &n_needed, mem);
        op_counter_begin(b->counter);
        OpCount c = op_counter_more(b->counter, n_needed, root);
        OpCount rest = op_counter_more(b->counter, n - n_needed, root + n_needed);
        b->consequences->find(b->consequences, NULL, NULL, NULL, NULL);
        a->cost = (OrderCost){
            .ops = sum(c), .calls = c.call, .all = sum(c) + c.call + sum(rest) + rest.call};
        a->pivot.n = 0;
        for (uint32_t k = 0; k < b->n; k++) {
            ExprId x = m.step.at[k].pivot;
            if (expr_variability(b->s->pool, x) > VARIES_NEVER)
                vec_push(b->mem, a->pivot, sample_points_pivot(w, x));
        }
        for (uint32_t k = 0; k < b->n && a->swaps; k++) {
            a->order.eq[k] = m.step.at[k].row;
            a->order.var[k] = m.step.at[k].col;
        }
        a->is_counted = true;
    }
    go_back(b, w, mark);
    if (done) {
        Matrix fresh = matrix_of(b, a, mem);
        a->cost.growth = growth_of_order(&fresh, &a->order, b->sample);
        done = a->cost.growth != INFINITY;
    }
    if (!done)
        a->bad = a->stuck.kind ? a->stuck : (Reason){.kind = REASON_ZERO};
    arena_free(mem);
    return done;
}

/* Structures of one number of pairs. */
static uint32_t most_alike(const CandidateWork *a)
{
    uint32_t most = 0, *n = NULL, n_sizes = 0;
    Arena *mem = arena_new();
    for (uint32_t k = 0; k < a->classes.n_ranges; k++) {
        uint32_t size = a->classes.range[k].n;
        if (size >= n_sizes)
            n = vec_grow(mem, n, sizeof *n, n_sizes, &n_sizes, size + 1);
        n[size]++;
        most = n[size] > most ? n[size] : most;
    }
    arena_free(mem);
    return most;
}

static uint32_t pivots_vanishing(const CandidateWork *a)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < a->pivot.n; k++)
        n += samples_vanish(&a->pivot.at[k]);
    return n;
}

/* A search counts the operations of one structure; of orders with equal counts there, some cost
 * less in the program, which shares values between structures. A chain has one order for all its
 * structures: that of several searches whose program is the cheapest. */
static bool count_order(LinearBlock *b, CandidateWork *a, const Incidence *g, SamplePoints *w)
{
    enum { SEARCHES = 3, MANY = 4, MOST_PAIRS = 3000 };
    uint32_t n = a->n_variants > 0 && b->n <= MOST_PAIRS && most_alike(a) >= MANY ? SEARCHES : 1;
    CandidateWork best = *a;
    for (uint32_t seed = 1; seed <= n; seed++) {
        CandidateWork next = *a;
        next.order.eq = arena_array(b->mem, uint32_t, b->n);
        next.order.var = arena_array(b->mem, uint32_t, b->n);
        memcpy(next.order.eq, a->given.eq, b->n * sizeof *next.order.eq);
        memcpy(next.order.var, a->given.var, b->n * sizeof *next.order.var);
        if (n > 1)
            next.budget = (a->budget ? a->budget : SEARCH_BUDGET) / 2;
        next.pivot.at = NULL;
        next.pivot.n = next.pivot.cap = 0;
        bool done = count_searched(b, &next, g, w, seed);
        uint32_t vanishing = pivots_vanishing(&next), fewest = pivots_vanishing(&best);
        if (seed == 1 || (done && (best.bad.kind || vanishing < fewest ||
                                   (vanishing == fewest && next.cost.ops < best.cost.ops))))
            best = next;
    }
    best.budget = a->budget;
    *a = best;
    return !a->bad.kind;
}

/* At every point. */
static bool vanishes_always(const Samples *w)
{
    for (uint32_t i = 0; i < SAMPLE_POINTS; i++)
        if (!samples_vanish_at(w, i))
            return false;
    return true;
}

/* At a sample point where each order has a pivot that is next to nothing the matrix is singular:
 * such a point is no evidence against an order. Where parameters leave an unknown open each order
 * has a pivot that vanishes at every point: such pivots are no evidence against a point. */
static void forget_singular_points(uint32_t n, CandidateWork *work)
{
    bool is_singular[SAMPLE_POINTS];
    for (uint32_t i = 0; i < SAMPLE_POINTS; i++)
        is_singular[i] = true;
    for (uint32_t k = 0; k < n; k++) {
        bool vanishes[SAMPLE_POINTS] = {false};
        for (uint32_t j = 0; j < work[k].pivot.n; j++) {
            const Samples *w = &work[k].pivot.at[j];
            for (uint32_t i = 0; i < SAMPLE_POINTS && !vanishes_always(w); i++)
                vanishes[i] = vanishes[i] || samples_vanish_at(w, i);
        }
        for (uint32_t i = 0; i < SAMPLE_POINTS && work[k].is_counted; i++)
            is_singular[i] = is_singular[i] && vanishes[i];
    }
    for (uint32_t k = 0; k < n; k++) {
        work[k].cost.n_vanishing = 0;
        for (uint32_t j = 0; j < work[k].pivot.n; j++) {
            Samples w = work[k].pivot.at[j];
            for (uint32_t i = 0; i < SAMPLE_POINTS; i++)
                w.at[i] = is_singular[i] ? NAN : w.at[i];
            work[k].cost.n_vanishing += samples_vanish(&w);
        }
    }
}

/* Of the counted orders, rejects those that lose digits that others keep, and those with more
 * pivots that vanish at sample points. Where every order has many such pivots their number depends
 * on the points drawn: orders within an eighth of the fewest pass. */
static void reject(uint32_t n, CandidateWork *work)
{
    enum { ALIKE = 8 }; /* 1 / the share of the fewest within which orders are alike */
    double least = INFINITY;
    for (uint32_t k = 0; k < n; k++) {
        if (work[k].is_counted && !work[k].bad.kind && work[k].cost.growth < least)
            least = work[k].cost.growth;
    }
    uint32_t fewest = UINT32_MAX;
    for (uint32_t k = 0; k < n; k++) {
        CandidateWork *a = &work[k];
        if (!a->is_counted || a->bad.kind)
            continue;
        if (growth_is_too_much(a->cost.growth, least))
            a->bad = (Reason){.kind = REASON_GROWTH, .amount = a->cost.growth};
        else if (a->cost.n_vanishing < fewest)
            fewest = a->cost.n_vanishing;
    }
    for (uint32_t k = 0; k < n; k++) {
        CandidateWork *a = &work[k];
        if (!a->is_counted || a->bad.kind || a->cost.n_vanishing <= fewest + fewest / ALIKE)
            continue;
        a->bad = (Reason){.kind = REASON_VANISHING, .n = a->cost.n_vanishing, .fewest = fewest};
    }
}

/* Those that are not rejected before others, among them those that were counted; then by cost. */
static bool better(const CandidateWork *a, const CandidateWork *b)
{
    if (!a->bad.kind != !b->bad.kind)
        return !a->bad.kind;
    if (a->is_counted != b->is_counted)
        return a->is_counted;
    if (!a->is_counted)
        return false;
    if (a->cost.ops != b->cost.ops)
        return a->cost.ops < b->cost.ops;
    if (a->cost.calls != b->cost.calls)
        return a->cost.calls < b->cost.calls;
    return a->cost.all < b->cost.all;
}

static const CandidateReport *reports_kept(const LinearBlock *b, const Candidate *p)
{
    CandidateReport *r = arena_array(b->s->mem, CandidateReport, p->n_reports);
    if (p->n_reports)
        memcpy(r, p->report, p->n_reports * sizeof *r);
    return r;
}

Reason candidate_reason(const Candidate *c)
{
    return c->reason.kind || !c->order.why
               ? c->reason
               : (Reason){.kind = REASON_NO_ORDER, .text = c->order.why};
}

/* Candidates as they come, one after the other. */
typedef struct CandidateList {
    uint32_t n, asked;
    CandidateWork at[MAX_CANDIDATES];
    bool is_over;
} CandidateList;

/* Gets more candidates; r has the reason of the first failure to find an order. After one that is
 * wanted whatever it costs there is no choice: those behind it wait until it has failed. */
static void ask(LinearBlock *b, const Incidence *g, CandidateList *out, BlockReport *r)
{
    bool enough = false;
    while (!enough && !out->is_over) {
        Candidate p = {0};
        bool is_one =
            out->n < MAX_CANDIDATES && b->orders->next(b->orders, g, out->asked++, b->mem, &p);
        if (is_one && p.spread)
            r->spread = *p.spread;
        if (!is_one) {
            out->is_over = true;
        } else if (candidate_reason(&p).kind) {
            if (!r->failure.reason.kind)
                r->failure = (Failure){p.name, candidate_reason(&p)};
        } else if (p.is_numeric || p.is_torn) {
            b->is_numeric = p.is_numeric;
            b->is_torn = p.is_torn;
            b->left_order = p.order;
            r->n_candidates = p.n_reports;
            r->candidate = reports_kept(b, &p);
            out->at[0] = (CandidateWork){.name = p.name};
            out->n = 1;
            out->is_over = true;
        } else {
            out->at[out->n++] = work_of(b, &p, g);
            enough = p.estimate == 0 || p.is_last;
        }
    }
}

/* Counts those that may be the cheapest, if there is a choice, and puts the best first. */
static void rank(LinearBlock *b, const Incidence *g, SamplePoints *w, uint32_t n,
                 CandidateWork *work, BlockReport *r)
{
    uint64_t cheapest = UINT64_MAX;
    for (uint32_t k = 0; k < n; k++)
        cheapest = work[k].estimate < cheapest ? work[k].estimate : cheapest;
    if (cheapest == 0)
        return; /* the user's choice */
    uint64_t most = b->n > MOST_COUNTED ? cheapest : cheapest * COUNTED_UP_TO;
    uint32_t n_counted = 0;
    for (uint32_t k = 0; k < n; k++)
        n_counted += work[k].estimate <= most;
    if (n_counted < 2)
        return; /* the cheapest comes first */
    for (uint32_t k = 0; k < n; k++) {
        if (work[k].estimate <= most)
            count_order(b, &work[k], g, w);
    }
    forget_singular_points(n, work);
    reject(n, work);
    for (uint32_t k = 1; k < n; k++) {
        CandidateWork a = work[k];
        uint32_t at = k;
        for (; at > 0 && better(&a, &work[at - 1]); at--)
            work[at] = work[at - 1];
        work[at] = a;
    }
    CandidateReport *report = arena_array(b->s->mem, CandidateReport, n);
    for (uint32_t k = 0; k < n; k++)
        report[k] = (CandidateReport){work[k].name,
                                      work[k].bad.kind     ? CANDIDATE_REJECTED
                                      : work[k].is_counted ? CANDIDATE_COUNTED
                                                           : CANDIDATE_ESTIMATED,
                                      work[k].bad, work[k].is_counted, work[k].cost.n_vanishing};
    r->candidate = report;
    r->n_candidates = n;
}

/* ---- a matrix that is singular for the values that the model gives ---- */

/* Chooses the values of variables along the structures of the first order that has any, so that
 * searches in chains of different lengths meet the same values. */
static void sample_along_structures(const LinearBlock *b, uint32_t n, const CandidateWork *work,
                                    SamplePoints *w)
{
    uint32_t k = 0;
    while (k < n && !work[k].order.stage)
        k++;
    if (k == n)
        return;
    Arena *mem = arena_new();
    VEC(ExprId) coeff = {0};
    for (uint32_t row = 0; row < b->n; row++) {
        const LinearForm *f = &b->form[work[k].eq[row]];
        for (uint32_t i = 0; i < f->n; i++)
            vec_push(mem, coeff, f->coeff[i]);
    }
    sample_points_variables(w, coeff.n, coeff.at);
    arena_free(mem);
}

/* Carried out with any columns exchanged, the order ends at a row whose entries all vanish at the
 * sample. */
static bool is_singular_at_sample(LinearBlock *b, const CandidateWork *a, SamplePoints *w)
{
    Arena *mem = arena_new();
    PoolMark mark = pool_mark(b->s->pool);
    CandidateWork again = *a;
    Matrix m = matrix_of(b, &again, mem);
    bool done = eliminate(b, &m, &again, NULL, true);
    go_back(b, w, mark);
    arena_free(mem);
    return !done;
}

/* None of those that were to be counted can be carried out. */
static bool none_is_counted(uint32_t n, const CandidateWork *work)
{
    bool is_tried = false;
    for (uint32_t k = 0; k < n; k++) {
        if (work[k].is_counted)
            return false;
        is_tried = is_tried || work[k].bad.kind;
    }
    return is_tried;
}

/* A rod along a hinge's axis that has no inertia about itself, or an arm that starts stretched:
 * each order meets a zero pivot there, and at run time the numeric twin of the block takes over. So
 * orders are judged at values near by. */
static void move_sample(LinearBlock *b, SamplePoints *w, uint32_t n, CandidateWork *work)
{
    Sample *moved = arena_make(b->mem, Sample), *started = arena_make(b->mem, Sample);
    *moved = sample_moved(b->s, MOVES_ALL, b->mem);
    *started = sample_moved(b->s, MOVES_STARTS, b->mem);
    b->given = b->sample;
    b->sample = moved;
    *w = sample_points_new(b->s->pool, started, w->mem);
    w->opens = true;
    sample_along_structures(b, n, work, w);
    for (uint32_t k = 0; k < n; k++) {
        CandidateWork *a = &work[k];
        memcpy(a->order.eq, a->given.eq, b->n * sizeof *a->order.eq);
        memcpy(a->order.var, a->given.var, b->n * sizeof *a->order.var);
        a->is_counted = false;
        a->cost = (OrderCost){0};
        a->swaps = 0;
        a->stuck = a->bad = (Reason){0};
    }
}

/* Whether the matrix is regular at the pool's random point: if so, only the model's start values
 * make it singular. */
static bool is_regular(const LinearBlock *b, const Incidence *g)
{
    return g->residue && !mindegree_find(g, b->mem).why;
}

/* Not eliminated: the runtime chooses the pivots, or the residual form has the handles. */
static bool is_left(const LinearBlock *b)
{
    return b->is_numeric || b->is_torn;
}

static bool report_left(const LinearBlock *b, const char *order, BlockReport *r)
{
    r->order = order;
    r->is_numeric = b->is_numeric;
    r->n_torn = b->is_torn ? b->left_order.n_torn : b->n;
    return true;
}

/* The candidates one after the other; if each has a zero pivot, the first once more, with columns
 * exchanged where needed. */
bool linear_block_solve(LinearBlock *b, ExprId *value, BlockReport *r)
{
    Incidence g = structure_of_block(b->s, b->sample, b->n, b->eq, b->var, b->form, b->mem);
    *r = (BlockReport){.kind = BLOCK_LINEAR, .n = b->n, .nonzeros = g.n_edges, .order = ""};
    CandidateList all = {0};
    ask(b, &g, &all, r);
    if (is_left(b))
        return report_left(b, all.at[0].name, r);
    Arena *mem = arena_new();
    SamplePoints w = sample_points_new(b->s->pool, b->sample, mem);
    sample_along_structures(b, all.n, all.at, &w);
    rank(b, &g, &w, all.n, all.at, r);
    bool solved = false, is_moved = none_is_counted(all.n, all.at);
    if (is_moved) {
        move_sample(b, &w, all.n, all.at);
        rank(b, &g, &w, all.n, all.at, r);
    }
    for (uint32_t k = 0; !solved; k++) {
        if (k == all.n)
            ask(b, &g, &all, r);
        if (k == all.n || is_left(b))
            break;
        solved = eliminate_in(b, &all.at[k], &g, &w, false, value, r);
        if (!solved && k == 0 && !is_moved && is_singular_at_sample(b, &all.at[0], &w)) {
            is_moved = true;
            move_sample(b, &w, all.n, all.at);
            solved = eliminate_in(b, &all.at[0], &g, &w, false, value, r) ||
                     eliminate_in(b, &all.at[0], &g, &w, true, value, r);
        }
    }
    if (!solved && all.n > 0 && !is_left(b))
        solved = eliminate_in(b, &all.at[0], &g, &w, true, value, r);
    if (solved) {
        for (uint32_t k = 0; k < b->n; k++) {
            if (b->is_needed[b->var[k].i])
                op_counter_keep(b->counter, 1, &value[b->var[k].i]);
        }
    }
    arena_free(mem);
    if (!solved && is_left(b))
        return report_left(b, all.at[0].name, r);
    if (!solved && is_regular(b, &g)) {
        b->is_numeric = true;
        b->left_order = order_as_given(b->n, b->mem);
        return report_left(b, "numeric", r);
    }
    return solved;
}
