#include "graph/order.h"

#include "base/hash.h"
#include "base/map.h"
#include "graph/symbolic_lu.h"

Order order_empty(uint32_t n, Arena *mem)
{
    return (Order){.eq = arena_array(mem, uint32_t, n), .var = arena_array(mem, uint32_t, n)};
}

Order order_as_given(uint32_t n, Arena *mem)
{
    Order o = order_empty(n, mem);
    o.n = n;
    for (uint32_t k = 0; k < n; k++)
        o.eq[k] = o.var[k] = k;
    return o;
}

Order order_failed(const char *why)
{
    return (Order){.why = why};
}

bool order_fills(uint64_t ops, const Incidence *g)
{
    enum { PER_ENTRY = 100, SMALL = 1000 * 1000 };
    return ops > SMALL && ops > (uint64_t)PER_ENTRY * g->n_edges;
}

/* A pivot recurs where this many before it, and it, look as some pivots did that came earlier. */
enum { CONTEXT = 12 };

typedef struct Context {
    uint64_t token[CONTEXT];
    Map seen;
} Context;

static bool recurs(Context *c, uint32_t k, uint64_t token)
{
    c->token[k % CONTEXT] = token;
    uint64_t key = 0;
    for (uint32_t i = 0; i < CONTEXT; i++)
        key = hash_pair(key, c->token[(k + 1 + i) % CONTEXT]);
    return !map_add(&c->seen, key);
}

OrderEstimate order_estimate(const Order *o, const Incidence *g, Arena *scratch)
{
    ArenaMark mark = arena_mark(scratch);
    SymbolicLu f = symbolic_lu_begin(g, scratch);
    OrderEstimate price = {.ok = true};
    Context context = {.seen = map_new(scratch)};
    for (uint32_t k = 0; k < o->n; k++) {
        const SymbolicEntry *pivot = symbolic_lu_find(&f, o->eq[k], o->var[k]);
        if (!pivot) {
            price.ok = false;
            price.bad = k;
            break;
        }
        price.n_varying += pivot->label >= LABEL_OTHER;
        if (f.row[o->eq[k]].n > price.widest)
            price.widest = f.row[o->eq[k]].n;
        uint64_t look = map_key_pair(f.row[o->eq[k]].n, f.col[o->var[k]].n), before = f.all;
        symbolic_lu_pivot(&f, o->eq[k], o->var[k]);
        if (!recurs(&context, k, hash_pair(look, f.all - before)))
            price.straight += f.all - before;
    }
    price.all = f.all;
    price.fill = f.n_fill;
    price.ops = f.ops;
    arena_rollback(scratch, mark);
    return price;
}

bool order_check(const Order *o, const Incidence *g)
{
    if (o->why)
        return true;
    if (o->n != g->n_rows || o->n != g->n_cols || o->n_torn > o->n)
        return false;
    Arena *scratch = arena_new();
    bool *eq_in = arena_array(scratch, bool, o->n), *var_in = arena_array(scratch, bool, o->n);
    bool good = true;
    for (uint32_t k = 0; good && k < o->n; k++) {
        good = o->eq[k] < o->n && o->var[k] < o->n && !eq_in[o->eq[k]] && !var_in[o->var[k]];
        if (good)
            eq_in[o->eq[k]] = var_in[o->var[k]] = true;
    }
    arena_free(scratch);
    return good;
}

void order_dump(const Order *o, FILE *f)
{
    if (o->why) {
        fprintf(f, "no order: %s\n", o->why);
        return;
    }
    fprintf(f, "order of %u pairs, %u of them torn\n", o->n, o->n_torn);
    for (uint32_t k = 0; k < o->n; k++) {
        fprintf(f, "%u: e%u -> v%u", k, o->eq[k], o->var[k]);
        if (o->stage && o->stage[k] != INC_NONE)
            fprintf(f, ", structure %u", o->stage[k]);
        fprintf(f, "\n");
    }
}
