#include "emit/fmu/fmu_dependency.h"

#include "base/vec.h"

#include <string.h>

/* The variables that the unknowns of a block, or a memory, depend on directly. */
typedef struct Origin {
    bool is_memory;
    bool knows_time;
    VEC(VarId) leaf;
    uint64_t mask, remembered; /* of 64 known variables; those through memory */
} Origin;

typedef struct Search {
    const Program *g;
    const System *s;
    Arena *mem;
    VEC(Origin) source;
    uint32_t *source_of;         /* per variable: number of its source + 1; 0: none */
    uint32_t *known_of;          /* per variable: its number + 1 among the known ones */
    uint32_t *stamp;             /* per node: of the last search that came by       */
    bool *reached;               /* per node: a result needs it                     */
    uint64_t *mask, *remembered; /* per node, as in Origin */
} Search;

/* The leaves of an expression, into the newest source. */
static void find_leaves(Search *w, ExprId root, uint32_t stamp)
{
    const ExprPool *p = w->s->pool;
    Origin *out = &vec_last(w->source);
    VEC(ExprId) stack = {0};
    vec_push(w->mem, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (!expr_exists(x) || w->stamp[x.i] == stamp)
            continue;
        w->stamp[x.i] = stamp;
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(w->mem, stack, expr_arg(p, x, k));
        if (expr_op(p, x) == OP_VAR)
            vec_push(w->mem, out->leaf, expr_var_of(p, x));
        out->knows_time = out->knows_time || expr_op(p, x) == OP_TIME;
    }
}

static void find_sources(Search *w)
{
    const Program *g = w->g;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        const NonlinearBlock *block = &g->block[b];
        vec_push(w->mem, w->source, ((Origin){0}));
        for (uint32_t k = 0; k < block->n; k++) {
            w->source_of[block->unknown[k].i] = w->source.n;
            find_leaves(w, block->residual[k], w->source.n);
        }
    }
    for (uint32_t k = 0; k < g->n_memory; k++) {
        const Memory *it = &g->memory[k];
        // values of pre() and clocks were fixed before: no dependency now
        bool is_now = it->kind == MEMORY_RELATION || it->kind == MEMORY_FLOOR ||
                      it->kind == MEMORY_DELAY || it->kind == MEMORY_LEFT_LIMIT;
        vec_push(w->mem, w->source, ((Origin){.is_memory = true}));
        w->source_of[it->var.i] = w->source.n;
        if (is_now)
            find_leaves(w, it->of, w->source.n);
    }
}

/* The dependencies of one variable, a bit for each of the 64 known ones from `first` on. */
static uint64_t mask_of(const Search *w, VarId v, uint32_t first, uint64_t *remembered)
{
    uint32_t known = w->known_of[v.i], source = w->source_of[v.i];
    *remembered = source ? w->source.at[source - 1].remembered : 0;
    if (source)
        return w->source.at[source - 1].mask;
    return known > first && known <= first + 64 ? UINT64_C(1) << (known - 1 - first) : 0;
}

/* Until nothing new comes: blocks are in order, so that few rounds do. */
static void spread(Search *w, uint32_t first, uint64_t time)
{
    for (uint32_t k = 0; k < w->source.n; k++)
        w->source.at[k].mask = w->source.at[k].remembered = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < w->source.n; k++) {
            Origin *it = &w->source.at[k];
            uint64_t mask = it->knows_time ? time : 0, remembered = 0, more;
            for (uint32_t i = 0; i < it->leaf.n; i++) {
                mask |= mask_of(w, it->leaf.at[i], first, &more);
                remembered |= more;
            }
            remembered = it->is_memory ? mask : remembered;
            mask |= it->mask;
            remembered |= it->remembered;
            changed = changed || mask != it->mask || remembered != it->remembered;
            it->mask = mask;
            it->remembered = remembered;
        }
    }
}

/* All nodes, operands before users. */
static void sweep(Search *w, uint32_t first, uint64_t time)
{
    const ExprPool *p = w->s->pool;
    for (uint32_t i = 0; i < pool_size(p); i++) {
        ExprId x = {i};
        uint64_t mask = 0, remembered = 0;
        if (!w->reached[i])
            continue;
        if (expr_op(p, x) == OP_VAR)
            mask = mask_of(w, expr_var_of(p, x), first, &remembered);
        else if (expr_op(p, x) == OP_TIME)
            mask = time;
        for (uint32_t k = 0; k < expr_n_args(p, x); k++) {
            mask |= w->mask[expr_arg(p, x, k).i];
            remembered |= w->remembered[expr_arg(p, x, k).i];
        }
        w->mask[i] = mask;
        w->remembered[i] = remembered;
    }
}

/* ------------------------------------------------------------------ factors */

/* Per node: a parameter that may change is in it. */
static bool *find_tuned(const System *s, const bool *tuned, Arena *mem)
{
    uint32_t n = pool_size(s->pool);
    bool *out = arena_array(mem, bool, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        ExprId x = {i};
        out[i] = system_is_marked(s, x, tuned);
        for (uint32_t k = 0; k < expr_n_args(s->pool, x) && !out[i]; k++)
            out[i] = out[expr_arg(s->pool, x, k).i];
    }
    return out;
}

