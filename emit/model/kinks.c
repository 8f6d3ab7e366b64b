#include "emit/model/kinks.h"

#include "base/map.h"

enum { MOVES = 1, BENDS = 2 }; /* depends on an unknown; is not smooth in one */

static bool is_sign(const ExprPool *p, ExprId x)
{
    return expr_op(p, x) == OP_FN && expr_fn_of(p, x) == FN_SIGN;
}

bool *kinks_find(const Program *g, const ExprPool *p, Arena *mem)
{
    bool *found = arena_array(mem, bool, g->n_blocks + 1);
    Map unknowns = map_new(mem);
    uint32_t n = 0;
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t i = 0; !g->block[b].is_linear && i < g->block[b].n; i++) {
            map_put(&unknowns, g->block[b].unknown[i].i, 1);
            uint32_t x = g->block[b].residual[i].i;
            n = x + 1 > n ? x + 1 : n;
        }
    uint8_t *at = arena_array(mem, uint8_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        ExprId x = {k};
        if (expr_op(p, x) == OP_VAR) {
            at[k] = map_get(&unknowns, expr_var_of(p, x).i) != MAP_NONE ? MOVES : 0;
            continue;
        }
        uint32_t moved = 0;
        for (uint32_t i = 0; i < expr_n_args(p, x); i++) {
            uint8_t part = at[expr_arg(p, x, i).i];
            at[k] |= part;
            if (i < 32 && part & MOVES)
                moved |= 1u << i;
        }
        if (expr_is_kink(p, x, moved) || (moved && is_sign(p, x)))
            at[k] |= BENDS;
    }
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t i = 0; !g->block[b].is_linear && i < g->block[b].n; i++)
            found[b] = found[b] || at[g->block[b].residual[i].i] & BENDS;
    return found;
}
