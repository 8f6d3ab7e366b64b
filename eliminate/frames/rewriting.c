#include "eliminate/frames/rewriting.h"

Rewriting rewriting_new(System *s)
{
    return (Rewriting){.s = s, .place = map_new(s->mem), .n_eqs = s->eq.n};
}

const char *name_of_array(const System *s, VarId v, uint32_t n_dims, Arena *mem)
{
    const char *name = s->var.at[v.i].name.s;
    size_t end = strlen(name);
    if (end == 0 || name[end - 1] != ']')
        return name;
    for (uint32_t k = 0; k < n_dims && end > 0 && name[end] != '['; k++)
        do
            end--;
        while (end > 0 && name[end] != ',' && name[end] != '[');
    if (name[end] == ',')
        return arena_printf(mem, "%.*s]", (int)end, name);
    return arena_copy(mem, name, end);
}

VarId rewriting_add_var(Rewriting *r, const char *array, const char *more, uint32_t group,
                        uint32_t index)
{
    System *s = r->s;
    const char *name = arena_printf(s->mem, "%s[%u]%s", array, index + 1, more);
    /* several vectors in one row of an array: a[1,1:3], a[1,4:6] */
    while (var_exists(system_find_var(s, name_of(s->names, name))))
        name = arena_printf(s->mem, "%s'", name);
    VarId v = system_add_hidden(s, name);
    s->var.at[v.i].group = group;
    s->var.at[v.i].index = index;
    vec_push(s->mem, r->added, v);
    return v;
}

void rewriting_set(Rewriting *r, EqId e, ExprId lhs, ExprId rhs, uint32_t index)
{
    Eq *q = &r->s->eq.at[e.i];
    if (map_get(&r->place, e.i) == MAP_NONE) {
        map_put(&r->place, e.i, r->changed.n);
        vec_push(r->s->mem, r->changed, ((RewrittenEq){e, *q}));
    }
    q->lhs = lhs;
    q->rhs = rhs;
    q->index = index;
}

void rewriting_exchange(Rewriting *r)
{
    for (uint32_t k = 0; k < r->changed.n; k++) {
        Eq *q = &r->s->eq.at[r->changed.at[k].eq.i];
        Eq now = *q;
        *q = r->changed.at[k].other;
        r->changed.at[k].other = now;
    }
    uint32_t n = r->s->eq.n;
    r->s->eq.n = r->n_eqs;
    r->n_eqs = n;
}
