#include "frontend/instantiate/stream.h"

enum { NESTED_MAX = 200 };

/* The one flow variable of the connector around a stream variable (MLS 15.1). */
static VarId flow_of(const Front *f, VarId v)
{
    const Instance *leaf = f->lookup->leaf_of_var.at[v.i];
    for (const Instance *i = leaf->parent; i && i->el; i = i->parent) {
        for (uint32_t k = 0; k < instance_n_parts(i); k++) {
            const Instance *c = instance_part(i, k);
            if (c && c->kind == INST_LEAF && c->is_flow && c->n == 1)
                return c->var;
        }
        if (class_is_connector(i->cls))
            break;
    }
    return VAR_NONE;
}

static bool in_stream(Front *f, VarId v, Span span, uint32_t depth, ExprId *out);

static bool mixture(Front *f, const uint32_t *element, uint32_t n, uint32_t except, Span span,
                    uint32_t depth, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    ExprId eps = expr_ratio(p, 1, 10000000000L); /* keeps the quotient defined without flow */
    ExprId above = expr_int(p, 0);
    ExprId below = expr_int(p, 0);
    ExprId only = EXPR_NONE;
    uint32_t others = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (element[k] == except)
            continue;
        VarId v = {element[k] / 2};
        bool inside = element[k] % 2 == 0;
        ExprId carried = system_var_expr(f->sys, v);
        if (!inside && !in_stream(f, v, span, depth, &carried))
            return false;
        VarId flow = flow_of(f, v);
        if (!var_exists(flow)) {
            diag_error(f->diags, span, "F02",
                       "the connector of stream variable '%s' has no flow variable",
                       var_at(f->sys, v)->name.s);
            return false;
        }
        ExprId m = system_var_expr(f->sys, flow);
        ExprId in = expr_fn2(p, FN2_MAX, inside ? expr_neg(p, m) : m, eps);
        above = expr_add(p, above, expr_mul(p, in, carried));
        below = expr_add(p, below, in);
        only = carried;
        others++;
    }
    *out = others == 0   ? system_var_expr(f->sys, (VarId){except / 2})
           : others == 1 ? only
                         : expr_div(p, above, below);
    return true;
}

static bool in_stream(Front *f, VarId v, Span span, uint32_t depth, ExprId *out)
{
    if (depth > NESTED_MAX) {
        diag_error(f->diags, span, "F04", "stream connectors are nested too deeply around '%s'",
                   var_at(f->sys, v)->name.s);
        return false;
    }
    const uint32_t *element;
    uint32_t n;
    if (!connections_set(f, 2 * v.i, &element, &n)) {
        diag_error(f->diags, span, "F03",
                   "connections are not known yet where 'inStream' asks for them");
        return false;
    }
    return mixture(f, element, n, 2 * v.i, span, depth + 1, out);
}

bool stream_mixture(Front *f, const uint32_t *element, uint32_t n, uint32_t except, Span span,
                    ExprId *out)
{
    return mixture(f, element, n, except, span, 0, out);
}

static bool stream_variable(Front *f, ExprId x, Span span, VarId *out)
{
    if (expr_op(f->sys->pool, x) == OP_VAR) {
        *out = expr_var_of(f->sys->pool, x);
        const Instance *leaf =
            out->i < f->lookup->leaf_of_var.n ? f->lookup->leaf_of_var.at[out->i] : NULL;
        if (leaf && leaf->is_stream)
            return true;
    }
    diag_error(f->diags, span, "T08", "this needs a stream variable (MLS 15.2)");
    return false;
}

/* inStream(x) and actualStream(x) of a stream variable; report and return false otherwise. */
static bool stream_in(Front *f, ExprId x, Span span, ExprId *out)
{
    VarId v;
    return stream_variable(f, x, span, &v) && in_stream(f, v, span, 0, out);
}

/* MLS 15.3: actualStream(x) is inStream(x) while the flow is into the component, else x. */
static bool stream_actual(Front *f, ExprId x, Span span, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    VarId v;
    ExprId in;
    if (!stream_variable(f, x, span, &v) || !in_stream(f, v, span, 0, &in))
        return false;
    VarId flow = flow_of(f, v);
    if (!var_exists(flow)) {
        diag_error(f->diags, span, "F02", "the connector of '%s' has no flow variable",
                   var_at(f->sys, v)->name.s);
        return false;
    }
    ExprId into = expr_compare(p, OP_LT, expr_int(p, 0), system_var_expr(f->sys, flow));
    *out = expr_select(p, into, in, x);
    return true;
}

bool scope_stream(Front *f, ExprId x, bool actual, Span span, ExprId *out)
{
    return actual ? stream_actual(f, x, span, out) : stream_in(f, x, span, out);
}
