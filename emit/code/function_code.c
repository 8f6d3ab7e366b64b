#include "emit/code/function_code.h"

#include "emit/code/coder.h"
#include "emit/code/message.h"

#include <string.h>

/* Iterations of one loop, until it counts as endless. */
#define MOST_ROUNDS 1e8
/* Nested calls of recursive functions; that many fit a stack of a few MB. */
enum { MOST_CALLS = 2000 };

FunctionUse *function_use_new(const System *s, Arena *mem, const char *id)
{
    FunctionUse *u = arena_make(mem, FunctionUse);
    *u = (FunctionUse){.sys = s, .mem = mem, .id = id};
    u->is_used = arena_array(mem, bool, s->function->n + 1);
    u->is_read = arena_array(mem, bool *, s->function->n + 1);
    return u;
}

/* ---- which locals are read ------------------------------------------------------------- */

typedef struct Readers {
    const System *s;
    Arena *mem;
    Map seen; /* nodes */
    VEC(ExprId) stack;
    bool *is_read;      /* per local                                    */
    FunctionUse *texts; /* or, if not NULL: are Strings made somewhere? */
    bool has_texts;
} Readers;

uint32_t function_n_texts(const Function *f)
{
    uint32_t n = 0;
    for (uint32_t k = 0; f->out_type && k < f->n_out; k++)
        n += f->out_type[k] == TYPE_STRING;
    return n;
}

/* Does the node make a String of others, or need a literal as one? */
static bool makes_text(Readers *r, ExprId x)
{
    const ExprPool *p = r->s->pool;
    bool is_call = expr_op(p, x) == OP_CALL;
    FuncId f = is_call ? expr_func_of(p, x) : FUNC_NONE;
    if (is_call && function_n_texts(&r->s->function->at[f.i]))
        return true;
    for (uint32_t k = 0; k < expr_n_args(p, x); k++)
        if (expr_op(p, expr_arg(p, x, k)) == OP_STRING &&
            (!is_call || function_takes_text(r->texts, f, k)))
            return true;
    return false;
}

static void read_in(Readers *r, ExprId root)
{
    const ExprPool *p = r->s->pool;
    vec_push(r->mem, r->stack, root);
    while (r->stack.n) {
        ExprId x = r->stack.at[--r->stack.n];
        if (map_get(&r->seen, x.i) != MAP_NONE)
            continue;
        map_put(&r->seen, x.i, 0);
        if (expr_op(p, x) == OP_LOCAL && !r->texts)
            r->is_read[expr_local_of(p, x)] = true;
        if (r->texts)
            r->has_texts = r->has_texts || makes_text(r, x);
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(r->mem, r->stack, expr_arg(p, x, k));
    }
}

static void read_in_list(Readers *r, const StatementList *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const Statement *st = list->at[k];
        if (st->kind == STATEMENT_IF || st->kind == STATEMENT_LOOP || st->kind == STATEMENT_ASSERT)
            read_in(r, st->cond);
        if (st->kind == STATEMENT_ASSERT && !r->texts)
            read_in(r, st->message);
        for (uint32_t i = 0; i < statement_n_values(st); i++) {
            bool is_text =
                st->kind == STATEMENT_ASSIGN && expr_op(r->s->pool, st->value[i]) == OP_STRING;
            if (r->texts && is_text && r->is_read[st->to[i]])
                r->has_texts = true;
            read_in(r, st->value[i]);
        }
        read_in_list(r, &st->body);
        read_in_list(r, &st->otherwise);
    }
}

/* Per local of the function's body. */
static const bool *locals_read(FunctionUse *u, FuncId f)
{
    const Function *fn = &u->sys->function->at[f.i];
    const Body *b = fn->body;
    if (u->is_read[f.i])
        return u->is_read[f.i];
    Arena *scratch = arena_new();
    Readers r = {.s = u->sys, .mem = scratch, .seen = map_new(scratch)};
    r.is_read = u->is_read[f.i] = arena_array(u->mem, bool, b->local.n + 1);
    read_in_list(&r, &b->list);
    for (uint32_t k = 0; k < fn->n_out; k++)
        r.is_read[b->output[k]] = true;
    for (uint32_t k = 0; b->external && k < b->external->n_args; k++) {
        const ExternalArg **leaf;
        uint32_t n = external_leaves(&b->external->arg[k], scratch, &leaf);
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t i = 0; i < leaf[j]->n; i++)
                r.is_read[leaf[j]->local + i] = true;
        if (expr_exists(b->external->arg[k].value))
            read_in(&r, b->external->arg[k].value);
    }
    arena_free(scratch);
    return r.is_read;
}

static bool is_string(const ExternalArg *a)
{
    return a->kind == EXTERNAL_STRING || a->kind == EXTERNAL_STRINGS;
}

/* Is it one, or a record with one. */
static bool has_string(const ExternalArg *a, Arena *mem)
{
    const ExternalArg **leaf;
    uint32_t n = external_leaves(a, mem, &leaf);
    for (uint32_t k = 0; k < n; k++)
        if (is_string(leaf[k]))
            return true;
    return false;
}

static bool has_texts(FunctionUse *u, FuncId f)
{
    Arena *scratch = arena_new();
    Readers r = {.s = u->sys, .mem = scratch, .seen = map_new(scratch), .texts = u};
    locals_read(u, f);
    r.is_read = u->is_read[f.i];
    const Body *b = u->sys->function->at[f.i].body;
    read_in_list(&r, &b->list);
    const External *x = b->external;
    for (uint32_t k = 0; x && k < x->n_args; k++)
        r.has_texts |= x->arg[k].is_output && has_string(&x->arg[k], scratch);
    r.has_texts |= x && x->has_result && has_string(&x->result, scratch);
    arena_free(scratch);
    u->has_texts |= r.has_texts;
    return r.has_texts;
}

bool function_takes_text(FunctionUse *u, FuncId f, uint32_t k)
{
    const Function *fn = &u->sys->function->at[f.i];
    if (fn->intrinsic != INTRINSIC_NONE)
        return fn->intrinsic != INTRINSIC_TEXT || k == 0;
    return fn->body && locals_read(u, f)[fn->body->input[k]];
}

const char *function_use(FunctionUse *u, FuncId f)
{
    if (!u->sys->function->at[f.i].body)
        return NULL;
    if (!u->is_used[f.i])
        vec_push(u->mem, u->used, f);
    u->is_used[f.i] = true;
    const Body *b = u->sys->function->at[f.i].body;
    for (uint32_t k = 0; k < b->local.n && !u->has_arrays; k++)
        u->has_arrays = b->local.at[k].rank > 0;
    return arena_printf(u->mem, "%s_f%u", u->id, f.i + 1);
}

static bool has_arrays(const Function *f)
{
    return function_arrays_in(f) + function_arrays_out(f) > 0;
}

/* The parameters of f in C. */
static const char *parameters(const Function *f)
{
    return has_arrays(f)
               ? "RungContext *ctx, const double *in, double *out, struct RungArray *const *array"
               : "RungContext *ctx, const double *in, double *out";
}

void function_prototypes(const FunctionUse *u, Text *out)
{
    bool any = false;
    for (uint32_t k = 0; k < u->used.n; k++)
        any = any || has_arrays(&u->sys->function->at[u->used.at[k].i]);
    text_put(out, any ? "struct RungArray;\n" : "");
    for (uint32_t k = 0; k < u->used.n; k++)
        text_printf(out, "int %s_f%u(%s);\n", u->id, u->used.at[k].i + 1,
                    parameters(&u->sys->function->at[u->used.at[k].i]));
}

/* ---- one statement --------------------------------------------------------------------- */

