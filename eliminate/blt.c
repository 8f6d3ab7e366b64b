#include "eliminate/blt.h"

#include "base/bug.h"
#include "graph/blocks.h"
#include "graph/matching.h"

static Blocks blocks_of(const Incidence *g, const Matching *m, Arena *mem)
{
    Blocks b = blocks_find(g, m, mem);
#if RUNG_CHECKS
    if (!blocks_check(&b, g, m)) {
        blocks_dump(&b, stderr);
        bug("a block needs unknowns of a later one");
    }
#endif
    return b;
}

Blt blt_find(System *sys, const bool *is_unknown, const bool *is_state, const Aliases *aliases,
             Arena *mem)
{
    Blt b = {.sys = sys,
             .columns = structure_of(sys, is_unknown, mem),
             .is_state = is_state,
             .aliases = aliases};
    b.matching = matching_find(&b.columns.g, mem);
    b.blocks = blocks_of(&b.columns.g, &b.matching, mem);
    return b;
}

Blt blt_of_matching(const Blt *from, const Matching *m, Arena *mem)
{
    Blt b = *from;
    b.matching = *m;
    b.blocks = blocks_of(&b.columns.g, m, mem);
    return b;
}

bool blt_is_complete(const Blt *b)
{
    return b->matching.size == b->columns.n && b->columns.g.n_rows == b->columns.n;
}

VarId blt_var(const Blt *b, uint32_t pair)
{
    return b->columns.var[b->blocks.var[pair]];
}

void blt_block(const Blt *b, uint32_t block, EqId *eq, VarId *unknown)
{
    const uint32_t begin = b->blocks.begin[block], end = b->blocks.begin[block + 1];
    for (uint32_t k = begin; k < end; k++) {
        eq[k - begin] = (EqId){b->blocks.eq[k]};
        unknown[k - begin] = blt_var(b, k);
    }
}

/* Equations and columns have the numbers that the System gives them. */
static bool columns_check(const Blt *b)
{
    const Structure *t = &b->columns;
    if (t->g.n_rows != b->sys->eq.n || t->g.n_cols != t->n || !incidence_check(&t->g))
        return false;
    for (uint32_t c = 0; c < t->n; c++) {
        VarId v = t->var[c];
        if (v.i >= b->sys->var.n || t->column[v.i] != c || b->is_state[v.i])
            return false;
    }
    return true;
}

/* Blocks may be a part of the matching, so each variable they read must be of an earlier block, or
 * of none. */
static bool order_check_of_blocks(const Blt *b, Arena *scratch)
{
    const Incidence *g = &b->columns.g;
    const Blocks *blocks = &b->blocks;
    uint32_t *block_of = arena_array(scratch, uint32_t, g->n_cols + 1); /* 0: none */
    for (uint32_t k = 0; k < blocks->n; k++) {
        if (blocks->begin[k] >= blocks->begin[k + 1])
            return false;
        for (uint32_t p = blocks->begin[k]; p < blocks->begin[k + 1]; p++) {
            uint32_t e = blocks->eq[p], c = blocks->var[p];
            if (e >= g->n_rows || c >= g->n_cols || b->matching.var_of[e] != c || block_of[c] != 0)
                return false;
            block_of[c] = k + 1;
        }
    }
    for (uint32_t k = 0; k < blocks->n; k++)
        for (uint32_t p = blocks->begin[k]; p < blocks->begin[k + 1]; p++)
            for (uint32_t i = g->row_begin[blocks->eq[p]]; i < g->row_begin[blocks->eq[p] + 1]; i++)
                if (block_of[g->col[i]] > k + 1)
                    return false;
    return true;
}

bool blt_check(const Blt *b)
{
    if (!columns_check(b) || !matching_check(&b->matching, &b->columns.g))
        return false;
    Arena *scratch = arena_new();
    bool ok = order_check_of_blocks(b, scratch);
    arena_free(scratch);
    return ok;
}

void blt_print(const Blt *b, FILE *f)
{
    const System *s = b->sys;
    const Blocks *blocks = &b->blocks;
    Arena *mem = arena_new();
    for (uint32_t k = 0; k < blocks->n; k++) {
        uint32_t n = blocks->begin[k + 1] - blocks->begin[k];
        if (n > 1)
            fprintf(f, "// block %u: %u equations\n", k, n);
        for (uint32_t p = blocks->begin[k]; p < blocks->begin[k + 1]; p++) {
            const Eq *q = &s->eq.at[blocks->eq[p]];
            ArenaMark mark = arena_mark(mem);
            fprintf(f, "%s = %s;  // e%u -> %s, block %u\n", expr_text(s, q->lhs, mem),
                    expr_text(s, q->rhs, mem), blocks->eq[p], s->var.at[blt_var(b, p).i].name.s, k);
            arena_rollback(mem, mark);
        }
    }
    arena_free(mem);
}
