#include "eliminate/verify/audit_parts.h"

#include <math.h>

/* Users of cells, and sides of equations. */
void audit_find_users(Audit *a)
{
    AuditUsers *u = &a->users;
    u->first = arena_array(a->mem, uint32_t, a->cell.n + 2);
    u->user = arena_array(a->mem, uint32_t, a->arg.n + 1);
    u->is_root = arena_array(a->mem, bool, a->cell.n + 1);
    u->seen = arena_array(a->mem, uint32_t, a->cell.n + 1);
    for (uint32_t k = 0; k < a->cell.n; k++)
        for (uint32_t i = 0; i < a->cell.at[k].n; i++)
            u->first[a->arg.at[a->cell.at[k].arg + i] + 1]++;
    for (uint32_t k = 0; k < a->cell.n; k++)
        u->first[k + 1] += u->first[k];
    // filled from behind
    for (uint32_t k = a->cell.n; k-- > 0;)
        for (uint32_t i = 0; i < a->cell.at[k].n; i++) {
            uint32_t of = a->arg.at[a->cell.at[k].arg + i];
            u->user[u->first[of + 1] - ++u->seen[of]] = k;
        }
    for (uint32_t k = 0; k < a->cell.n; k++)
        u->seen[k] = 0;
    for (uint32_t k = 0; k < a->line.n; k++)
        u->is_root[a->line.at[k].left] = u->is_root[a->line.at[k].right] = true;
    for (uint32_t k = 0; k < a->s->action.n; k++)
        if (expr_exists(a->s->action.at[k].fires))
            u->is_root[a->jump[k].fires] = true;
}

/* Whether the Boolean is known, no relation in it having changed unseen. */
static bool is_certain(Audit *a, uint32_t root)
{
    if (a->is_screening)
        audit_read_below(a, root);
    if (a->at[root].flags || isnan(a->at[root].v))
        return false;
    AuditUsers *u = &a->users;
    ArenaMark m = arena_mark(a->mem);
    VEC(uint32_t) todo = {0};
    bool certain = true;
    vec_push(a->mem, todo, root);
    u->now++;
    while (todo.n && certain) {
        uint32_t k = todo.at[--todo.n];
        const Cell *c = &a->cell.at[k];
        if (u->seen[k] == u->now)
            continue;
        u->seen[k] = u->now;
        certain = !c->makes_events || a->truth[k] < 0 || a->truth[k] == (a->at[k].v != 0);
        for (uint32_t i = 0; i < c->n; i++)
            vec_push(a->mem, todo, a->arg.at[c->arg + i]);
    }
    arena_rollback(a->mem, m);
    return certain;
}

/* Whether both branches have one value here, as those of if abs(c) > abs(s) then der(s)/c else
 * -der(c)/s with c = cos(x), s = sin(x): the program may have but one of them. Where derivatives
 * are not known at a point, the integral of the equation tells whether the branch was the right
 * one. */
static bool are_equal(Audit *a, uint32_t one, uint32_t other)
{
    if (a->has_rate[one] || a->has_rate[other])
        return true;
    if (a->is_screening) {
        audit_read_below(a, one);
        audit_read_below(a, other);
    }
    const Reading *x = &a->at[one], *y = &a->at[other];
    return !((x->flags | y->flags) & OPEN) && isfinite(x->v) && isfinite(y->v) &&
           fabs(x->v - y->v) <= a->bound / WITHOUT_RATES * (x->size + y->size);
}

/* Whether the user needs the value of its operand. */
static bool needs(Audit *a, uint32_t user, uint32_t operand)
{
    const Cell *c = &a->cell.at[user];
    const uint32_t *arg = &a->arg.at[c->arg];
    if (c->op == OP_AND || c->op == OP_OR) {
        uint32_t other = arg[0] == operand ? arg[1] : arg[0];
        return !is_certain(a, other) || (a->at[other].v != 0) != (c->op == OP_OR);
    }
    if (c->op == OP_SELECT && operand == arg[0] && are_equal(a, arg[1], arg[2])) {
        a->users.met_equal = true;
        return false;
    }
    if (c->op == OP_SELECT && operand != arg[0])
        return !is_certain(a, arg[0]) || operand == arg[a->at[arg[0]].v != 0 ? 1 : 2];
    return true;
}

bool audit_is_read(Audit *a, uint32_t cell)
{
    AuditUsers *u = &a->users;
    ArenaMark m = arena_mark(a->mem);
    u->met_equal = false;
    VEC(uint32_t) todo = {0};
    Map seen = map_new(a->mem);
    bool is_read = false;
    vec_push(a->mem, todo, cell);
    while (todo.n && !is_read) {
        uint32_t k = todo.at[--todo.n];
        if (!map_add(&seen, k))
            continue;
        is_read = u->is_root[k];
        for (uint32_t i = u->first[k]; i < u->first[k + 1] && !is_read; i++)
            if (needs(a, u->user[i], k))
                vec_push(a->mem, todo, u->user[i]);
    }
    arena_rollback(a->mem, m);
    return is_read;
}