typedef struct Writer {
    Coder *c;
    const Body *body;
    Text *out;
    int depth;
    uint32_t results;         /* arrays of results so far                       */
    uint32_t temps;           /* temporaries so far                             */
    uint32_t loops;           /* so far                                         */
    const char *name;         /* of the function, for messages                  */
    const uint32_t *array_at; /* per local: its place in array[] or a[], if it is a dynamic array */
    uint32_t n_arrays_in;     /* those in array[] that are inputs       */
    uint32_t n_arrays;        /* those in a[]                           */
    const uint32_t *given;    /* per result of the call that is written: where it goes */
    bool is_recursive;
    const bool *is_read; /* per local: by something in the function */
    bool has_texts;      /* it makes Strings: they are gone when it returns */
    Map local;           /* node -> its temporary, of the statement        */
    VEC(ExprId) order;
    VEC(ExprId) touched;
} Writer;

/* The address of a dynamic array. */
static void put_array(Writer *w, uint32_t local)
{
    uint32_t at = w->array_at[local];
    if (at < w->n_arrays_in)
        text_printf(w->out, "array[%u]", at);
    else
        text_printf(w->out, "a + %u", at - w->n_arrays_in);
}

static void indent(Writer *w)
{
    text_printf(w->out, "%*s", 4 * w->depth, "");
}

static bool is_input(const Coder *c, ExprId x)
{
    double value;
    Op op = expr_op(c->pool, x);
    return op == OP_LOCAL || code_literal(c, x, &value);
}

/* Is argument k of the call handed over? A literal that the function knows is not, nor is a
 * format. */
static bool is_given(const Writer *w, ExprId call, uint32_t k)
{
    const ExprPool *p = w->c->pool;
    if (expr_op(p, call) != OP_CALL || expr_op(p, expr_arg(p, call, k)) != OP_STRING)
        return true;
    return function_takes_text(w->c->callees, expr_func_of(p, call), k);
}

/* Nodes below x that are not there yet, operands before users. */
static void collect(Writer *w, ExprId root)
{
    Coder *c = w->c;
    Arena *mem = c->mem;
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, root);
    while (stack.n && !c->failed) {
        ExprId x = code_bare(c, vec_last(stack));
        if (is_input(c, x)) {
            stack.n--;
            continue;
        }
        if (code_section_node(&c->section, x.i)->colour == BLACK) {
            stack.n--;
            continue;
        }
        if (code_section_node(&c->section, x.i)->colour == GREY) {
            stack.n--;
            code_own_section_node(&c->section, x.i)->colour = BLACK;
            vec_push(mem, w->order, x);
            continue;
        }
        switch (expr_op(c->pool, x)) {
        case OP_VAR:
            code_unsupported(c, arena_printf(mem, "the variable '%s'",
                                             c->g->sys->var.at[expr_var_of(c->pool, x).i].name.s));
            return;
        case OP_TIME:
        case OP_DER:
        case OP_PRE:
            code_unsupported(c, "time, der() or pre() in a function");
            return;
        default:
            break;
        }
        code_own_section_node(&c->section, x.i)->colour = GREY;
        vec_push(mem, w->touched, x);
        for (uint32_t k = expr_n_args(c->pool, x); k-- > 0;) {
            ExprId a = code_bare(c, expr_arg(c->pool, x, k));
            if (is_input(c, a) || !is_given(w, x, k))
                continue;
            code_own_section_node(&c->section, a.i)->uses++;
            if (code_section_node(&c->section, a.i)->colour == WHITE)
                vec_push(mem, stack, a);
        }
        long n;
        if (code_small_power(c, x, &n))
            code_own_section_node(&c->section, code_bare(c, expr_arg(c->pool, x, 0)).i)->uses++;
    }
}

static bool is_statement(const Coder *c, ExprId x)
{
    Op op = expr_op(c->pool, x);
    return op == OP_CALL || op == OP_PROJ || op == OP_STRING;
}

static void choose_nested(Writer *w)
{
    Coder *c = w->c;
    for (uint32_t k = 0; k < w->order.n; k++) {
        ExprId x = w->order.at[k];
        uint32_t weight = 1;
        for (uint32_t j = 0; j < expr_n_args(c->pool, x) && !is_statement(c, x); j++) {
            ExprId a = code_bare(c, expr_arg(c->pool, x, j));
            const SectionNode *below = code_section_node(&c->section, a.i);
            weight += below->nested ? below->weight : 0;
        }
        SectionNode *own = code_own_section_node(&c->section, x.i);
        own->weight = (uint8_t)(weight < 255 ? weight : 255);
        own->nested = own->uses == 1 && weight <= c->o.nesting && !is_statement(c, x);
    }
}

/* Names the operands of the current statement. */
static void refer(Writer *w)
{
    Coder *c = w->c;
    c->tree.ref.n = 0;
    for (uint32_t k = 0; k < c->tree.operand.n; k++) {
        ExprId x = c->tree.operand.at[k];
        Ref r = {.kind = REF_LOCAL, .n = map_get(&w->local, x.i)};
        if (expr_op(c->pool, x) == OP_LOCAL)
            r = (Ref){.kind = REF_FIXED, .array = ARRAY_V, .index = expr_local_of(c->pool, x)};
        vec_push(c->mem, c->tree.ref, r);
    }
}

/* Writes the text of x, over the temporaries and variables. */
static void put_value(Writer *w, ExprId x, bool as_condition)
{
    Coder *c = w->c;
    Root root = {.x = x};
    c->section.root = &root;
    code_read(c, (Item){.kind = ITEM_ROOT, .i = 0});
    refer(w);
    text_clear(&c->chunk.body);
    code_put_value(c, as_condition);
    text_put_n(w->out, c->chunk.body.at, c->chunk.body.n);
}

static const ExprPool *pool_of(const Writer *w)
{
    return w->c->pool;
}

/* Locals at equal distances, n of them from argument `first` of a call on: an array, its column. */
typedef struct Run {
    uint32_t n, local;
    int stride;
} Run;

static Run run_of_locals(const Writer *w, ExprId call, uint32_t first)
{
    const ExprPool *p = pool_of(w);
    uint32_t end = expr_n_args(p, call);
    Run r = {0};
    for (uint32_t k = first; k < end && expr_op(p, expr_arg(p, call, k)) == OP_LOCAL; k++) {
        int64_t at = expr_local_of(p, expr_arg(p, call, k));
        if (r.n == 0)
            r.local = (uint32_t)at;
        else if (r.n == 1)
            r.stride = (int)(at - r.local);
        else if (at != r.local + (int64_t)r.n * r.stride)
            break;
        r.n++;
    }
    return r;
}

/* A loop instead of so many statements. */
enum { MANY = 8 };

/* Between n places of an array and the locals that are inputs or outputs. */
static void put_transfer(Writer *w, uint32_t n, const uint32_t *local, bool is_input)
{
    for (uint32_t k = 0, length; k < n; k += length) {
        for (length = 1; k + length < n && local[k + length] == local[k] + length;)
            length++;
        length = length < MANY ? 1 : length;
        const char *loop = length > 1 ? " + k" : "";
        if (length > 1)
            text_printf(w->out, "    for (int k = 0; k < %u; k++)\n    ", length);
        if (is_input)
            text_printf(w->out, "    v[%u%s] = in[%u%s];\n", local[k], loop, k, loop);
        else
            text_printf(w->out, "    out[%u%s] = v[%u%s];\n", k, loop, local[k], loop);
    }
}

static void put_argument(Writer *w, ExprId call, uint32_t k)
{
    if (!is_given(w, call, k))
        text_put(w->out, "0.0");
    else
        put_value(w, expr_arg(pool_of(w), call, k), false);
}

