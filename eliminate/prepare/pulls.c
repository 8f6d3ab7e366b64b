#include "eliminate/prepare/pulls.h"

#include "base/map.h"

typedef struct Pulls {
    System *s;
    Map force; /* variable -> 3 * frame + axis */
    VEC(uint32_t) found;
    Arena *mem;
} Pulls;

/* The forces of frames in a sum. */
static void find_forces(Pulls *p, ExprId x)
{
    const ExprPool *pool = p->s->pool;
    if (expr_op(pool, x) == OP_VAR) {
        uint32_t at = map_get(&p->force, expr_var_of(pool, x).i);
        if (at != MAP_NONE)
            vec_push(p->mem, p->found, at);
        return;
    }
    for (uint32_t k = 0; k < expr_n_args(pool, x); k++)
        find_forces(p, expr_arg(pool, x, k));
}

/* The first of three inputs. */
static VarId add_inputs(System *s, const GeometryFrame *f)
{
    VarId first = VAR_NONE;
    uint32_t group = system_new_group(s);
    for (uint32_t k = 0; k < 3; k++) {
        Var v = s->var.at[f->f.i + k];
        v.name = name_printf(s->names, "'pull %s'[%u]", f->name.s, k + 1);
        v.description = name_printf(s->names, "Force from outside at %s", f->name.s);
        v.kind = VAR_INPUT;
        v.attr.start = expr_int(s->pool, 0);
        v.attr.fixed = UNKNOWN;
        v.binding = EXPR_NONE;
        v.der = v.der_of = VAR_NONE;
        v.group = group;
        v.index = k;
        v.is_flow = v.is_output = v.is_protected = v.hides_result = false;
        VarId id = system_add_var(s, v);
        first = k == 0 ? id : first;
    }
    return first;
}

void pulls_add(System *s, Arena *scratch)
{
    Pulls p = {.s = s, .force = map_new(scratch), .mem = scratch};
    for (uint32_t k = 0; k < s->geometry.frame.n; k++) {
        const GeometryFrame *f = &s->geometry.frame.at[k];
        for (uint32_t axis = 0; axis < 3 && var_exists(f->f); axis++)
            map_put(&p.force, f->f.i + axis, 3 * k + axis);
    }
    // per frame: the equations, as an array, to which its own input is added
    uint32_t *added_to = arena_array(scratch, uint32_t, s->geometry.frame.n + 1);
    for (uint32_t k = 0; k < s->geometry.frame.n; k++)
        added_to[k] = GROUP_NONE;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        Eq *e = &s->eq.at[k];
        p.found.n = 0;
        if (e->of_connection && e->group != GROUP_NONE && expr_is(s->pool, e->rhs, 0))
            find_forces(&p, e->lhs);
        // a connector in the middle of a model is in a set on both of its sides: one has its input
        VarId pull = VAR_NONE;
        for (uint32_t i = 0; i < p.found.n; i++) {
            uint32_t at = p.found.at[i] / 3, axis = p.found.at[i] % 3;
            GeometryFrame *f = &s->geometry.frame.at[at];
            if (axis == 0 && !var_exists(f->pull)) {
                if (!var_exists(pull)) {
                    pull = add_inputs(s, f);
                    added_to[at] = e->group;
                }
                f->pull = pull;
            }
            if (added_to[at] == e->group)
                e->rhs = system_var_expr(s, (VarId){f->pull.i + axis});
        }
    }
}
