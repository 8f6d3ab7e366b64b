#include "eliminate/block/open_unknown.h"

#include "ir/sample.h"

#include <math.h>

/* The parameters that x is made of. */
typedef struct Support {
    const System *s;
    Arena *mem;
    bool by_bindings; /* and those that these are bound to */
    Map seen;         /* nodes */
    VEC(ExprId) todo;
    VEC(VarId) parameter;
} Support;

static void find_support(Support *w, ExprId root)
{
    const ExprPool *p = w->s->pool;
    vec_push(w->mem, w->todo, root);
    while (w->todo.n) {
        ExprId x = w->todo.at[--w->todo.n];
        if (map_get(&w->seen, x.i) != MAP_NONE)
            continue;
        map_put(&w->seen, x.i, 1);
        for (uint32_t k = expr_n_args(p, x); k-- > 0;)
            vec_push(w->mem, w->todo, expr_arg(p, x, k));
        if (expr_op(p, x) != OP_VAR)
            continue;
        VarId v = expr_var_of(p, x);
        const Var *it = &w->s->var.at[v.i];
        if (w->by_bindings && expr_exists(it->binding))
            vec_push(w->mem, w->todo, it->binding);
        if (it->kind == VAR_PARAMETER && it->type == TYPE_REAL)
            vec_push(w->mem, w->parameter, v);
    }
}

static VarId open_cause(System *s, ExprId pivot, bool by_bindings, Arena *mem)
{
    enum { MOST = 100 }; /* parameters tried: each takes as long as evaluating the pivot */
    Support w = {.s = s, .mem = mem, .by_bindings = by_bindings, .seen = map_new(mem)};
    find_support(&w, pivot);
    Sample given = sample_new(s, mem);
    VarId found = VAR_NONE;
    double most = 1e-12;
    for (uint32_t k = 0, tried = 0; k < w.parameter.n && tried < MOST; k++) {
        VarId v = w.parameter.at[k];
        ExprId x = system_var_expr(s, v);
        if (sample_value(&given, x) != 0)
            continue;
        tried++;
        Sample other = sample_but(s, v, mem);
        double effect = fabs(sample_value(&other, pivot) / sample_value(&other, x));
        if (effect > most || (effect == most && v.i < found.i)) {
            most = effect;
            found = v;
        }
    }
    return found;
}

VarId open_unknown_parameter(System *s, ExprId pivot, Arena *mem)
{
    VarId v = open_cause(s, pivot, false, mem);
    return var_exists(v) ? v : open_cause(s, pivot, true, mem);
}