/* The arguments from number `first` on as the array a<r>. */
static void put_arguments(Writer *w, ExprId call, uint32_t first, uint32_t r)
{
    const ExprPool *p = pool_of(w);
    uint32_t n = expr_n_args(p, call);
    bool has_run = false;
    for (uint32_t k = first, length; k < n && !has_run; k += length) {
        length = run_of_locals(w, call, k).n;
        has_run = length >= MANY;
        length += length == 0;
    }
    indent(w);
    if (!has_run) {
        text_printf(w->out, "const double a%u[] = {", r);
        for (uint32_t k = first; k < n; k++) {
            text_put(w->out, k > first ? ", " : "");
            put_argument(w, call, k);
        }
        text_put(w->out, first == n ? "0.0};\n" : "};\n");
        return;
    }
    text_printf(w->out, "double a%u[%u];\n", r, n - first);
    for (uint32_t k = first; k < n;) {
        Run run = run_of_locals(w, call, k);
        indent(w);
        if (run.n >= MANY) {
            text_printf(w->out, "for (int k = 0; k < %u; k++)\n", run.n);
            indent(w);
            text_printf(w->out, "    a%u[%u + k] = v[%u + %d * k];\n", r, k - first, run.local,
                        run.stride);
            k += run.n;
        } else {
            text_printf(w->out, "a%u[%u] = ", r, k - first);
            put_argument(w, call, k);
            text_put(w->out, ";\n");
            k++;
        }
    }
}

/* The clean-up before a return. */
static const char *leaving(const Writer *w)
{
    return arena_printf(
        w->c->mem, "%s%s%s", w->is_recursive ? "ctx->depth = depth, " : "",
        w->has_texts ? "rung_texts_release(ctx, texts), " : "",
        w->n_arrays ? arena_printf(w->c->mem, "rung_arrays_free(%u, a), ", w->n_arrays) : "");
}

/* A list of doubles as an argument: the values from x[first] on. */
static void put_doubles(Writer *w, uint32_t first, uint32_t n, const ExprId *x)
{
    text_put(w->out, "(const double[]){");
    for (uint32_t k = first; k < n; k++) {
        text_put(w->out, k > first ? ", " : "");
        put_value(w, x[k], false);
    }
    text_put(w->out, "}");
}

