#include "eliminate/prepare/loop_cut.h"

#include <string.h>

/* ---- cutting ---- */

bool loops_can_cut(const System *s)
{
    for (uint32_t k = 0; k < s->cut.n; k++) {
        if (s->cut.at[k].flow.n != s->cut.at[k].n_eq)
            return false;
    }
    return s->cut.n > 0;
}

const char *loop_owner_of(Name path, Arena *mem)
{
    const char *dot = strrchr(path.s, '.');
    return dot ? arena_copy(mem, path.s, (size_t)(dot - path.s)) : path.s;
}

/* One part of a connection set whose flows no longer sum to zero. */
typedef struct Part {
    EqId eq; /* the sum of the set as it was */
    ExprId sum;
    ExprId balance; /* with the multipliers */
} Part;

typedef struct Parts {
    Arena *mem;
    Map place; /* node of the sum -> its part */
    VEC(Part) part;
} Parts;

static Part *part_of(Parts *p, EqId eq, ExprId sum)
{
    uint32_t k = map_get(&p->place, sum.i);
    if (k == MAP_NONE) {
        k = p->part.n;
        map_put(&p->place, sum.i, k);
        Part new = {eq, sum, sum};
        vec_push(p->mem, p->part, new);
    }
    return &p->part.at[k];
}

/* What flows through the joint into side b, as an input. */
static VarId add_multiplier(System *s, const CutJoint *joint, const CutFlow *flow)
{
    Var v = s->var.at[flow->of.i];
    v.name = name_printf(s->names, "cut(%s)", v.name.s);
    v.description = name_printf(s->names, "Constraint force where %s is cut from %s",
                                loop_owner_of(joint->b, s->mem), loop_owner_of(joint->a, s->mem));
    v.kind = VAR_INPUT;
    v.attr.start = EXPR_NONE;
    v.attr.fixed = UNKNOWN;
    v.binding = EXPR_NONE;
    v.der = v.der_of = VAR_NONE;
    v.group = GROUP_NONE;
    v.index = 0;
    v.is_flow = false;
    v.is_output = false;
    return system_add_var(s, v);
}

LoopCut loops_empty(uint32_t n_loops, uint32_t n_constraints, Arena *mem)
{
    return (LoopCut){.n_loops = n_loops,
                     .n_constraints = n_constraints,
                     .n_parts = 1,
                     .name = arena_array(mem, Name, n_loops + 1),
                     .span = arena_array(mem, Span, n_loops + 1),
                     .side = arena_array(mem, Name, 2 * (size_t)n_loops + 1),
                     .common = arena_array(mem, Common, n_loops + 1),
                     .first = arena_array(mem, uint32_t, n_loops + 1),
                     .multiplier = arena_array(mem, VarId, n_constraints + 1),
                     .phi = arena_array(mem, ExprId, n_constraints + 1)};
}

LoopCut loops_cut(System *s, Arena *scratch)
{
    uint32_t n_constraints = 0;
    for (uint32_t k = 0; k < s->cut.n; k++)
        n_constraints += s->cut.at[k].n_eq;
    LoopCut c = loops_empty(s->cut.n, n_constraints, s->mem);
    uint32_t n_eq = s->eq.n;
    bool *dropped = arena_array(scratch, bool, n_eq + 1);
    Parts parts = {.mem = scratch, .place = map_new(scratch)};
    uint32_t at = 0;
    for (uint32_t k = 0; k < s->cut.n; k++) {
        CutJoint *joint = &s->cut.at[k];
        c.name[k] = name_printf(s->names, "%s - %s", loop_owner_of(joint->a, s->mem),
                                loop_owner_of(joint->b, s->mem));
        c.span[k] = joint->span;
        c.side[2 * (size_t)k] = joint->a;
        c.side[2 * (size_t)k + 1] = joint->b;
        c.common[k] = (Common){joint->n_common, joint->common};
        c.first[k] = at;
        for (uint32_t i = 0; i < joint->n_eq; i++, at++) {
            const Eq *e = &s->eq.at[joint->first_eq + i];
            dropped[joint->first_eq + i] = true;
            c.phi[at] = expr_sub(s->pool, e->rhs, e->lhs);
            const CutFlow *flow = &joint->flow.at[i];
            c.multiplier[at] = add_multiplier(s, joint, flow);
            ExprId force = system_var_expr(s, c.multiplier[at]);
            Part *a = part_of(&parts, flow->eq, flow->a);
            a->balance = expr_add(s->pool, a->balance, force);
            Part *b = part_of(&parts, flow->eq, flow->b);
            b->balance = expr_sub(s->pool, b->balance, force);
        }
    }
    c.first[c.n_loops] = at;
    /* the first part of a set takes the place of its equation, the others follow */
    Map seen = map_new(scratch);
    Map groups = map_new(scratch); /* an array of sums stays one array per part */
    for (uint32_t k = 0; k < parts.part.n; k++) {
        const Part *p = &parts.part.at[k];
        uint32_t before = map_get(&seen, p->eq.i); /* parts of this set */
        bool is_first = before == MAP_NONE;
        before = is_first ? 0 : before;
        map_put(&seen, p->eq.i, before + 1);
        Eq e = s->eq.at[p->eq.i];
        e.lhs = p->balance;
        e.rhs = expr_int(s->pool, 0);
        if (is_first) {
            s->eq.at[p->eq.i] = e;
        } else {
            if (e.group != GROUP_NONE) {
                uint64_t key = map_key_pair(e.group, before);
                uint32_t group = map_get(&groups, key);
                if (group == MAP_NONE) {
                    group = system_new_group(s);
                    map_put(&groups, key, group);
                }
                e.group = group;
            }
            system_add_eq(s, e);
        }
    }
    system_drop_eqs(s, n_eq, dropped);
    return c;
}

void loops_release(System *s, LoopCut *c, uint32_t n, const EqId *balance, const VarId *derivative,
                   Arena *scratch)
{
    c->n_massless = n;
    c->massless = arena_array(s->mem, VarId, n + 1);
    c->balance = arena_array(s->mem, ExprId, n + 1);
    c->balance_at = arena_array(s->mem, Span, n + 1);
    uint32_t n_eq = s->eq.n;
    bool *dropped = arena_array(scratch, bool, n_eq + 1);
    for (uint32_t k = 0; k < n; k++) {
        Eq e = s->eq.at[balance[k].i];
        dropped[balance[k].i] = true;
        c->balance[k] = expr_sub(s->pool, e.lhs, e.rhs);
        c->balance_at[k] = e.span;
        Var v = s->var.at[derivative[k].i];
        v.name = name_printf(s->names, "free(%s)", v.name.s);
        v.description = name_of(s->names, "Acceleration that the closing of a loop determines");
        v.kind = VAR_INPUT;
        v.der = v.der_of = VAR_NONE;
        v.group = GROUP_NONE;
        v.index = 0;
        v.attr = attributes_none();
        c->massless[k] = system_add_var(s, v);
        e.lhs = system_var_expr(s, derivative[k]);
        e.rhs = system_var_expr(s, c->massless[k]);
        e.group = GROUP_NONE;
        system_add_eq(s, e);
    }
    system_drop_eqs(s, n_eq, dropped);
}
