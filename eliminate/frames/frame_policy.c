#include "eliminate/frames/frame_policy.h"

#include "eliminate/block/ordering.h"
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

/* Whether the equations that f made are cheaper than those before; these are in the System. The
 * short search of orders has an error of some hundredths: for a smaller gain the model's own form
 * is kept. */
static bool is_cheaper(Dae *d, const Blt *before, Frames *f, Arena *scratch)
{
    enum { NOISE = 16 }; /* one part in so many */
    rewriting_exchange(&f->rewriting);
    uint64_t as_is = operations_of(before, scratch);
    rewriting_exchange(&f->rewriting);
    return equations_sort(d, scratch) && operations_of(&d->blt, scratch) < as_is - as_is / NOISE;
}

bool frames_apply(Dae *d, Arena *scratch)
{
    enum { LARGE = 5000 }; /* unknowns; with more the search is believed */
    System *s = d->sys;
    uint32_t n_vars = s->var.n, n_unknowns = d->blt.columns.n;
    PoolMark mark = pool_mark(s->pool);
    Frames f = frames_find(&d->blt, scratch);
    if (f.n_moved + f.n_turned + f.n_shifted == 0) {
        pool_rollback(s->pool, mark); /* restores the original */
        return false;
    }
    dae_extend(d, n_vars);
    d->frames = f;
    Blt before = d->blt;
    if (n_unknowns >= LARGE || is_cheaper(d, &before, &f, scratch))
        return true;
    rewriting_exchange(&f.rewriting);
    d->frames = (Frames){0};
    pool_rollback(s->pool, mark);
    return true;
}