/* An element or a size of a dynamic array. */
static void put_array_operation(Writer *w, ExprId call, uint32_t r, Intrinsic what)
{
    const ExprPool *p = pool_of(w);
    uint32_t n = expr_n_args(p, call);
    ExprId *index = arena_array(w->c->mem, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        index[k] = expr_arg(p, call, k);
    bool is_element = what == INTRINSIC_ARRAY_ELEMENT;
    indent(w);
    text_printf(w->out, "const double r%u[1] = {rung_array_%s(", r, is_element ? "at" : "size");
    put_array(w, expr_local_of(p, index[0]));
    text_put(w->out, ", ");
    if (is_element) {
        text_printf(w->out, "%u, ", n - 1);
        put_doubles(w, 1, n, index);
    } else {
        put_value(w, index[1], false);
    }
    text_put(w->out, ")};\n");
}

/* Strings that are made of others. */
static void put_text_operation(Writer *w, ExprId call, uint32_t r, Intrinsic what)
{
    const ExprPool *p = pool_of(w);
    static const char *const name[] = {
        [INTRINSIC_TEXT] = "value", [INTRINSIC_JOIN] = "join", [INTRINSIC_COMPARE] = "compare"};
    indent(w);
    text_printf(w->out, "const double r%u[1] = {rung_text_%s(ctx, ", r, name[what]);
    if (what == INTRINSIC_TEXT)
        text_string(w->out, expr_text_of(p, expr_arg(p, call, 1)).s);
    else
        put_value(w, expr_arg(p, call, 0), false);
    text_put(w->out, ", ");
    put_value(w, expr_arg(p, call, what != INTRINSIC_TEXT), false);
    text_put(w->out, ")};\n");
}

static void put_literal(Writer *w, ExprId x)
{
    indent(w);
    text_printf(w->out, "const double t%u = rung_text_new(ctx, ", ++w->temps);
    text_string(w->out, expr_text_of(pool_of(w), x).s);
    text_put(w->out, ");\n");
    map_put(&w->local, x.i, w->temps);
}

/* The dynamic arrays that a call takes, then those that it gives, which are w->given. */
static void put_call_arrays(Writer *w, ExprId call, const Function *fn, uint32_t r)
{
    const ExprPool *p = pool_of(w);
    const char *comma = "";
    indent(w);
    text_printf(w->out, "struct RungArray *const b%u[] = {", r);
    for (uint32_t k = 0; fn->in_rank && k < fn->n_in; k++)
        if (fn->in_rank[k]) {
            text_put(w->out, comma);
            put_array(w, expr_local_of(p, expr_arg(p, call, k)));
            comma = ", ";
        }
    for (uint32_t k = 0; fn->out_rank && k < fn->n_out; k++)
        if (fn->out_rank[k]) {
            text_put(w->out, comma);
            put_array(w, w->given[k]);
            comma = ", ";
        }
    text_put(w->out, "};\n");
}

static void put_call(Writer *w, ExprId call)
{
    Coder *c = w->c;
    FuncId f = expr_func_of(c->pool, call);
    const Function *fn = &c->g->sys->function->at[f.i];
    uint32_t r = w->results++;
    map_put(&w->local, call.i, r);
    if (fn->intrinsic == INTRINSIC_ELEMENT) {
        Run run = run_of_locals(w, call, 1);
        bool is_run = run.n + 1 == expr_n_args(c->pool, call) && run.n > 1;
        if (!is_run)
            put_arguments(w, call, 1, r);
        indent(w);
        if (is_run && run.stride == 1)
            text_printf(w->out, "const double *const r%u = v + %u + (int)(", r, run.local);
        else if (is_run)
            text_printf(w->out, "const double *const r%u = v + %u + %d * ((int)(", r, run.local,
                        run.stride);
        else
            text_printf(w->out, "const double *const r%u = a%u + (int)(", r, r);
        put_value(w, expr_arg(c->pool, call, 0), false);
        text_put(w->out, is_run && run.stride != 1 ? ") - 1);\n" : ") - 1;\n");
        return;
    }
    if (intrinsic_is_text(fn->intrinsic)) {
        put_text_operation(w, call, r, fn->intrinsic);
        return;
    }
    if (intrinsic_is_array(fn->intrinsic)) {
        put_array_operation(w, call, r, fn->intrinsic);
        return;
    }
    const char *name = function_use(c->callees, f);
    if (!name) {
        code_unsupported(c, arena_printf(c->mem, "a call of '%s'", fn->name.s));
        return;
    }
    put_arguments(w, call, 0, r);
    indent(w);
    text_printf(w->out, "double r%u[%u];\n", r, fn->n_out ? fn->n_out : 1);
    const char *arrays = "";
    if (has_arrays(fn)) {
        put_call_arrays(w, call, fn, r);
        arrays = arena_printf(c->mem, ", b%u", r);
    }
    indent(w);
    text_printf(w->out, "if ((status = %s(ctx, a%u, r%u%s)))\n", name, r, r, arrays);
    indent(w);
    text_printf(w->out, "    return %sstatus;\n", leaving(w));
}

/* Writes the operands of the n values as temporaries, except those that are nested into their
 * user. */
static void prepare(Writer *w, uint32_t n, const ExprId *x)
{
    Coder *c = w->c;
    w->order.n = w->touched.n = 0;
    w->local = map_new(c->mem);
    for (uint32_t k = 0; k < n; k++) {
        ExprId bare = code_bare(c, x[k]);
        if (!is_input(c, bare))
            code_own_section_node(&c->section, bare.i)->uses++;
        collect(w, x[k]);
    }
    if (c->failed)
        return;
    choose_nested(w);
    for (uint32_t k = 0; k < w->order.n; k++) {
        ExprId y = w->order.at[k];
        if (code_section_node(&c->section, y.i)->nested)
            continue;
        if (expr_op(c->pool, y) == OP_CALL) {
            put_call(w, y);
            continue;
        }
        if (expr_op(c->pool, y) == OP_STRING) {
            put_literal(w, y);
            continue;
        }
        uint32_t t = ++w->temps;
        indent(w);
        text_printf(w->out, "const double t%u = ", t);
        if (expr_op(c->pool, y) == OP_PROJ) {
            text_printf(w->out, "r%u[%u]", map_get(&w->local, expr_arg(c->pool, y, 0).i),
                        expr_proj_of(c->pool, y));
        } else {
            code_read(c, (Item){.kind = ITEM_EVAL, .i = y.i});
            refer(w);
            text_clear(&c->chunk.body);
            code_put_value(c, false);
            text_put_n(w->out, c->chunk.body.at, c->chunk.body.n);
        }
        text_put(w->out, ";\n");
        map_put(&w->local, y.i, t);
    }
}

static void done(Writer *w)
{
    Coder *c = w->c;
    for (uint32_t k = 0; k < w->touched.n; k++) {
        uint32_t x = w->touched.at[k].i;
        SectionNode *own = code_own_section_node(&c->section, x);
        own->uses = own->colour = own->nested = 0;
    }
}

/* ---- statements ------------------------------------------------------------------------ */

static void put_list(Writer *w, const StatementList *list);

static void put_block(Writer *w, const StatementList *list)
{
    w->depth++;
    put_list(w, list);
    w->depth--;
}

static void put_name(Writer *w, uint32_t local)
{
    const char *name = w->body->local.at[local].name.s;
    text_put(w->out, " ");
    text_comment(w->out, name ? name : "");
    text_put(w->out, "\n");
}

/* Leaves out assignments of literals that are never read. */
static Statement *without_unread(Writer *w, const Statement *st)
{
    Arena *mem = w->c->mem;
    Statement *out = arena_make(mem, Statement);
    uint32_t *to = arena_array(mem, uint32_t, st->n + 1);
    ExprId *value = arena_array(mem, ExprId, st->n + 1);
    *out = *st;
    out->n = 0;
    for (uint32_t k = 0; k < st->n; k++)
        if (expr_op(w->c->pool, st->value[k]) != OP_STRING || w->is_read[st->to[k]]) {
            to[out->n] = st->to[k];
            value[out->n++] = st->value[k];
        }
    out->to = to;
    out->value = value;
    return out;
}

static void put_assign(Writer *w, const Statement *all)
{
    Coder *c = w->c;
    const Statement *st = without_unread(w, all);
    prepare(w, st->n, st->value);
    /* a single assignment needs no temporary; of several, a later one may read an earlier target */
    uint32_t first = w->temps;
    for (uint32_t k = 0; st->n > 1 && k < st->n && !c->failed; k++) {
        indent(w);
        text_printf(w->out, "const double t%u = ", ++w->temps);
        put_value(w, st->value[k], false);
        text_put(w->out, ";\n");
    }
    for (uint32_t k = 0; k < st->n && !c->failed; k++) {
        indent(w);
        text_printf(w->out, "v[%u] = ", st->to[k]);
        if (st->n > 1)
            text_printf(w->out, "t%u", first + k + 1);
        else
            put_value(w, st->value[k], false);
        text_put(w->out, ";");
        put_name(w, st->to[k]);
    }
    done(w);
}

static void put_where(Writer *w, Span span)
{
    text_string(w->out, span.file ? diags_where(w->c->g->sys->diags, span) : "");
}

/* Builds a String in ctx->text. Its values come first, since functions that they call may use
 * ctx->text, too. */
static void put_text(Writer *w, const char *begin, ExprId text)
{
    Text *t = w->out;
    Arena *mem = w->c->mem;
    Pieces piece = message_pieces(w->c->g->sys, text, mem);
    VEC(ExprId) value = {0};
    for (uint32_t k = 0; k < piece.n; k++)
        if (expr_exists(piece.at[k].value))
            vec_push(mem, value, piece.at[k].value);
    prepare(w, value.n, value.at);
    indent(w);
    text_put(t, "rung_text_begin(ctx);\n");
    indent(w);
    text_put(t, "rung_text_put(ctx, ");
    text_string(t, begin);
    text_put(t, ");\n");
    for (uint32_t k = 0; k < piece.n && !w->c->failed; k++) {
        const Piece *it = &piece.at[k];
        bool is_number = expr_exists(it->value) && it->text;
        indent(w);
        text_put(t, is_number ? "rung_text_number(ctx, " : "rung_text_put(ctx, ");
        if (it->text)
            text_string(t, it->text);
        text_put(t, is_number ? ", " : it->text ? "" : "rung_text_of(ctx, ");
        if (expr_exists(it->value))
            put_value(w, it->value, false);
        text_put(t, it->text ? ");\n" : "));\n");
    }
    done(w);
}

static void put_assert(Writer *w, const Statement *st)
{
    Coder *c = w->c;
    Text *t = w->out;
    const System *s = c->g->sys;
    bool varies = message_varies(s, st->message);
    const char *head = arena_printf(
        c->mem, st->is_warning ? "assertion of '%s': " : "assertion of '%s' violated: ", w->name);
    bool literal = expr_op(c->pool, st->message) == OP_STRING;
    const char *rest = literal ? expr_text_of(c->pool, st->message).s : "";
    prepare(w, 1, &st->cond);
    indent(w);
    text_put(t, "if (!(");
    put_value(w, st->cond, true);
    text_put(t, ")) {\n");
    done(w);
    w->depth++;
    if (varies)
        put_text(w, head, st->message);
    indent(w);
    text_printf(t, st->is_warning ? "rung_warn(ctx, " : "return %srung_fail(ctx, ", leaving(w));
    if (varies)
        text_put(t, "ctx->text");
    else
        text_string(t, arena_printf(c->mem, "%s%s", head, rest));
    text_put(t, ", ");
    put_where(w, st->span);
    text_put(t, ");\n");
    w->depth--;
    indent(w);
    text_put(t, "}\n");
}

static void put_resize(Writer *w, const Statement *st)
{
    Text *t = w->out;
    prepare(w, st->n, st->value);
    indent(w);
    text_put(t, "if (rung_array_resize(");
    put_array(w, st->to[0]);
    text_printf(t, ", %u, ", st->n);
    put_doubles(w, 0, st->n, st->value);
    text_put(t, "))\n");
    indent(w);
    text_printf(t, "    return %srung_fail(ctx, ", leaving(w));
    text_string(t,
                arena_printf(w->c->mem, "an array of '%s' has a negative size or too many elements",
                             w->name));
    text_put(t, ", ");
    put_where(w, st->span);
    text_put(t, ");\n");
    done(w);
}

static void put_element(Writer *w, const Statement *st)
{
    Text *t = w->out;
    prepare(w, st->n, st->value);
    indent(w);
    text_put(t, "rung_array_put(");
    put_array(w, st->to[0]);
    text_printf(t, ", %u, ", st->n - 1);
    put_doubles(w, 1, st->n, st->value);
    text_put(t, ", ");
    put_value(w, st->value[0], false);
    text_put(t, ");");
    put_name(w, st->to[0]);
    done(w);
}

static void put_move(Writer *w, const Statement *st)
{
    indent(w);
    text_put(w->out, "rung_array_move(");
    put_array(w, st->to[0]);
    text_put(w->out, ", ");
    put_array(w, st->to[1]);
    text_put(w->out, ");");
    put_name(w, st->to[0]);
}

/* A call that takes or gives dynamic arrays; the others stand in expressions. */
static void put_array_call(Writer *w, const Statement *st)
{
    Coder *c = w->c;
    w->given = st->to;
    prepare(w, 1, st->value);
    uint32_t r = map_get(&w->local, st->value[0].i);
    for (uint32_t k = 0; k < st->n && !c->failed; k++) {
        if (w->body->local.at[st->to[k]].rank)
            continue;
        indent(w);
        text_printf(w->out, "v[%u] = r%u[%u];", st->to[k], r, k);
        put_name(w, st->to[k]);
    }
    done(w);
}

static void put_statement(Writer *w, const Statement *st)
{
    Coder *c = w->c;
    Text *t = w->out;
    switch (st->kind) {
    case STATEMENT_ASSIGN:
        put_assign(w, st);
        return;
    case STATEMENT_IF:
        prepare(w, 1, &st->cond);
        indent(w);
        text_put(t, "if (");
        put_value(w, st->cond, true);
        text_put(t, ") {\n");
        done(w);
        put_block(w, &st->body);
        if (st->otherwise.n) {
            indent(w);
            text_put(t, "} else {\n");
            put_block(w, &st->otherwise);
        }
        indent(w);
        text_put(t, "}\n");
        return;
    case STATEMENT_LOOP:
        indent(w);
        text_printf(t, "for (double n%u = 0;; n%u++) {\n", w->loops, w->loops);
        w->depth++;
        indent(w);
        text_printf(t, "if (n%u >= %.0e)\n", w->loops, MOST_ROUNDS);
        indent(w);
        text_printf(t, "    return %srung_fail(ctx, ", leaving(w));
        text_string(t, arena_printf(c->mem, "a loop of '%s' does not end", w->name));
        text_put(t, ", ");
        put_where(w, st->span);
        text_put(t, ");\n");
        w->loops++;
        prepare(w, 1, &st->cond);
        if (!expr_is(c->pool, st->cond, 1)) {
            indent(w);
            text_put(t, "if (!(");
            put_value(w, st->cond, true);
            text_put(t, "))\n");
            indent(w);
            text_put(t, "    break;\n");
        }
        done(w);
        put_list(w, &st->body);
        w->depth--;
        indent(w);
        text_put(t, "}\n");
        return;
    case STATEMENT_BLOCK:
        indent(w);
        text_put(t, "do {\n");
        put_block(w, &st->body);
        indent(w);
        text_put(t, "} while (0);\n");
        return;
    case STATEMENT_BREAK:
        indent(w);
        text_put(t, "break;\n");
        return;
    case STATEMENT_RETURN:
        indent(w);
        text_put(t, "goto done;\n");
        return;
    case STATEMENT_ASSERT:
        put_assert(w, st);
        return;
    case STATEMENT_RUN:
        prepare(w, st->n, st->value);
        done(w);
        return;
    case STATEMENT_RESIZE:
        put_resize(w, st);
        return;
    case STATEMENT_PUT:
        put_element(w, st);
        return;
    case STATEMENT_MOVE:
        put_move(w, st);
        return;
    case STATEMENT_CALL:
        put_array_call(w, st);
        return;
    }
}

static void put_list(Writer *w, const StatementList *list)
{
    for (uint32_t k = 0; k < list->n && !w->c->failed; k++)
        put_statement(w, list->at[k]);
}

static bool has_return(const StatementList *list)
{
    for (uint32_t k = 0; k < list->n; k++)
        if (list->at[k]->kind == STATEMENT_RETURN || has_return(&list->at[k]->body) ||
            has_return(&list->at[k]->otherwise))
            return true;
    return false;
}

/* ---- external functions ---------------------------------------------------------------- */

static const char *c_type(const ExternalArg *a)
{
    static const char *const value[] = {
        [EXTERNAL_REAL] = "double",          [EXTERNAL_INTEGER] = "int",
        [EXTERNAL_SIZE] = "size_t",          [EXTERNAL_STRING] = "const char *",
        [EXTERNAL_OBJECT] = "void *",        [EXTERNAL_REALS] = "const double *",
        [EXTERNAL_INTEGERS] = "const int *", [EXTERNAL_STRINGS] = "const char **",
        [EXTERNAL_RECORD] = "void *",
    };
    if (a->kind == EXTERNAL_RECORD)
        return value[a->kind];
    bool real = a->kind == EXTERNAL_REAL || a->kind == EXTERNAL_REALS;
    if (a->is_output && is_string(a))
        return "const char **";
    return a->is_output && a->kind != EXTERNAL_OBJECT ? real ? "double *" : "int *"
                                                      : value[a->kind];
}

/* Addresses, whatever of: one routine may take a matrix for a vector. Behind them the lengths of
 * the texts, which Fortran compilers on Unix hand over by value. */
static void put_fortran_declaration(const External *x, Text *out)
{
    text_printf(out, "%s %s(",
                !x->has_result                    ? "void"
                : x->result.kind == EXTERNAL_REAL ? "double"
                                                  : "int",
                x->function);
    for (uint32_t k = 0; k < x->n_args; k++)
        text_printf(out, "%sconst void *", k ? ", " : "");
    for (uint32_t k = 0; k < x->n_args; k++)
        if (x->arg[k].kind == EXTERNAL_STRING)
            text_put(out, ", size_t");
    text_put(out, x->n_args ? ");\n" : "void);\n");
}

/* ---- records as structs (MLS 12.9.1.3) ---- */

/* The names of the fields do not matter to a caller, their types and order do. */
static void put_fields(const ExternalArg *record, Text *out)
{
    text_put(out, " {");
    for (uint32_t k = 0; k < record->n_fields; k++) {
        const ExternalArg *a = &record->field[k];
        if (a->kind == EXTERNAL_RECORD) {
            text_put(out, " struct");
            put_fields(a, out);
            text_printf(out, " m%u;", k);
        } else {
            ExternalArg scalar = {.kind = a->kind};
            text_printf(out, " %s m%u;", c_type(&scalar), k);
        }
    }
    text_put(out, " }");
}

/* Declares a function that no header declares. */
static void put_declaration(const External *x, Text *out)
{
    if (x->is_fortran) {
        put_fortran_declaration(x, out);
        return;
    }
    ExternalArg result = x->result;
    result.is_output = false;
    if (x->has_result && result.kind == EXTERNAL_RECORD) {
        text_printf(out, "struct %s_result", x->function);
        put_fields(&result, out);
        text_printf(out, ";\nstruct %s_result %s(", x->function, x->function);
    } else {
        text_printf(out, "%s %s(", x->has_result ? c_type(&result) : "void", x->function);
    }
    for (uint32_t k = 0; k < x->n_args; k++)
        text_printf(out, "%s%s", k ? ", " : "", c_type(&x->arg[k]));
    text_put(out, x->n_args ? ");\n" : "void);\n");
}

static bool is_integer(const ExternalArg *a)
{
    return a->kind == EXTERNAL_INTEGER || a->kind == EXTERNAL_INTEGERS;
}

/* Any number but 0 is true in C (MLS 12.9.1.1). */
static const char *as_truth(const Writer *w, uint32_t local)
{
    return w->body->local.at[local].type == TYPE_BOOLEAN ? " != 0" : "";
}

/* Integers are doubles here and ints there. */
static void copy_integers(Writer *w, const ExternalArg *a, uint32_t k, bool back)
{
    indent(w);
    if (!back) {
        text_printf(w->out, "int i%u[%u];\n", k, a->n ? a->n : 1);
        indent(w);
    }
    text_printf(w->out, "for (int k = 0; k < %u; k++)\n", a->n);
    indent(w);
    if (back)
        text_printf(w->out, "    v[%u + k] = i%u[k]%s;\n", a->local, k, as_truth(w, a->local));
    else
        text_printf(w->out, "    i%u[k] = (int)v[%u + k];\n", k, a->local);
}

/* Strings are numbers here and char * there. */
static void copy_texts(Writer *w, const ExternalArg *a, uint32_t k, bool back)
{
    indent(w);
    if (!back) {
        text_printf(w->out, "const char *s%u[%u];\n", k, a->n ? a->n : 1);
        indent(w);
    }
    text_printf(w->out, "for (int k = 0; k < %u; k++)\n", a->n);
    indent(w);
    if (back)
        text_printf(w->out, "    v[%u + k] = rung_text_new(ctx, s%u[k]);\n", a->local, k);
    else
        text_printf(w->out, "    s%u[k] = rung_text_of(ctx, v[%u + k]);\n", k, a->local);
}

/* Between the locals and the structs called `structs`; `at` is the path to the fields. */
static void copy_fields(Writer *w, const ExternalArg *record, const char *structs, const char *at,
                        bool back)
{
    Arena *mem = w->c->mem;
    for (uint32_t k = 0; k < record->n_fields; k++) {
        const ExternalArg *a = &record->field[k];
        const char *field = arena_printf(mem, "%s.m%u", at, k);
        if (a->kind == EXTERNAL_RECORD) {
            copy_fields(w, a, structs, field, back);
            continue;
        }
        bool is_one = a->n == 1;
        const char *here = arena_printf(mem, is_one ? "v[%u]" : "v[%u + k]", a->local);
        const char *there = arena_printf(mem, is_one ? "%s[0]%s" : "%s[k]%s", structs, field);
        indent(w);
        if (!is_one)
            text_printf(w->out, "for (int k = 0; k < %u; k++) ", a->n);
        if (back && is_string(a))
            text_printf(w->out, "%s = rung_text_new(ctx, %s);\n", here, there);
        else if (back)
            text_printf(w->out, "%s = %s%s;\n", here, there, as_truth(w, a->local));
        else if (is_string(a))
            text_printf(w->out, "%s = rung_text_of(ctx, %s);\n", there, here);
        else
            text_printf(w->out, "%s = %s%s;\n", there, a->kind == EXTERNAL_REAL ? "" : "(int)",
                        here);
    }
}

/* Structs of our own, filled; and their bytes for the function, whose struct is another type. */
static void put_records(Writer *w, const ExternalArg *a, uint32_t k)
{
    uint32_t n = a->n ? a->n : 1;
    indent(w);
    text_put(w->out, "struct");
    put_fields(a, w->out);
    text_printf(w->out, " q%u[%u];\n", k, n);
    copy_fields(w, a, arena_printf(w->c->mem, "q%u", k), "", false);
    indent(w);
    text_printf(w->out, "_Alignas(double) _Alignas(void *) unsigned char b%u[sizeof q%u];\n", k, k);
    indent(w);
    text_printf(w->out, "memcpy(b%u, q%u, sizeof q%u);\n", k, k, k);
}

static void take_records(Writer *w, const ExternalArg *a, uint32_t k)
{
    indent(w);
    text_printf(w->out, "memcpy(q%u, b%u, sizeof q%u);\n", k, k, k);
    copy_fields(w, a, arena_printf(w->c->mem, "q%u", k), "", true);
}

/* The struct that the function returns: that of its header, which has the name of the record's
 * class, or the one of put_declaration. */
static const char *result_struct(const Writer *w, const External *x)
{
    return x->include ? x->result.record.s : arena_printf(w->c->mem, "%s_result", x->function);
}

static void take_result(Writer *w, const External *x)
{
    indent(w);
    text_put(w->out, "struct");
    put_fields(&x->result, w->out);
    text_put(w->out, " q[1];\n");
    indent(w);
    text_put(w->out, "memcpy(q, &result, sizeof q);\n");
    copy_fields(w, &x->result, "q", "", true);
}

/* Is the argument copied to a variable of another type for the external call. */
static bool is_copied(const ExternalArg *a)
{
    bool array = a->kind == EXTERNAL_INTEGERS || a->kind == EXTERNAL_STRINGS;
    return array || (a->is_output && (is_integer(a) || is_string(a)));
}

static void put_external_argument(Writer *w, const ExternalArg *a, uint32_t k)
{
    Text *t = w->out;
    bool array = a->kind == EXTERNAL_REALS || a->kind == EXTERNAL_INTEGERS;
    if (a->kind == EXTERNAL_RECORD) {
        text_printf(t, "(void *)b%u", k);
    } else if (is_copied(a)) {
        text_printf(t, is_integer(a) ? "i%u" : "s%u", k);
    } else if (a->is_dynamic) {
        text_put(t, "(");
        put_array(w, a->local);
        text_put(t, ")->x");
    } else if (array || a->is_output) {
        text_printf(t, "v + %u", a->local);
    } else if (a->kind == EXTERNAL_OBJECT) {
        text_printf(t, "rung_object(ctx, v[%u])", a->local);
    } else if (a->kind == EXTERNAL_STRING) {
        if (expr_op(w->c->pool, a->value) == OP_STRING) {
            const char *text = expr_text_of(w->c->pool, a->value).s;
            bool is_path = *text == '/'; // of a file, perhaps
            text_put(t, is_path ? "rung_file(ctx, " : "");
            text_string(t, text);
            text_put(t, is_path ? ")" : "");
        } else {
            text_put(t, "rung_text_of(ctx, ");
            put_value(w, a->value, false);
            text_put(t, ")");
        }
    } else {
        text_put(t, a->kind == EXTERNAL_REAL   ? ""
                    : a->kind == EXTERNAL_SIZE ? "(size_t)("
                                               : "(int)(");
        put_value(w, a->value, false);
        text_put(t, a->kind == EXTERNAL_REAL ? "" : ")");
    }
}

/* ---- FORTRAN 77: each argument is copied to f<k> ---- */

static bool is_array(const ExternalArg *a)
{
    return a->kind == EXTERNAL_REALS || a->kind == EXTERNAL_INTEGERS;
}

static const char *fortran_type(const ExternalArg *a)
{
    return a->kind == EXTERNAL_STRING                              ? "const char *"
           : a->kind == EXTERNAL_REAL || a->kind == EXTERNAL_REALS ? "double "
                                                                   : "int ";
}

/* An array stands by rows here and by columns there. */
static void copy_array(Writer *w, const ExternalArg *a, uint32_t k, bool back)
{
    Text here = text_new(w->c->mem), there = text_new(w->c->mem);
    uint32_t by_column = 1, by_row = a->n;
    if (a->n == 0)
        return;
    text_printf(&here, "v[%u", a->local);
    text_printf(&there, "f%u[0", k);
    for (uint32_t d = 0; d < a->n_dims; d++) {
        by_row /= a->dim[d];
        indent(w);
        text_printf(w->out, "%*sfor (int k%u = 0; k%u < %u; k%u++)\n", (int)(4 * d), "", d, d,
                    a->dim[d], d);
        text_printf(&here, " + %u * k%u", by_row, d);
        text_printf(&there, " + %u * k%u", by_column, d);
        by_column *= a->dim[d];
    }
    indent(w);
    if (back)
        text_printf(w->out, "%*s%s] = %s];\n", (int)(4 * a->n_dims), "", here.at, there.at);
    else
        text_printf(w->out, "%*s%s] = %s%s];\n", (int)(4 * a->n_dims), "", there.at,
                    is_integer(a) ? "(int)" : "", here.at);
}

static void put_external_argument(Writer *w, const ExternalArg *a, uint32_t k);

static void put_fortran_variable(Writer *w, const ExternalArg *a, uint32_t k)
{
    indent(w);
    text_printf(w->out, "%sf%u", fortran_type(a), k);
    if (is_array(a)) {
        text_printf(w->out, "[%u];\n", a->n ? a->n : 1);
        copy_array(w, a, k, false);
        return;
    }
    text_put(w->out, a->kind == EXTERNAL_SIZE ? " = (int)" : " = ");
    if (a->is_output)
        text_printf(w->out, "%sv[%u]", is_integer(a) ? "(int)" : "", a->local);
    else
        put_external_argument(w, a, k);
    text_put(w->out, ";\n");
}

static void put_fortran_arguments(Text *t, const External *x)
{
    for (uint32_t k = 0; k < x->n_args; k++) {
        bool is_address = is_array(&x->arg[k]) || x->arg[k].kind == EXTERNAL_STRING;
        text_printf(t, "%s%sf%u", k ? ", " : "", is_address ? "" : "&", k);
    }
    for (uint32_t k = 0; k < x->n_args; k++)
        if (x->arg[k].kind == EXTERNAL_STRING)
            text_printf(t, ", strlen(f%u)", k);
}

static void take_fortran_outputs(Writer *w, const External *x)
{
    for (uint32_t k = 0; k < x->n_args; k++) {
        const ExternalArg *a = &x->arg[k];
        if (a->is_output && is_array(a))
            copy_array(w, a, k, true);
        else if (a->is_output)
            text_printf(w->out, "    v[%u] = f%u%s;\n", a->local, k, as_truth(w, a->local));
    }
}

/* ---- the call ---- */

static void put_external(Writer *w, const External *x, uint32_t n_in, const char *where)
{
    Coder *c = w->c;
    Text *t = w->out;
    VEC(ExprId) value = {0};
    for (uint32_t k = 0; k < x->n_args; k++) {
        const ExternalArg *a = &x->arg[k];
        bool literal = expr_exists(a->value) && expr_op(c->pool, a->value) == OP_STRING;
        if (is_copied(a) && x->is_fortran)
            continue;
        if (a->kind == EXTERNAL_RECORD)
            put_records(w, a, k);
        else if (is_copied(a) && is_integer(a))
            copy_integers(w, a, k, false);
        else if (is_copied(a))
            copy_texts(w, a, k, false);
        else if (!a->is_output && a->kind <= EXTERNAL_STRING && !literal)
            vec_push(c->mem, value, a->value);
    }
    prepare(w, value.n, value.at);
    for (uint32_t k = 0; x->is_fortran && k < x->n_args; k++)
        put_fortran_variable(w, &x->arg[k], k);
    text_put(t, "    RungCall call;\n    rung_call_enter(&call, ctx, ");
    text_string(t, where);
    text_put(t, ");\n    if (setjmp(call.jump))\n        return rung_call_failed(&call);\n    ");
    if (x->is_constructor)
        text_put(t, "void *object = ");
    else if (x->has_result && x->result.kind == EXTERNAL_RECORD)
        text_printf(t, "const struct %s result = ", result_struct(w, x));
    else if (x->has_result)
        text_printf(
            t, is_string(&x->result) ? "v[%u] = rung_text_new(ctx, " : "v[%u] = ", x->result.local);
    text_printf(t, "%s(", x->function);
    if (x->is_fortran)
        put_fortran_arguments(t, x);
    for (uint32_t k = 0; !x->is_fortran && k < x->n_args; k++) {
        text_put(t, k ? ", " : "");
        put_external_argument(w, &x->arg[k], k);
    }
    bool is_plain = x->has_result && !x->is_constructor && x->result.kind == EXTERNAL_INTEGER;
    text_printf(t, x->has_result && is_string(&x->result) ? "))%s;\n" : ")%s;\n",
                is_plain ? as_truth(w, x->result.local) : "");
    if (x->is_fortran)
        take_fortran_outputs(w, x);
    if (x->has_result && x->result.kind == EXTERNAL_RECORD)
        take_result(w, x);
    for (uint32_t k = 0; !x->is_fortran && k < x->n_args; k++)
        if (x->arg[k].is_output && x->arg[k].kind == EXTERNAL_RECORD) {
            take_records(w, &x->arg[k], k);
        } else if (x->arg[k].is_output && is_copied(&x->arg[k])) {
            if (is_integer(&x->arg[k]))
                copy_integers(w, &x->arg[k], k, true);
            else
                copy_texts(w, &x->arg[k], k, true);
        }
    /* Strings that the function has allocated are freed here */
    text_put(t, "    rung_call_leave(&call);\n");
    done(w);
    if (!x->is_constructor)
        return;
    text_printf(t, "    rung_object_keep(&call, %uu, in, object, %s);\n", n_in,
                x->destructor ? x->destructor : "NULL");
    text_printf(t, "    v[%u] = in[0];\n", x->result.local);
}

typedef struct Search {
    const System *s;
    Arena *mem;
    Map seen; /* functions */
    Map expr; /* nodes     */
    VEC(ExprId) stack;
    FuncId wanted;
    bool found;
} Search;

static void search_list(Search *q, const StatementList *list);

static void search_expr(Search *q, ExprId root)
{
    const ExprPool *p = q->s->pool;
    vec_push(q->mem, q->stack, root);
    uint32_t bottom = q->stack.n - 1;
    while (q->stack.n > bottom && !q->found) {
        ExprId x = q->stack.at[--q->stack.n];
        uint32_t n = expr_n_args(p, x);
        if (n == 0 || map_get(&q->expr, x.i) != MAP_NONE)
            continue;
        map_put(&q->expr, x.i, 0);
        for (uint32_t k = 0; k < n; k++)
            vec_push(q->mem, q->stack, expr_arg(p, x, k));
        if (expr_op(p, x) != OP_CALL)
            continue;
        FuncId f = expr_func_of(p, x);
        q->found = f.i == q->wanted.i;
        const Body *b = q->s->function->at[f.i].body;
        if (b && map_get(&q->seen, f.i) == MAP_NONE) {
            map_put(&q->seen, f.i, 0);
            search_list(q, &b->list);
        }
    }
}

static void search_list(Search *q, const StatementList *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const Statement *st = list->at[k];
        if (st->kind == STATEMENT_IF || st->kind == STATEMENT_LOOP || st->kind == STATEMENT_ASSERT)
            search_expr(q, st->cond);
        for (uint32_t i = 0; i < statement_n_values(st); i++)
            search_expr(q, st->value[i]);
        search_list(q, &st->body);
        search_list(q, &st->otherwise);
    }
}

