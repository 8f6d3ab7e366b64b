#include "eliminate/frames/frame_policy.h"

#include "eliminate/block/ordering.h"
#include "eliminate/frames/angular_rates.h"
#include "eliminate/frames/axis_points.h"
#include "eliminate/frames/reference_points.h"
#include "eliminate/prepare/sorting.h"

static bool is_left_to_runtime(const Solution *s)
{
    for (uint32_t k = 0; k < s->n_reports; k++)
        if (s->report[k].is_numeric)
            return true;
    return false;
}

/* Operations of the program that the equations as they are would give; UINT64_MAX if they cannot be
 * solved, or a block is left to the LU at run time. */
static uint64_t operations_of(const Blt *b, Arena *scratch)
{
    System *s = b->sys;
    enum { BUDGET = 20000 }; /* for a comparison */
    OrderPolicy policy = {.budget = BUDGET};
    Diags *diags = s->diags;
    s->diags = diags_new(scratch);
    PoolMark mark = pool_mark(s->pool);
    Solution solution;
    uint64_t n = UINT64_MAX;
    Orders orders = ordering_of(&policy);
    if (solve(b, &orders, &solution, scratch) && !is_left_to_runtime(&solution)) {
        const Program *g = &solution.program;
        OpCount ops = program_count(s->pool, g->n_states, g->derivative);
        n = ops.add + ops.mul + ops.div + ops.call;
    }
    pool_rollback(s->pool, mark);
    s->diags = diags;
    return n;
}

/* One way to write the equations. */
typedef struct Way {
    bool has_points;     /* torques about joints (reference_points.h)  */
    bool has_balances;   /* ... and balances                           */
    uint32_t mixed_cost; /* of the estimate (frames.h)                 */
} Way;

typedef struct Trial {
    Dae *d;
    Arena *scratch;
    Blt given;  /* as the model writes it */
    Blt before; /* with angular rates     */
    PoolMark mark, mark_before;
    Rewriting rates, points;
    uint32_t n_rates, n_vars; /* before */
    bool is_written;          /* in a way, beyond the rates */
} Trial;

static bool is_regular(Trial *t)
{
    return equations_sort_again(t->d, t->scratch);
}

static void write_rates(Trial *t)
{
    Dae *d = t->d;
    System *s = d->sys;
    t->rates = rewriting_new(s);
    t->n_rates = angular_rates_apply(&d->blt, &t->rates, t->scratch);
    /* values found there do not hide cheaper forms */
    if (t->n_rates > 0)
        pool_set_apart(s->pool, t->mark.n);
    if (t->n_rates > 0 && !is_regular(t)) {
        rewriting_exchange(&t->rates);
        d->blt = t->given;
        t->rates = rewriting_new(s);
        t->n_rates = 0;
    }
    t->before = d->blt;
    t->mark_before = pool_mark(s->pool);
    t->n_vars = s->var.n;
}

static void take_back(Trial *t)
{
    Dae *d = t->d;
    if (!t->is_written)
        return;
    rewriting_exchange(&d->frames.rewriting);
    rewriting_exchange(&t->points);
    pool_rollback(d->sys->pool, t->mark_before);
    d->sys->var.n = t->n_vars;
    system_index_names(d->sys);
    d->frames = (Frames){0};
    d->blt = t->before;
    t->is_written = false;
}

/* False if that is the way in which the equations are written already. */
static bool write(Trial *t, Way way)
{
    Dae *d = t->d;
    System *s = d->sys;
    take_back(t);
    uint32_t n_vars = s->var.n;
    t->points = rewriting_new(s);
    uint32_t n_points =
        way.has_points ? reference_points_apply(&d->blt, way.has_balances, &t->points, t->scratch)
                       : 0;
    dae_extend(d, n_vars);
    d->frames = (Frames){.rewriting = t->points};
    t->is_written = true;
    if (n_points > 0 && !is_regular(t)) {
        d->frames.rewriting = rewriting_new(s);
        take_back(t);
        return false;
    }
    n_vars = s->var.n;
    Frames f = frames_find(&d->blt, (FramesHow){t->n_rates > 0, way.mixed_cost}, t->scratch);
    for (uint32_t k = 0; k < t->points.added.n; k++)
        vec_push(s->mem, f.rewriting.added, t->points.added.at[k]);
    f.n_rates = t->n_rates;
    f.n_points = n_points;
    dae_extend(d, n_vars);
    t->before.is_state = t->given.is_state = d->is_state;
    d->frames = f;
    return n_points > 0 ||
           (!way.has_points && f.n_moved + f.n_turned + f.n_shifted + f.n_rates > 0);
}

