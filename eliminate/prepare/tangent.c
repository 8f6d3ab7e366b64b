#include "eliminate/prepare/tangent.h"

#include "eliminate/prepare/differentiate.h"

typedef struct Tangent {
    System *s;
    Body *out;
    Arena *scratch;
    Differentiator d;
    uint32_t *dual; /* per local of the function: its derivative; UINT32_MAX if it is no Real */
    uint32_t zero;  /* a local that stays 0 */
    bool *held;     /* per local: its derivative is 0 wherever the tangent is called */
    VEC(ExprId) failed;
    bool ok, holds_more;
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
    if (expr_exists(t->d.failed_at))
        vec_push(t->scratch, t->failed, t->d.failed_at);
    t->d.failed_at = EXPR_NONE;
    return expr_int(t->s->pool, 0);
}

static bool moves(const Tangent *t, uint32_t local)
{
    return t->dual[local] != UINT32_MAX && !t->held[local];
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
        if (!moves(t, from->to[k]))
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

/* For expr_map: a local of x is held. */
static ExprId hold_local(void *self, ExprId x)
{
    Tangent *t = self;
    const ExprPool *p = t->s->pool;
    if (expr_op(p, x) != OP_LOCAL || !moves(t, expr_local_of(p, x)))
        return x;
    t->held[expr_local_of(p, x)] = t->holds_more = true;
    return x;
}

static void hold(Tangent *t, ExprId x)
{
    expr_map(t->s->pool, t->scratch, x, hold_local, t);
}

/* Locals in the values assigned to a held local are held, too. Backwards, so that one round is
 * enough without loops. */
static void hold_assigned(Tangent *t, const StatementList *list)
{
    for (uint32_t k = list->n; k-- > 0;) {
        const Statement *st = list->at[k];
        hold_assigned(t, &st->otherwise);
        hold_assigned(t, &st->body);
        for (uint32_t i = 0; st->kind == STATEMENT_ASSIGN && i < st->n; i++)
            if (t->dual[st->to[i]] != UINT32_MAX && t->held[st->to[i]])
                hold(t, st->value[i]);
    }
}

/* Holds the locals on which arguments of the calls without derivative depend. Whether there are
 * more than before. */
static bool hold_failed(Tangent *t, const Body *b)
{
    t->holds_more = false;
    for (uint32_t k = 0; k < t->failed.n; k++)
        hold(t, t->failed.at[k]);
    const bool more = t->holds_more;
    while (t->holds_more) {
        t->holds_more = false;
        hold_assigned(t, &b->list);
    }
    return more;
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
    t.scratch = scratch;
    t.held = arena_array(scratch, bool, b->local.n + 1);
    /* assertions of functions expanded here refer to locals: they belong to the body, and its
     * derivative does not repeat them */
    uint32_t n_assertions = s->assertion.n;
    do {
        for (uint32_t k = 0; k < b->local.n; k++)
            local[k] = moves(&t, k) ? expr_local(s->pool, t.dual[k]) : EXPR_NONE;
        t.d = differentiator_time(s, scratch);
        t.d.local = local;
        t.d.n_locals = b->local.n;
        t.failed.n = 0;
        t.ok = true;
        made->list = tangent_list(&t, &b->list);
        s->assertion.n = n_assertions;
    } while (!t.ok && hold_failed(&t, b));
    for (uint32_t k = 0; k < f.n_out; k++)
        made->output[k] = moves(&t, b->output[k]) ? t.dual[b->output[k]] : t.zero;
    bool *held = arena_array(mem, bool, f.n_in + 1), any = false;
    for (uint32_t k = 0; k < f.n_in; k++)
        any = (held[k] = t.held[b->input[k]]) || any;
    s->function->at[id.i].held = any ? held : NULL;
    arena_free(scratch);
    if (!t.ok)
        s->function->at[id.i].has_tangent = false;
    return t.ok;
}