/* Does the function reach itself? */
static bool is_recursive(const System *s, FuncId f)
{
    Arena *mem = arena_new();
    Search q = {.s = s, .mem = mem, .seen = map_new(mem), .expr = map_new(mem), .wanted = f};
    search_list(&q, &s->function->at[f.i].body->list);
    arena_free(mem);
    return q.found;
}

void function_text_results(const Function *f, Text *out)
{
    const char *comma = "";
    text_put(out, "{");
    for (uint32_t k = 0; k < f->n_out; k++)
        if (f->out_type && f->out_type[k] == TYPE_STRING) {
            text_printf(out, "%s%u", comma, k);
            comma = ", ";
        }
    text_put(out, "}");
}

/* Releases the Strings that the function has made, except its results; results of a guarded
 * function are kept with the model. */
static void put_text_results(const Function *f, Text *out)
{
    uint32_t n = function_n_texts(f);
    if (n > 0) {
        text_put(out, "    static const uint32_t text[] = ");
        function_text_results(f, out);
        text_put(out, ";\n");
    }
    if (n > 0 && f->is_guarded)
        text_printf(out, "    rung_texts_keep(ctx, %u, text, out);\n", n);
    if (n > 0 && !f->is_guarded)
        text_printf(out, "    rung_texts_return(ctx, texts, %u, text, out);\n", n);
    else
        text_put(out, "    rung_texts_release(ctx, texts);\n");
}

