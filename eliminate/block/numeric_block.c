#include "eliminate/block/numeric_block.h"

#include "graph/lu_cost.h"

/* sum of coefficients times unknowns, and the rest */
static ExprId residual_of(System *s, const LinearForm *f)
{
    ExprPool *p = s->pool;
    ExprId x = f->rest;
    for (uint32_t i = 0; i < f->n; i++)
        x = expr_add(p, x, expr_mul(p, f->coeff[i], system_var_expr(s, f->var[i])));
    return x;
}

NonlinearBlock numeric_block(System *s, uint32_t n, const EqId *eq, const VarId *var,
                             const LinearForm *form, const Order *o, Arena *tmp)
{
    VarId *unknown = arena_array(s->mem, VarId, n);
    EqId *eqs = arena_array(s->mem, EqId, n);
    ExprId *residual = arena_array(s->mem, ExprId, n);
    uint32_t *start = arena_array(s->mem, uint32_t, n + 1);
    Map column = map_with_room(n, tmp);
    for (uint32_t k = 0; k < n; k++) {
        unknown[k] = var[o->var[k]];
        eqs[k] = eq[o->eq[k]];
        map_put(&column, unknown[k].i, k);
        residual[k] = residual_of(s, &form[o->eq[k]]);
    }
    /* rows to columns, by counting */
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < form[k].n; i++)
            start[map_get(&column, form[k].var[i].i) + 1]++;
    }
    for (uint32_t k = 0; k < n; k++)
        start[k + 1] += start[k];
    uint32_t *row = arena_array(s->mem, uint32_t, start[n] + 1);
    ExprId *entry = arena_array(s->mem, ExprId, start[n] + 1);
    uint32_t *next = arena_array(tmp, uint32_t, n);
    memcpy(next, start, n * sizeof *next);
    for (uint32_t k = 0; k < n; k++) {
        const LinearForm *f = &form[o->eq[k]];
        for (uint32_t i = 0; i < f->n; i++) {
            uint32_t at = next[map_get(&column, f->var[i].i)]++;
            row[at] = k;
            entry[at] = f->coeff[i];
        }
    }
    return (NonlinearBlock){.n = n,
                            .unknown = unknown,
                            .eq = eqs,
                            .residual = residual,
                            .col_start = start,
                            .row = row,
                            .entry = entry,
                            .is_linear = true,
                            .column_order = lu_column_order(n, start, row, s->mem)};
}