static FmuDependency factor_of(const ExprPool *p, ExprId entry, const bool *has_tuned)
{
    switch (expr_variability(p, entry)) {
    case VARIES_NEVER:
        return FMU_CONSTANT_FACTOR;
    case VARIES_PARAMETER:
        return has_tuned[entry.i] ? FMU_TUNABLE_FACTOR : FMU_FIXED_FACTOR;
    case VARIES_DISCRETE:
        return FMU_DISCRETE_FACTOR;
    case VARIES_ALWAYS:
        break;
    }
    return FMU_DEPENDENT;
}

/* Refines dependencies by the linearisation: a constant entry is a factor. Not those through
 * memory. */
static void find_factors(const Program *g, const FmuDependencies *d, const bool *is_smooth,
                         const bool *tuned, Arena *mem)
{
    const Linearisation *l = g->linearisation;
    if (!l || l->n_implicit || !l->matrix.columns.entry)
        return;
    const ExprColumns *c = &l->matrix.columns;
    const bool *has_tuned = find_tuned(g->sys, tuned, mem);
    uint32_t *known_of = arena_array(mem, uint32_t, g->sys->var.n + 1);
    uint32_t *output_of = arena_array(mem, uint32_t, g->sys->var.n + 1);
    for (uint32_t k = 0; k + 1 < d->n_known; k++)
        known_of[d->known[k].i] = k + 1;
    for (uint32_t k = 0; k < d->n_outputs; k++)
        output_of[d->output[k].i] = g->n_states + k + 1;
    for (uint32_t col = 0; col < c->n_cols; col++)
        for (uint32_t e = c->col_start[col]; e < c->col_start[col + 1]; e++) {
            uint32_t r = c->row[e], known = known_of[l->column[col].i];
            bool is_output = r >= g->n_states && r < g->n_states + l->n_outputs;
            uint32_t row = r < g->n_states ? r + 1
                           : is_output     ? output_of[l->output[r - g->n_states].i]
                                           : 0;
            if (!row || !known)
                continue;
            unsigned char *it = &d->row[row - 1][known - 1];
            if (*it && is_smooth[(size_t)(row - 1) * d->n_known + known - 1])
                *it = (unsigned char)factor_of(g->sys->pool, c->entry[e], has_tuned);
        }
}

/* ------------------------------------------------------------------ the whole */

static void list_known(const Program *g, FmuDependencies *d, Arena *mem)
{
    const System *s = g->sys;
    VEC(VarId) known = {0}, output = {0};
    for (uint32_t k = 0; k < g->n_states; k++)
        vec_push(mem, known, g->state[k]);
    for (uint32_t k = 0; k < s->var.n; k++) {
        if (s->var.at[k].kind == VAR_INPUT && !s->var.at[k].is_hidden)
            vec_push(mem, known, ((VarId){k}));
        if (s->var.at[k].is_output)
            vec_push(mem, output, ((VarId){k}));
    }
    vec_push(mem, known, VAR_NONE);
    d->n_known = known.n;
    d->known = known.at;
    d->n_outputs = output.n;
    d->output = output.at;
}

FmuDependencies fmu_dependencies(const Program *g, const bool *tuned, Arena *mem)
{
    static const double MOST = 2e7; // numbers
    FmuDependencies d = {0};
    list_known(g, &d, mem);
    ExprId nothing = expr_int(g->sys->pool, 0);
    uint32_t n = g->n_states + d.n_outputs, n_nodes = pool_size(g->sys->pool);
    if (g->loops || !n || (double)n * d.n_known > MOST)
        return d;
    Search w = {.g = g, .s = g->sys, .mem = mem};
    w.source_of = arena_array(mem, uint32_t, g->sys->var.n + 1);
    w.known_of = arena_array(mem, uint32_t, g->sys->var.n + 1);
    w.stamp = arena_array(mem, uint32_t, n_nodes + 1);
    w.reached = arena_array(mem, bool, n_nodes + 1);
    w.mask = arena_array(mem, uint64_t, n_nodes + 1);
    w.remembered = arena_array(mem, uint64_t, n_nodes + 1);
    for (uint32_t k = 0; k + 1 < d.n_known; k++)
        w.known_of[d.known[k].i] = k + 1;
    find_sources(&w);
    ExprId *root = arena_array(mem, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        root[k] = k < g->n_states ? g->derivative[k] : g->value[d.output[k - g->n_states].i];
    for (uint32_t k = 0; k < n; k++)
        root[k] = expr_exists(root[k]) ? root[k] : nothing;
    program_reach(g->sys->pool, n, root, w.reached);
    d.row = arena_array(mem, unsigned char *, n);
    bool *is_smooth = arena_array(mem, bool, (size_t)n *d.n_known + 1);
    for (uint32_t k = 0; k < n; k++)
        d.row[k] = arena_array(mem, unsigned char, d.n_known);
    for (uint32_t first = 0; first < d.n_known; first += 64) {
        uint32_t end = first + 64 < d.n_known ? first + 64 : d.n_known;
        uint64_t time = end == d.n_known ? UINT64_C(1) << (end - 1 - first) : 0;
        spread(&w, first, time);
        sweep(&w, first, time);
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = first; j < end; j++) {
                uint64_t bit = UINT64_C(1) << (j - first);
                d.row[k][j] = w.mask[root[k].i] & bit ? FMU_DEPENDENT : FMU_UNRELATED;
                is_smooth[(size_t)k * d.n_known + j] = !(w.remembered[root[k].i] & bit);
            }
    }
    find_factors(g, &d, is_smooth, tuned, mem);
    return d;
}