/* Where the dynamic arrays of a function are: inputs and results in array[], those that are no
 * inputs in a[]. */
static void find_arrays(Writer *w, const Function *f)
{
    const Body *b = w->body;
    uint32_t *at = arena_array(w->c->mem, uint32_t, b->local.n + 1);
    bool *is_input = arena_array(w->c->mem, bool, b->local.n + 1);
    for (uint32_t k = 0; f->in_rank && k < f->n_in; k++)
        if (f->in_rank[k]) {
            is_input[b->input[k]] = true;
            at[b->input[k]] = w->n_arrays_in++;
        }
    for (uint32_t k = 0; k < b->local.n; k++)
        if (b->local.at[k].rank && !is_input[k])
            at[k] = w->n_arrays_in + w->n_arrays++;
    w->array_at = at;
}

/* Results go to the caller, the other arrays are freed. */
static void put_array_results(Writer *w, const Function *f)
{
    uint32_t at = w->n_arrays_in;
    for (uint32_t k = 0; f->out_rank && k < f->n_out; k++)
        if (f->out_rank[k]) {
            text_printf(w->out, "    rung_array_move(array[%u], ", at++);
            put_array(w, w->body->output[k]);
            text_put(w->out, ");\n");
        }
    if (w->n_arrays)
        text_printf(w->out, "    rung_arrays_free(%u, a);\n", w->n_arrays);
}