/* Operations of the equations that there are now. */
static uint64_t cost_of(Trial *t)
{
    return is_regular(t) ? operations_of(&t->d->blt, t->scratch) : UINT64_MAX;
}

/* As the model writes them. */
static uint64_t cost_given(Trial *t)
{
    rewriting_exchange(&t->d->frames.rewriting);
    rewriting_exchange(&t->points);
    rewriting_exchange(&t->rates);
    uint64_t n = operations_of(&t->given, t->scratch);
    rewriting_exchange(&t->rates);
    rewriting_exchange(&t->points);
    rewriting_exchange(&t->d->frames.rewriting);
    return n;
}

/* most: unknowns; with more the search is believed. */
static bool choose_frames(Dae *d, uint32_t most, Arena *scratch)
{
    enum {
        NOISE = 16, /* a gain below one part in so many is the error of the short search of
                       orders: the model's own form is kept */
        MIXED = 30
    };
    System *s = d->sys;
    Trial t = {.d = d, .scratch = scratch, .given = d->blt, .mark = pool_mark(s->pool)};
    uint32_t n_unknowns = d->blt.columns.n;
    write_rates(&t);
    Way way[] = {{false, false, MIXED},
                 {true, false, 0},
                 {true, false, MIXED},
                 {true, true, 0},
                 {true, true, MIXED}};
    Way best = {0};
    uint32_t last = UINT32_MAX, taken = UINT32_MAX;
    if (!write(&t, best)) {
        pool_rollback(s->pool, t.mark); /* restores the original */
        d->frames = (Frames){0};
        return false;
    }
    if (n_unknowns >= most)
        return true;
    uint64_t as_is = cost_given(&t), least = cost_of(&t);
    /* where rates are written anew, all vectors are moved, and the estimate misses more */
    for (uint32_t k = 0; k < sizeof way / sizeof *way && t.n_rates > 0; k++) {
        uint64_t cost = write(&t, way[k]) ? cost_of(&t) : UINT64_MAX;
        last = k;
        if (cost < least) {
            least = cost;
            best = way[k];
            taken = k;
        }
    }
    if (last != taken)
        write(&t, best);
    if (least < as_is - as_is / NOISE)
        return true;
    take_back(&t);
    rewriting_exchange(&t.rates);
    d->frames = (Frames){0};
    pool_rollback(s->pool, t.mark);
    return true;
}

/* Accelerations and torques about points on the axes of hinges (axis_points.h), in the frames that
 * were chosen, where that costs less. Needs d->blt. */
static bool move_to_axes(Dae *d, Arena *scratch)
{
    enum { MANY = 1000 }; /* unknowns: the order is that of body structures, which gains */
    System *s = d->sys;
    Blt given = d->blt;
    PoolMark mark = pool_mark(s->pool);
    uint32_t n_vars = s->var.n, n_added = d->frames.rewriting.added.n;
    Rewriting axes = rewriting_new(s);
    uint32_t n = axis_points_apply(&d->blt, &axes, scratch);
    if (n > 0) {
        bool is_large = d->blt.columns.n >= MANY;
        uint64_t before = 0;
        dae_extend(d, n_vars);
        given.is_state = d->is_state;
        if (!is_large) {
            rewriting_exchange(&axes);
            before = operations_of(&given, scratch);
            rewriting_exchange(&axes);
        }
        for (uint32_t k = 0; k < axes.added.n; k++)
            vec_push(s->mem, d->frames.rewriting.added, axes.added.at[k]);
        if (equations_sort_again(d, scratch) &&
            (is_large || operations_of(&d->blt, scratch) < before)) {
            d->frames.n_axes = n;
            return true;
        }
        d->frames.rewriting.added.n = n_added;
        rewriting_exchange(&axes);
        s->var.n = n_vars;
        system_index_names(s);
        d->blt = given;
    }
    pool_rollback(s->pool, mark);
    return false;
}

bool frames_apply(Dae *d, Arena *scratch)
{
    enum { LARGE = 5000 };
    bool changed = choose_frames(d, LARGE, scratch);
    if (!changed || equations_sort_again(d, scratch))
        changed = move_to_axes(d, scratch) || changed;
    return changed;
}

bool frames_apply_believed(Dae *d, Arena *scratch)
{
    return choose_frames(d, 0, scratch);
}
