#include "eliminate/prepare/massless.h"

#include "eliminate/structure.h"
#include "graph/dulmage.h"
#include "graph/matching.h"

#include <stdlib.h>

static bool wants_to_be_state(const System *s, uint32_t k)
{
    const Var *v = &s->var.at[k];
    return v->kind == VAR_CONTINUOUS && var_exists(v->der) && v->attr.select >= STATE_PREFER;
}

/* Columns: unknowns when states are given. Those that want to be states are known; their
 * derivatives are unknowns of their own; of all others a variable and its derivatives are one. */
static Structure given_states(const System *s, const bool *is_state, Arena *mem)
{
    bool *unknown = arena_array(mem, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] = var_is_unknown(&s->var.at[k]) && !is_state[k];
    return structure_of_chains(s, unknown, mem);
}

/* Steps from the multipliers, over the rows and columns of the part. */
static void distances(const System *s, const LoopCut *c, const Incidence *part, const EqId *eq,
                      uint32_t *distance, Arena *mem)
{
    bool *is_multiplier = arena_array(mem, bool, s->var.n);
    for (uint32_t k = 0; k < c->n_constraints; k++)
        is_multiplier[c->multiplier[k].i] = true;
    uint32_t *queue = arena_array(mem, uint32_t, part->n_rows + 1);
    bool *seen = arena_array(mem, bool, part->n_cols + 1);
    uint32_t n = 0;
    for (uint32_t r = 0; r < part->n_rows; r++) {
        VarId *found;
        const Eq *e = &s->eq.at[eq[r].i];
        distance[r] = INC_NONE;
        if (unknowns_of(s, is_multiplier, e->lhs, 0, mem, &found) ||
            unknowns_of(s, is_multiplier, e->rhs, 0, mem, &found)) {
            distance[r] = 0;
            queue[n++] = r;
        }
    }
    for (uint32_t head = 0; head < n; head++) {
        uint32_t r = queue[head];
        for (uint32_t k = part->row_begin[r]; k < part->row_begin[r + 1]; k++) {
            uint32_t v = part->col[k];
            for (uint32_t i = part->col_begin[v]; !seen[v] && i < part->col_begin[v + 1]; i++) {
                if (distance[part->row[i]] != INC_NONE)
                    continue;
                distance[part->row[i]] = distance[r] + 1;
                queue[n++] = part->row[i];
            }
            seen[v] = true;
        }
    }
}

typedef struct Rank {
    uint32_t row, distance;
    bool is_scalar;
} Rank;

/* Array equations first, since they are regular as a whole; then what is far from the cut. */
static int by_rank(const void *a, const void *b)
{
    const Rank *x = a;
    const Rank *y = b;
    if (x->is_scalar != y->is_scalar)
        return x->is_scalar ? 1 : -1;
    if (x->distance != y->distance)
        return x->distance > y->distance ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* The rows that stay unmatched when the better ones are matched first. */
static uint32_t surplus_rows(const System *s, const LoopCut *c, const Incidence *part,
                             const EqId *eq, EqId *out, Arena *mem)
{
    uint32_t *distance = arena_array(mem, uint32_t, part->n_rows + 1);
    distances(s, c, part, eq, distance, mem);
    Map size = map_new(mem); /* of a group, within the part */
    for (uint32_t r = 0; r < part->n_rows; r++) {
        uint32_t group = s->eq.at[eq[r].i].group;
        uint32_t n = map_get(&size, group);
        map_put(&size, group, n == MAP_NONE ? 1 : n + 1);
    }
    Rank *rank = arena_array(mem, Rank, part->n_rows + 1);
    for (uint32_t r = 0; r < part->n_rows; r++) {
        uint32_t group = s->eq.at[eq[r].i].group;
        bool is_array = group != GROUP_NONE && map_get(&size, group) > 1;
        rank[r] = (Rank){r, distance[r] == INC_NONE ? part->n_rows : distance[r], !is_array};
    }
    qsort(rank, part->n_rows, sizeof *rank, by_rank);
    Augmenter w = augmenter_new(part, mem);
    uint32_t n = 0;
    for (uint32_t k = 0; k < part->n_rows; k++) {
        if (!matching_augment(&w, rank[k].row, LABEL_NONLINEAR))
            out[n++] = eq[rank[k].row];
    }
    return n;
}

/* Motions that are prescribed: where equations without multipliers clash, the states in them are
 * none. False if there is no such state. */
static bool demote_prescribed(const System *s, const LoopCut *c, const Structure *u,
                              const Matching *m, bool *is_state, Arena *mem)
{
    bool *is_multiplier = arena_array(mem, bool, s->var.n);
    for (uint32_t k = 0; k < c->n_constraints; k++)
        is_multiplier[c->multiplier[k].i] = true;
    bool any = false;
    for (uint32_t e = 0; e < u->g.n_rows; e++) {
        if (m->var_of[e] != INC_NONE)
            continue;
        DulmagePart clash = dulmage_clash(&u->g, m, e, mem);
        bool of_loop = false;
        VarId *found;
        for (uint32_t k = 0; k < clash.n_eqs && !of_loop; k++)
            of_loop = unknowns_of(s, is_multiplier, s->eq.at[clash.eq[k]].lhs, 0, mem, &found) ||
                      unknowns_of(s, is_multiplier, s->eq.at[clash.eq[k]].rhs, 0, mem, &found);
        for (uint32_t k = 0; k < clash.n_eqs && !of_loop; k++) {
            const ExprId side[] = {s->eq.at[clash.eq[k]].lhs, s->eq.at[clash.eq[k]].rhs};
            for (int i = 0; i < 2; i++) {
                uint32_t n = unknowns_of(s, is_state, side[i], UINT32_MAX - 1, mem, &found);
                for (uint32_t j = 0; j < n; j++)
                    is_state[found[j].i] = false;
                any = any || n > 0;
            }
        }
    }
    return any;
}

void massless_find(System *s, LoopCut *c, Arena *scratch)
{
    bool *is_state = arena_array(scratch, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        is_state[k] = wants_to_be_state(s, k);
    Structure u = given_states(s, is_state, scratch);
    Matching m = matching_find(&u.g, scratch);
    while (demote_prescribed(s, c, &u, &m, is_state, scratch)) {
        u = given_states(s, is_state, scratch);
        m = matching_find(&u.g, scratch);
    }
    if (m.size == u.g.n_rows && m.size == u.g.n_cols)
        return;
    Dulmage d = dulmage_find(&u.g, &m, scratch);
    /* accelerations: derivatives of states that nothing determines */
    VarId *derivative = arena_array(scratch, VarId, d.under.n_vars + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < d.under.n_vars; k++) {
        VarId v = u.var[d.under.var[k]];
        VarId below = s->var.at[v.i].der_of;
        if (var_exists(below) && is_state[below.i])
            derivative[n++] = v;
    }
    if (n == 0 || d.over.n_eqs != d.over.n_vars + n)
        return;
    Incidence part =
        incidence_part(&u.g, d.over.eq, d.over.n_eqs, d.over.var, d.over.n_vars, scratch);
    EqId *eq = arena_array(scratch, EqId, d.over.n_eqs + 1);
    for (uint32_t r = 0; r < d.over.n_eqs; r++)
        eq[r] = (EqId){d.over.eq[r]};
    EqId *surplus = arena_array(scratch, EqId, d.over.n_eqs + 1);
    if (surplus_rows(s, c, &part, eq, surplus, scratch) == n)
        loops_release(s, c, n, surplus, derivative, scratch);
}
