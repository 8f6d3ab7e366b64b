/* Variables that are no states and whose derivative the model uses, of which event memory or inputs
 * decide: these may jump at events. */
#include "emit/model/model.h"

/* Per node, whether memory or inputs decide about it, those of other leaves given. */
static void spread(const Model *m, bool *jumps)
{
    const ExprPool *p = m->sys->pool;
    for (uint32_t k = 0; k < pool_size(p); k++) {
        ExprId x = {k};
        if (expr_op(p, x) == OP_VAR && expr_var_of(p, x).i < m->n_leaves &&
            m->leaf[expr_var_of(p, x).i] == LEAF_INPUT)
            jumps[k] = true;
        for (uint32_t i = 0; i < expr_n_args(p, x) && !jumps[k]; i++)
            jumps[k] = jumps[expr_arg(p, x, i).i];
    }
}

/* Unknowns of blocks whose residuals jump do, too; whether there are new ones. */
static bool spread_blocks(const Model *m, bool *jumps)
{
    const Program *g = m->g;
    bool is_new = false;
    for (uint32_t b = 0; b < program_own_blocks(g); b++) {
        const NonlinearBlock *it = &g->block[b];
        ExprId first = system_var_expr(m->sys, it->unknown[0]);
        bool does = false;
        for (uint32_t i = 0; i < it->n && !does; i++)
            does = jumps[it->residual[i].i];
        if (!does || jumps[first.i])
            continue;
        is_new = true;
        for (uint32_t i = 0; i < it->n; i++)
            jumps[system_var_expr(m->sys, it->unknown[i]).i] = true;
    }
    return is_new;
}

static bool is_candidate(const Model *m, uint32_t k)
{
    const Var *v = &m->sys->var.at[k];
    uint8_t leaf = m->leaf[k];
    return v->kind == VAR_CONTINUOUS && var_exists(v->der) &&
           !m->sys->var.at[v->der.i].is_by_reduction && m->row_of[k] != UINT32_MAX &&
           (leaf == LEAF_NONE || leaf == LEAF_UNKNOWN) && expr_exists(m->g->value[k]);
}

void model_jump_table(Model *m)
{
    enum { MOST_ROUNDS = 8 }; /* longer chains of blocks: all unknowns may jump */
    uint32_t n = 0, n_vars = m->n_leaves;
    for (uint32_t k = 0; k < n_vars && !m->is_part; k++)
        n += is_candidate(m, k);
    if (!n)
        return;
    // a variable may be new to the pool as an expression of its own
    for (uint32_t b = 0; b < program_own_blocks(m->g); b++)
        for (uint32_t i = 0; i < m->g->block[b].n; i++)
            system_var_expr(m->sys, m->g->block[b].unknown[i]);
    bool *jumps = arena_array(m->mem, bool, pool_size(m->sys->pool) + 1);
    spread(m, jumps);
    uint32_t rounds = 0;
    while (rounds < MOST_ROUNDS && spread_blocks(m, jumps)) {
        spread(m, jumps);
        rounds++;
    }
    Text *t = &m->tables;
    for (uint32_t k = 0; k < n_vars; k++) {
        if (!is_candidate(m, k) ||
            !(jumps[m->g->value[k].i] || (rounds == MOST_ROUNDS && program_own_blocks(m->g))))
            continue;
        if (!m->n_differentiated++)
            text_put(t, "\nstatic const RungDifferentiated differentiated[] = {\n");
        text_printf(t, "    {%uu, ", m->row_of[k]);
        text_number(t, model_has_nominal(m, (VarId){k}) ? model_nominal(m, (VarId){k}) : 0);
        text_put(t, "},\n");
    }
    if (m->n_differentiated)
        text_put(t, "};\n");
}
