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

static uint32_t new_local(Tangent *t, Name name, BaseType type, uint8_t rank)
{
    vec_push(t->s->mem, t->out->local, ((BodyLocal){name, type, rank}));
    return t->out->local.n - 1;
}

static ExprId derivative(Tangent *t, ExprId x)
{
    ExprId r = differentiate(&t->d, x);
    /* the function of a derivative annotation may call functions that only equations have called */
    if (expr_exists(r))
        return expand_calls(t->s, NULL, r);
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

static ExprId local_of(const Tangent *t, uint32_t k)
{
    return expr_local(t->s->pool, k);
}

static void push(Tangent *t, StatementList *out, Statement st)
{
    Statement *own = arena_make(t->s->mem, Statement);
    *own = st;
    vec_push(t->s->mem, *out, own);
}

/* Where the derivative of a local stands; of one that is no Real, nowhere that is read. */
static uint32_t derivative_place(Tangent *t, uint32_t local)
{
    uint8_t rank = t->out->local.at[local].rank;
    if (t->dual[local] != UINT32_MAX)
        return t->dual[local];
    return new_local(t, name_of(t->s->names, "none"), TYPE_REAL, rank);
}

/* The derivatives of the results of a call are 0, with the sizes of these results. */
static void put_zeros(Tangent *t, const Statement *st, StatementList *out)
{
    System *s = t->s;
    for (uint32_t k = 0; k < st->n; k++) {
        uint32_t from = st->to[k], rank = t->out->local.at[from].rank;
        if (t->dual[from] == UINT32_MAX)
            continue;
        uint32_t *to = arena_make(s->mem, uint32_t);
        ExprId *value = arena_array(s->mem, ExprId, rank + 1);
        *to = t->dual[from];
        value[0] = expr_int(s->pool, 0);
        for (uint32_t d = 0; d < rank; d++)
            value[d] = expr_array_size(s, local_of(t, from), d + 1);
        push(t, out,
             (Statement){.kind = rank ? STATEMENT_RESIZE : STATEMENT_ASSIGN,
                         .n = rank ? rank : 1,
                         .to = to,
                         .value = value,
                         .span = st->span});
    }
}

/* The derivatives of the results of a call that takes or gives dynamic arrays. */
static void tangent_call(Tangent *t, const Statement *st, StatementList *out)
{
    System *s = t->s;
    ExprPool *p = s->pool;
    ExprId call = st->value[0];
    FuncId id = expr_func_of(p, call), df;
    bool has_tangent = function_tangent(s, id, &df);
    const Function f = s->function->at[id.i];
    ExprId *arg = arena_array(t->scratch, ExprId, 2 * f.n_in + 1);
    uint32_t n = f.n_in;
    bool is_still = true;
    for (uint32_t k = 0; k < f.n_in; k++) {
        arg[k] = expr_arg(p, call, k);
        if (f.in_type && f.in_type[k] != TYPE_REAL)
            continue;
        bool is_array = f.in_rank && f.in_rank[k];
        bool is_held = !has_tangent || (f.held && f.held[k]);
        arg[n] = is_array ? local_of(t, t->dual[expr_local_of(p, arg[k])]) : derivative(t, arg[k]);
        is_still = is_still && (!is_held || (is_array ? !moves(t, expr_local_of(p, arg[k]))
                                                      : expr_is_zero(p, arg[n]) == YES));
        n++;
    }
    if (!is_still) {
        t->ok = false;
        vec_push(t->scratch, t->failed, call);
    }
    if (!is_still)
        return;
    if (!has_tangent) {
        put_zeros(t, st, out);
        return;
    }
    uint32_t *to = arena_array(s->mem, uint32_t, st->n + 1);
    for (uint32_t k = 0; k < st->n; k++)
        to[k] = derivative_place(t, st->to[k]);
    ExprId *value = arena_make(s->mem, ExprId);
    *value = expr_call(p, df, n, arg);
    Statement own = *st;
    own.to = to;
    own.value = value;
    push(t, out, own);
}

/* The derivative of a statement that changes a dynamic array. It precedes the statement, since it
 * uses the values before the change. The array of derivatives always has the sizes of the array
 * itself. */
static void tangent_of_array(Tangent *t, const Statement *st, StatementList *out)
{
    Arena *mem = t->s->mem;
    if (t->dual[st->to[0]] == UINT32_MAX)
        return;
    Statement own = *st;
    uint32_t *to = arena_array(mem, uint32_t, 2);
    ExprId *value = arena_array(mem, ExprId, st->n + 1);
    to[0] = t->dual[st->to[0]];
    own.to = to;
    own.value = value;
    for (uint32_t k = 0; k < statement_n_values(st); k++)
        value[k] = st->value[k];
    if (st->kind == STATEMENT_MOVE)
        to[1] = t->dual[st->to[1]];
    else if (st->kind == STATEMENT_PUT)
        value[0] = moves(t, st->to[0]) ? derivative(t, st->value[0]) : expr_int(t->s->pool, 0);
    push(t, out, own);
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
        case STATEMENT_RESIZE:
        case STATEMENT_PUT:
        case STATEMENT_MOVE:
            tangent_of_array(t, st, &out);
            push(t, &out, *st);
            continue;
        case STATEMENT_CALL:
            push(t, &out, *st);
            tangent_call(t, st, &out);
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

static bool is_held(const Tangent *t, uint32_t local)
{
    return t->dual[local] != UINT32_MAX && t->held[local];
}

/* An array that becomes another one, and that one, are held together. */
static void hold_moved(Tangent *t, const Statement *st)
{
    if (is_held(t, st->to[0]) != is_held(t, st->to[1]))
        t->held[st->to[0]] = t->held[st->to[1]] = t->holds_more = true;
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
            if (is_held(t, st->to[i]))
                hold(t, st->value[i]);
        if (st->kind == STATEMENT_PUT && is_held(t, st->to[0]))
            hold(t, st->value[0]);
        if (st->kind == STATEMENT_MOVE && t->dual[st->to[0]] != UINT32_MAX)
            hold_moved(t, st);
        for (uint32_t i = 0; st->kind == STATEMENT_CALL && i < st->n; i++)
            if (is_held(t, st->to[i]))
                hold(t, st->value[0]);
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
        new_local(&t, b->local.at[k].name, b->local.at[k].type, b->local.at[k].rank);
    for (uint32_t k = 0; k < b->local.n; k++) {
        const BodyLocal *of = &b->local.at[k];
        t.dual[k] =
            of->type != TYPE_REAL
                ? UINT32_MAX
                : new_local(&t, name_printf(s->names, "der(%s)", of->name.s), TYPE_REAL, of->rank);
    }
    t.zero = new_local(&t, name_of(s->names, "0"), TYPE_REAL, 0);

    uint32_t n_in = f.n_in;
    made->input = arena_array(mem, uint32_t, 2 * f.n_in + 1);
    BaseType *types = arena_array(mem, BaseType, 2 * f.n_in + 1);
    uint8_t *rank = arena_array(mem, uint8_t, 2 * f.n_in + 1);
    for (uint32_t k = 0; k < f.n_in; k++) {
        made->input[k] = b->input[k];
        types[k] = type_of(f.in_type, k);
        rank[k] = b->local.at[b->input[k]].rank;
        if (types[k] != TYPE_REAL)
            continue;
        made->input[n_in] = t.dual[b->input[k]];
        rank[n_in] = rank[k];
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
                                             .in_type = types,
                                             .in_rank = f.in_rank ? rank : NULL,
                                             .out_rank = f.out_rank});
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
    for (uint32_t k = 0; k < f.n_out; k++) {
        uint32_t of = b->output[k];
        bool is_array = b->local.at[of].rank > 0;
        made->output[k] = is_array ? derivative_place(&t, of) : moves(&t, of) ? t.dual[of] : t.zero;
    }
    bool *held = arena_array(mem, bool, f.n_in + 1), any = false;
    for (uint32_t k = 0; k < f.n_in; k++)
        any = (held[k] = t.held[b->input[k]]) || any;
    s->function->at[id.i].held = any ? held : NULL;
    arena_free(scratch);
    if (!t.ok)
        s->function->at[id.i].has_tangent = false;
    return t.ok;
}
