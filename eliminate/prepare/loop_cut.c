#include "eliminate/prepare/loop_cut.h"

#include <string.h>

/* ---- cutting ---- */

bool loops_can_cut(const System *s)
{
    for (uint32_t k = 0; k < s->cut.n; k++) {
        if (s->cut.at[k].flow.n != s->cut.at[k].eq.n)
            return false;
    }
    return s->cut.n > 0;
}

const char *loop_owner_of(Name path, Arena *mem)
{
    const char *dot = strrchr(path.s, '.');
    return dot ? arena_copy(mem, path.s, (size_t)(dot - path.s)) : path.s;
}

const char *cut_joint_text(const CutJoint *j, Arena *mem)
{
    if (*j->inside.s)
        return j->inside.s;
    return arena_printf(mem, "%s - %s", loop_owner_of(j->a, mem), loop_owner_of(j->b, mem));
}

const char *cut_joint_force(const CutJoint *j, Name v, Arena *mem)
{
    const char *side = loop_owner_of(j->b, mem);
    size_t n = strlen(side);
    if (!*j->inside.s || strncmp(v.s, side, n) != 0 || v.s[n] != '.')
        return v.s;
    return arena_printf(mem, "%s%s", j->inside.s, v.s + n);
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
    uint32_t k = map_number(&p->place, sum.i, p->part.n);
    if (k == p->part.n) {
        Part new = {eq, sum, sum};
        vec_push(p->mem, p->part, new);
    }
    return &p->part.at[k];
}

/* The only square matrix of a record that has as many rows as a vector of n scalars: its first
 * scalar; UINT32_MAX where there is none, or another one. */
static uint32_t matrix_of(const System *s, const CutJoint *joint, uint32_t n)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t k = 0, end; k < joint->n_record; k = end) {
        end = k + 1;
        if (expr_op(s->pool, joint->record[k]) != OP_VAR)
            continue;
        uint32_t group = s->var.at[expr_var_of(s->pool, joint->record[k]).i].group;
        while (group != GROUP_NONE && end < joint->n_record &&
               expr_op(s->pool, joint->record[end]) == OP_VAR &&
               s->var.at[expr_var_of(s->pool, joint->record[end]).i].group == group)
            end++;
        if (end - k != n * n)
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = k;
    }
    return found;
}

/* Positions beside the record are resolved in the world, forces in the frame whose rotation the
 * record holds, as in the connector of MLS 9.4. Redundant forces can be distinguished from others
 * only where the constraint that each belongs to has the power f . phi', so that positions are
 * turned into the frame: phi = T (r_b - r_a). Those of one array are beside each other. */
static void resolve_in_frame(System *s, const CutJoint *joint, ExprId *phi)
{
    ExprPool *p = s->pool;
    for (uint32_t k = 0, end; k < joint->eq.n; k = end) {
        end = k + 1;
        const Eq *e = &s->eq.at[joint->eq.at[k].i];
        if (expr_op(p, e->lhs) != OP_VAR || expr_op(p, e->rhs) != OP_VAR || e->group == GROUP_NONE)
            continue;
        while (end < joint->eq.n && s->eq.at[joint->eq.at[end].i].group == e->group)
            end++;
        uint32_t n = end - k, matrix = matrix_of(s, joint, n);
        if (n < 2 || matrix == UINT32_MAX)
            continue;
        ExprId *turned = arena_array(s->mem, ExprId, n);
        for (uint32_t i = 0; i < n; i++) {
            turned[i] = expr_int(p, 0);
            for (uint32_t j = 0; j < n; j++)
                turned[i] = expr_add(p, turned[i],
                                     expr_mul(p, joint->record[matrix + i * n + j], phi[k + j]));
        }
        memcpy(phi + k, turned, n * sizeof *phi);
    }
}

/* An input for a flow variable of the joint into side b. */
static VarId add_multiplier(System *s, const CutJoint *joint, const CutFlow *flow)
{
    Var v = s->var.at[flow->of.i];
    v.name = name_printf(s->names, "cut(%s)", cut_joint_force(joint, v.name, s->mem));
    const char *b = loop_owner_of(joint->b, s->mem), *a = loop_owner_of(joint->a, s->mem);
    v.description = *joint->inside.s
                        ? name_printf(s->names, "Constraint force inside %s", joint->inside.s)
                        : name_printf(s->names, "Constraint force where %s is cut from %s", b, a);
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
        n_constraints += s->cut.at[k].eq.n;
    LoopCut c = loops_empty(s->cut.n, n_constraints, s->mem);
    uint32_t n_eq = s->eq.n;
    bool *dropped = arena_array(scratch, bool, n_eq + 1);
    Parts parts = {.mem = scratch, .place = map_new(scratch)};
    uint32_t at = 0;
    for (uint32_t k = 0; k < s->cut.n; k++) {
        CutJoint *joint = &s->cut.at[k];
        c.name[k] = name_of(s->names, cut_joint_text(joint, s->mem));
        c.span[k] = joint->span;
        c.side[2 * (size_t)k] = joint->a;
        c.side[2 * (size_t)k + 1] = joint->b;
        c.common[k] = (Common){joint->n_common, joint->common};
        c.first[k] = at;
        const uint32_t first = at;
        for (uint32_t i = 0; i < joint->eq.n; i++, at++) {
            const Eq *e = &s->eq.at[joint->eq.at[i].i];
            dropped[joint->eq.at[i].i] = true;
            c.phi[at] = expr_sub(s->pool, e->rhs, e->lhs);
            const CutFlow *flow = &joint->flow.at[i];
            c.multiplier[at] = add_multiplier(s, joint, flow);
            ExprId force = system_var_expr(s, c.multiplier[at]);
            Part *a = part_of(&parts, flow->eq, flow->a);
            a->balance = expr_add(s->pool, a->balance, force);
            Part *b = part_of(&parts, flow->eq, flow->b);
            b->balance = expr_sub(s->pool, b->balance, force);
        }
        resolve_in_frame(s, joint, c.phi + first);
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
        e.rhs = is_first ? e.rhs : expr_int(s->pool, 0); // a force from outside acts on one part
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
    c->balance_eq = arena_array(s->mem, EqId, n + 1);
    c->derivative = arena_array(s->mem, VarId, n + 1);
    if (n > 0) {
        memcpy(c->balance_eq, balance, n * sizeof *balance);
        memcpy(c->derivative, derivative, n * sizeof *derivative);
    }
    c->n_eq = s->eq.n;
    c->n_var = s->var.n;
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