static void put_function(Coder *c, FuncId id, Text *out)
{
    const Function *f = &c->g->sys->function->at[id.i];
    const Body *b = f->body;
    Writer w = {.c = c, .body = b, .out = out, .depth = 1, .name = f->name.s};
    w.is_read = locals_read(c->callees, id);
    w.has_texts = has_texts(c->callees, id);
    c->section.what = f->name.s;
    text_put(out, "\n");
    text_comment(out, f->key.s);
    text_printf(out, "\nint %s(%s)\n{\n", function_use(c->callees, id), parameters(f));
    text_printf(out, "    double v[%u] = {0};\n    int status = 0;\n    (void)status;\n",
                b->local.n + 1);
    text_put(out, "    (void)ctx;\n    (void)in;\n    (void)out;\n");
    find_arrays(&w, f);
    if (w.n_arrays)
        text_printf(out, "    RungArray a[%u] = {{0}};\n", w.n_arrays);
    if (has_arrays(f))
        text_put(out, "    (void)array;\n");
    /* runtime/kernel/rung_model.h: a function with side effects is called once per event
     * iteration */
    const char *recall = arena_printf(c->mem, "%uu, in, %uu, out, %uu", f->n_in, f->n_out, id.i);
    if (f->is_guarded) {
        text_put(out, "    if (in[0] != 0.0 && ctx->recall &&\n        ");
        text_printf(out, "ctx->recall(ctx, 0, %s))\n        return 0;\n", recall);
    }
    // the numbers of texts may name others now
    if (b->external && b->external->is_constructor && !w.has_texts) {
        text_printf(out, "    if (rung_object_stays(ctx, %uu, in)) {\n", f->n_in);
        text_put(out, "        out[0] = in[0];\n        return 0;\n    }\n");
    }
    w.is_recursive = is_recursive(c->g->sys, id);
    if (w.is_recursive) {
        text_printf(out,
                    "    const uint32_t depth = ctx->depth;\n    if (depth >= %d)\n"
                    "        return rung_fail(ctx, ",
                    MOST_CALLS);
        text_string(out, arena_printf(c->mem, "calls of '%s' are nested more than %d deep",
                                      f->name.s, MOST_CALLS));
        text_put(out, ", ");
        put_where(&w, f->span);
        text_put(out, ");\n    ctx->depth = depth + 1;\n");
    }
    if (w.has_texts)
        text_put(out, "    const uint32_t texts = rung_texts_mark(ctx);\n");
    put_transfer(&w, f->n_in, b->input, true);
    put_list(&w, &b->list);
    if (b->external)
        put_external(&w, b->external, f->n_in,
                     f->span.file ? diags_where(c->g->sys->diags, f->span) : "");
    if (has_return(&b->list))
        text_put(out, "done:\n");
    put_transfer(&w, f->n_out, b->output, false);
    put_array_results(&w, f);
    if (w.has_texts) {
        put_text_results(f, out);
        text_printf(out,
                    "    if (rung_texts_full(ctx))\n"
                    "        return %srung_fail(ctx, \"out of memory\", \"\");\n",
                    w.is_recursive ? "ctx->depth = depth, " : "");
    }
    if (f->is_guarded) {
        text_printf(out, "    if (in[0] != 0.0 && ctx->recall)\n        ctx->recall(ctx, 1, %s);\n",
                    recall);
    }
    text_printf(out, "    return %s0;\n}\n", w.is_recursive ? "ctx->depth = depth, " : "");
}

