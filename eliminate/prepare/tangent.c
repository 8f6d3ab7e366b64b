#include "eliminate/prepare/tangent.h"

#include "eliminate/prepare/differentiate.h"

typedef struct Tangent {
    System *s;
    Body *out;
    Arena *scratch;
    Differentiator d;
    uint32_t *dual; /* per local of the function: its derivative; UINT32_MAX if it is no Real */
    uint32_t zero;  /* a local that stays 0 */
    bool ok;
} Tangent;

static uint32_t new_local(Tangent *t, Name name, BaseType type)
{
    vec_push(t->s->mem, t->out->local, ((BodyLocal){name, type}));
    return t->out->local.n - 1;
}

static ExprId derivative(Tangent *t, ExprId x)
{
    ExprId r = differentiate(&t->d, x);
    /* the function of a derivative annotation may call functions that only equations have called */
    if (expr_exists(r))
        return expand_calls(t->s, t->scratch, r);
    t->ok = false;
    return expr_int(t->s->pool, 0);
}

static Statement *assignment(Tangent *t, const Statement *from)
{
    Arena *mem = t->s->mem;
    Statement *st = arena_make(mem, Statement);
    uint32_t *to = arena_array(mem, uint32_t, 2 * from->n);
    ExprId *value = arena_array(mem, ExprId, 2 * from->n);
    uint32_t n = 0;
    for (uint32_t k = 0; k < from->n; k++) {
        to[n] = from->to[k];
        value[n++] = from->value[k];
        if (t->dual[from->to[k]] == UINT32_MAX)
            continue;
        to[n] = t->dual[from->to[k]];
        value[n++] = derivative(t, from->value[k]);
    }
    *st = *from;
    st->n = n;
    st->to = to;
    st->value = value;
    return st;
}

static StatementList tangent_list(Tangent *t, const StatementList *from)
{
    StatementList out = {0};
    for (uint32_t k = 0; k < from->n; k++) {
        const Statement *st = from->at[k];
        Statement *copy;
        switch (st->kind) {
        case STATEMENT_ASSERT:
        case STATEMENT_RUN:
            continue;
        case STATEMENT_ASSIGN:
            vec_push(t->s->mem, out, assignment(t, st));
            continue;
        case STATEMENT_IF:
        case STATEMENT_LOOP:
        case STATEMENT_BLOCK:
        case STATEMENT_BREAK:
        case STATEMENT_RETURN:
            copy = arena_make(t->s->mem, Statement);
            *copy = *st;
            copy->body = tangent_list(t, &st->body);
            copy->otherwise = tangent_list(t, &st->otherwise);
            vec_push(t->s->mem, out, copy);
        }
    }
    return out;
}

static BaseType type_of(const BaseType *types, uint32_t k)
{
    return types ? types[k] : TYPE_REAL;
}

Name tangent_key(System *s, const Function *f)
{
    return name_printf(s->names, "der(%s)", f->key.s);
}

bool function_tangent(System *s, FuncId id, FuncId *out)
{
    const Function f = s->function->at[id.i];
    *out = f.tangent;
    if (f.has_tangent || !f.body || f.body->external)
        return f.has_tangent;
    const Body *b = f.body;
    Arena *mem = s->mem;
    Body *made = arena_make(mem, Body);
    Tangent t = {.s = s, .out = made, .ok = true};
    t.dual = arena_array(mem, uint32_t, b->local.n + 1);
    for (uint32_t k = 0; k < b->local.n; k++)
        new_local(&t, b->local.at[k].name, b->local.at[k].type);
    for (uint32_t k = 0; k < b->local.n; k++) {
        const BodyLocal *of = &b->local.at[k];
        t.dual[k] = of->type != TYPE_REAL
                        ? UINT32_MAX
                        : new_local(&t, name_printf(s->names, "der(%s)", of->name.s), TYPE_REAL);
    }
    t.zero = new_local(&t, name_of(s->names, "0"), TYPE_REAL);

    uint32_t n_in = f.n_in;
    made->input = arena_array(mem, uint32_t, 2 * f.n_in + 1);
    BaseType *types = arena_array(mem, BaseType, 2 * f.n_in + 1);
    for (uint32_t k = 0; k < f.n_in; k++) {
        made->input[k] = b->input[k];
        types[k] = type_of(f.in_type, k);
        if (types[k] != TYPE_REAL)
            continue;
        made->input[n_in] = t.dual[b->input[k]];
        types[n_in++] = TYPE_REAL;
    }
    made->output = arena_array(mem, uint32_t, f.n_out + 1);
    for (uint32_t k = 0; k < f.n_out; k++)
        made->output[k] = t.dual[b->output[k]] == UINT32_MAX ? t.zero : t.dual[b->output[k]];

    /* known before its body is: a recursive function calls itself */
    *out = system_add_function(s, (Function){.name = tangent_key(s, &f),
                                             .n_in = n_in,
                                             .n_out = f.n_out,
                                             .inlining = INLINE_NEVER,
                                             .span = f.span,
                                             .body = made,
                                             .n_primal = f.n_in,
                                             .in_type = types});
    s->function->at[id.i].has_tangent = true;
    s->function->at[id.i].tangent = *out;
    Arena *scratch = arena_new();
    ExprId *local = arena_array(scratch, ExprId, b->local.n + 1);
    for (uint32_t k = 0; k < b->local.n; k++)
        local[k] = t.dual[k] == UINT32_MAX ? EXPR_NONE : expr_local(s->pool, t.dual[k]);
    t.scratch = scratch;
    t.d = differentiator_time(s, scratch);
    t.d.local = local;
    t.d.n_locals = b->local.n;
    /* assertions of functions expanded here refer to locals: they belong to the body, and its
     * derivative does not repeat them */
    uint32_t n_assertions = s->assertion.n;
    made->list = tangent_list(&t, &b->list);
    s->assertion.n = n_assertions;
    arena_free(scratch);
    if (!t.ok)
        s->function->at[id.i].has_tangent = false;
    return t.ok;
}
