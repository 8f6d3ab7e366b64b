/* place.c -- where the operands of a statement are: local to the chunk, in the work array w, in out
 * or in the arrays of the interface. */
#include "base/bug.h"
#include "emit/coder.h"

/* Results that others in the section need are read from there instead of from w. */
void code_find_homes(Coder *c, uint32_t n)
{
    for (uint32_t k = 0; k < n && c->kind == SECTION_OUTPUTS; k++) {
        bool negated = false;
        ExprId x = code_strip(c->pool, c->root[k].x, &negated);
        if (!negated && c->colour[x.i] == BLACK && !c->nested[x.i])
            c->home[x.i] = c->root[k].index + 1;
    }
}

typedef void (*OnAtom)(Coder *c, ExprId x);

void code_need_slot(Coder *c, ExprId x)
{
    if (c->slot[x.i])
        return;
    c->slot[x.i] = ++c->n_work;
    vec_push(c->mem, c->slotted, x.i);
}

void code_on_crossing(Coder *c, ExprId x)
{
    if (c->chunk[x.i] && c->chunk[x.i] != c->chunk_number + 1 && !c->home[x.i])
        code_need_slot(c, x);
}

void code_put_place(Coder *c, Text *t, ExprId x)
{
    if (expr_op(c->pool, x) == OP_VAR) {
        VarId v = expr_var_of(c->pool, x);
        uint32_t k = c->leaf_index[v.i];
        switch ((LeafKind)c->leaf[v.i]) {
        case LEAF_STATE:
            c->has_x = true;
            text_printf(t, "x[%u]", k);
            return;
        case LEAF_PARAMETER:
            c->has_p = true;
            text_printf(t, "p[%u]", k);
            return;
        case LEAF_INPUT:
            c->has_u = true;
            text_printf(t, "u[%u]", k);
            return;
        case LEAF_UNKNOWN:
            if (c->kind >= SECTION_RESIDUAL && c->block_of[k] == c->block) {
                c->has_z = true;
                text_printf(t, "z[%u]", k - c->block_first[c->block]);
            } else {
                c->has_y = true;
                text_printf(t, "y[%u]", k);
            }
            return;
        case LEAF_NONE:
            break;
        }
        bug("emit: variable %u has no place", v.i);
    }
    if (code_is_hoisted(c, x)) {
        c->has_c = true;
        text_printf(t, "c[%u]", c->constant[x.i] - 1);
        return;
    }
    if (c->home[x.i]) {
        c->has_out = true;
        text_printf(t, "out[%u]", c->home[x.i] - 1);
        return;
    }
    if (!c->slot[x.i])
        bug("emit: node %u is used before it is computed", x.i);
    c->has_w = true;
    text_printf(t, "w[%u]", c->slot[x.i] - 1);
}

bool code_is_local(const Coder *c, ExprId x)
{
    return c->local_in[x.i] == c->chunk_number + 1;
}

void code_new_local(Coder *c, ExprId x)
{
    c->local[x.i] = ++c->locals;
    c->local_in[x.i] = c->chunk_number + 1;
}

void code_on_count(Coder *c, ExprId x)
{
    if (c->chunk[x.i] == c->chunk_number + 1)
        return;
    if (!c->loads[x.i]++)
        vec_push(c->mem, c->loaded, x.i);
}

void code_on_load(Coder *c, ExprId x)
{
    if (c->chunk[x.i] == c->chunk_number + 1 || c->loads[x.i] < 2 || code_is_local(c, x))
        return;
    code_new_local(c, x);
    text_printf(&c->body, "    const double t%u = ", c->local[x.i]);
    code_put_place(c, &c->body, x);
    text_put(&c->body, ";\n");
}