static void put_once(Text *out, Map *known, const Text *text, Names *names)
{
    uint64_t key = map_key_ptr(name_of_n(names, text->at, text->n).s);
    if (map_get(known, key) == MAP_NONE)
        text_put_n(out, text->at, text->n);
    map_put(known, key, 0);
}

static bool is_declared(const Text *texts, const char *function)
{
    return texts->at && text_has_word(texts->at, function);
}

/* Declarations for external functions: their Include annotations first, then prototypes of the
 * functions that these texts do not mention. */
static void put_includes(Coder *c, Text *out)
{
    Map known = map_new(c->mem);
    Names *names = c->g->sys->names;
    Text texts = text_new(c->mem);
    for (int round = 0; round < 2; round++)
        for (uint32_t k = 0; k < c->callees->used.n; k++) {
            const External *x = c->g->sys->function->at[c->callees->used.at[k].i].body->external;
            const char *const include[] = {x ? x->include : NULL, x ? x->destructor_include : NULL};
            for (int i = 0; i < 2 && round == 0; i++) {
                Text text = text_new(c->mem);
                if (include[i])
                    text_printf(&text, "%s\n", include[i]);
                if (include[i])
                    put_once(&texts, &known, &text, names);
            }
            if (!x || round == 0)
                continue;
            if (!x->include && !is_declared(&texts, x->function))
                put_declaration(x, &texts);
            if (x->destructor && !is_declared(&texts, x->destructor))
                text_printf(&texts, "void %s(void *object);\n", x->destructor);
        }
    text_put_n(out, texts.at ? texts.at : "", texts.n);
}

void function_definitions(Coder *c, Text *plain, Text *external)
{
    Text bodies = text_new(c->mem);
    /* the list grows by the functions that they call */
    for (uint32_t k = 0; k < c->callees->used.n && !c->failed; k++) {
        FuncId f = c->callees->used.at[k];
        bool outside = c->g->sys->function->at[f.i].body->external;
        put_function(c, f, outside ? &bodies : plain);
    }
    put_includes(c, external);
    text_put_n(external, bodies.at ? bodies.at : "", bodies.n);
}

uint32_t function_externals(const FunctionUse *u, Arena *mem, const External ***out)
{
    uint32_t n = 0;
    *out = arena_array(mem, const External *, u->used.n + 1);
    for (uint32_t k = 0; k < u->used.n; k++) {
        const External *x = u->sys->function->at[u->used.at[k].i].body->external;
        if (x)
            (*out)[n++] = x;
    }
    return n;
}
