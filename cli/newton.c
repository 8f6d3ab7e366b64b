#include "cli/newton.h"

#include "eliminate/newton.h"
#include <stdlib.h>

/* Where a pair (equation, unknown) stands: behind step `place` of the elimination that xdot comes
 * from, there by `depth`. */
typedef struct Stand {
    uint32_t place, depth, pair;
} Stand;

static int by_stand(const void *a, const void *b)
{
    const Stand *x = a;
    const Stand *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

typedef struct Pairs {
    const Incidence *g;
    uint32_t *row_of, *col_of; /* the matching                                          */
    Stand *stand;              /* per column                                            */
    uint8_t *state;            /* per column: 0 unknown, 1 at work, 2 known             */
    VEC(uint32_t) stack;
} Pairs;

/* Steps of the elimination keep their places; any other unknown goes as soon as all equations that
 * contain it, but its own, have been used: then it is left in what they were put into. Where
 * that goes round in a circle (rates of Euler parameters), one of them begins. */
static void find_stands(Pairs *w, Arena *mem)
{
    const Incidence *g = w->g;
    for (uint32_t c = 0; c < g->n_cols; c++) {
        if (w->state[c] == 0)
            vec_push(mem, w->stack, c);
        while (w->stack.n > 0) {
            uint32_t v = vec_last(w->stack);
            if (w->state[v] == 2) {
                w->stack.n--;
                continue;
            }
            bool ready = true;
            Stand s = {0, 0, v};
            for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
                uint32_t user = w->col_of[g->row[k]];
                if (user == v)
                    continue;
                if (w->state[user] == 2) {
                    Stand u = w->stand[user];
                    if (u.place > s.place || (u.place == s.place && u.depth >= s.depth)) {
                        s.place = u.place;
                        s.depth = u.depth + 1;
                    }
                } else if (w->state[user] == 0 && w->state[v] == 0) {
                    vec_push(mem, w->stack, user);
                    ready = false;
                }
            }
            if (w->state[v] == 0 && !ready) {
                w->state[v] = 1;
                continue;
            }
            w->state[v] = 2;
            w->stand[v] = s;
            w->stack.n--;
        }
    }
}

/* The pairs of the view in the order of elimination, as one block. False if there is no order. */
static bool order_pairs(const Compilation *c, const NewtonView *v, Blocks *out, Arena *mem)
{
    const Incidence *g = &v->structure.g;
    uint32_t n = g->n_cols;
    if (g->n_rows != n)
        return false;
    Pairs w = {.g = g};
    w.row_of = arena_array(mem, uint32_t, n + 1);
    w.col_of = arena_array(mem, uint32_t, n + 1);
    w.stand = arena_array(mem, Stand, n + 1);
    w.state = arena_array(mem, uint8_t, n + 1);
    for (uint32_t r = 0; r < n; r++) {
        uint32_t col = v->structure.column[v->determines[r].i];
        w.row_of[col] = r;
        w.col_of[r] = col;
    }
    Map row = map_new(mem); /* equation of the System -> row of the view */
    for (uint32_t r = 0; r < v->n_equations; r++)
        map_put(&row, v->equation[r].i, r);
    /* the steps of the elimination that xdot comes from */
    uint32_t place = 0;
    for (uint32_t b = 0; b < c->solution.n_reports; b++) {
        const BlockReport *block = &c->solution.report[b];
        for (uint32_t k = 0; block->pair_var && k < block->n; k++) {
            uint32_t col = v->structure.column[block->pair_var[k].i];
            uint32_t r = map_get(&row, block->pair_eq[k].i);
            place++;
            if (col == INC_NONE || r == MAP_NONE)
                continue;
            w.row_of[col] = r;
            w.col_of[r] = col;
            w.state[col] = 2;
            w.stand[col] = (Stand){place, 0, col};
        }
    }
    find_stands(&w, mem);
    qsort(w.stand, n, sizeof *w.stand, by_stand);
    *out = (Blocks){.n = 1,
                    .begin = arena_array(mem, uint32_t, 2),
                    .eq = arena_array(mem, uint32_t, n),
                    .var = arena_array(mem, uint32_t, n)};
    out->begin[1] = n;
    for (uint32_t k = 0; k < n; k++) {
        out->var[k] = w.stand[k].pair;
        out->eq[k] = w.row_of[w.stand[k].pair];
    }
    return true;
}

/* The pairs as they are given. */
static bool as_given(void *data, const Incidence *g, uint32_t k, Arena *mem, Proposal *out)
{
    (void)data;
    if (k > 0)
        return false;
    Order o = {.n = g->n_cols,
               .eq = arena_array(mem, uint32_t, g->n_cols),
               .var = arena_array(mem, uint32_t, g->n_cols)};
    for (uint32_t i = 0; i < g->n_cols; i++)
        o.eq[i] = o.var[i] = i;
    *out = (Proposal){.name = "as for xdot", .order = o};
    return true;
}

void newton_make(Compilation *c)
{
    Program *g = &c->solution.program;
    NewtonView v;
    ArenaMark mark = arena_mark(c->scratch);
    Blocks blocks;
    bool *in_loop = arena_array(c->scratch, bool, c->sys->var.n);
    for (uint32_t b = 0; b < c->solution.n_reports; b++)
        for (uint32_t k = 0; k < c->solution.report[b].n; k++)
            in_loop[c->solution.report[b].var[k].i] = true;
    if (newton_view(c->sys, g, &c->loops, c->aliases.value, c->aliases.n, &c->incidence, c->unknown,
                    &c->matching, in_loop, c->scratch, &v) &&
        order_pairs(c, &v, &blocks, c->scratch)) {
        /* where these equations cannot be solved the runtime's own matrix does it */
        v.sys->diags = diags_new(c->mem);
        bool *is_state = arena_array(c->mem, bool, v.sys->var.n);
        for (uint32_t k = 0; k < g->n_states; k++)
            is_state[g->state[k].i] = true;
        Solution solution;
        if (solve(v.sys, &v.structure.g, &blocks, v.structure.var, NULL, 0, is_state, as_given,
                  NULL, &solution, c->scratch))
            newton_finish(&v, &solution.program, g);
    }
    arena_rollback(c->scratch, mark);
}
