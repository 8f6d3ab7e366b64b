#include "ir/body.h"

const Body *function_body(const System *s, FuncId f)
{
    return s->function.at[f.i].body;
}

static BaseType type_of(const BaseType *types, uint32_t k)
{
    return types ? types[k] : TYPE_REAL;
}

static uint32_t new_local(System *s, Body *b, const char *name, BaseType type)
{
    vec_push(s->mem, b->local, ((BodyLocal){name_of(s->names, name), type}));
    return b->local.n - 1;
}

FuncId function_guarded(System *s, FuncId id)
{
    const Function f = s->function.at[id.i];
    if (f.has_guarded)
        return f.guarded;
    ExprPool *p = s->pool;
    Body *b = arena_make(s->mem, Body);
    BaseType *in = arena_array(s->mem, BaseType, f.n_in + 1);
    ExprId *arg = arena_array(s->mem, ExprId, f.n_in + 1);
    in[0] = TYPE_BOOLEAN;
    ExprId guard = expr_local(p, new_local(s, b, "guard", TYPE_BOOLEAN));
    b->input = arena_array(s->mem, uint32_t, f.n_in + 1);
    for (uint32_t k = 0; k < f.n_in; k++) {
        in[k + 1] = type_of(f.in_type, k);
        b->input[k + 1] = k + 1;
        arg[k] = expr_local(p, new_local(s, b, arena_printf(s->mem, "u%u", k + 1), in[k + 1]));
    }
    Statement *call = arena_make(s->mem, Statement);
    ExprId *value = arena_array(s->mem, ExprId, f.n_out + 1);
    uint32_t *to = arena_array(s->mem, uint32_t, f.n_out + 1);
    ExprId run = expr_call(p, id, f.n_in, arg);
    for (uint32_t k = 0; k < f.n_out; k++) {
        to[k] = new_local(s, b, arena_printf(s->mem, "y%u", k + 1), type_of(f.out_type, k));
        value[k] = expr_proj(p, run, k);
    }
    *call = (Statement){
        .kind = STATEMENT_ASSIGN, .n = f.n_out, .to = to, .value = value, .span = f.span};
    if (f.n_out == 0) {
        value[0] = run;
        call->kind = STATEMENT_RUN;
        call->n = 1;
    }
    Statement *branch = arena_make(s->mem, Statement);
    *branch = (Statement){.kind = STATEMENT_IF, .cond = guard, .span = f.span};
    vec_push(s->mem, branch->body, call);
    vec_push(s->mem, b->list, branch);
    b->output = to;
    FuncId g = system_add_function(s, (Function){.name = f.name,
                                                 .n_in = f.n_in + 1,
                                                 .n_out = f.n_out,
                                                 .inlining = INLINE_NEVER,
                                                 .span = f.span,
                                                 .body = b,
                                                 .in_type = in,
                                                 .out_type = f.out_type});
    s->function.at[id.i].has_guarded = true;
    s->function.at[id.i].guarded = g;
    return g;
}

FuncId function_element(System *s, uint32_t n)
{
    Name name = name_of(s->names, "element");
    for (uint32_t k = 0; k < s->function.n; k++) {
        const Function *f = &s->function.at[k];
        if (f->intrinsic == INTRINSIC_ELEMENT && f->n_in == n + 1)
            return (FuncId){k};
    }
    BaseType *in = arena_array(s->mem, BaseType, n + 1);
    in[0] = TYPE_INTEGER;
    for (uint32_t k = 0; k < n; k++)
        in[k + 1] = TYPE_REAL;
    return system_add_function(s, (Function){.name = name,
                                             .n_in = n + 1,
                                             .n_out = 1,
                                             .inlining = INLINE_NEVER,
                                             .span = SPAN_NONE,
                                             .intrinsic = INTRINSIC_ELEMENT,
                                             .in_type = in});
}

static FuncId intrinsic(System *s, Intrinsic what, const char *name, BaseType first)
{
    for (uint32_t k = 0; k < s->function.n; k++)
        if (s->function.at[k].intrinsic == what)
            return (FuncId){k};
    BaseType *type = arena_array(s->mem, BaseType, 3);
    type[0] = first;
    type[1] = type[2] = TYPE_STRING;
    return system_add_function(s, (Function){.name = name_of(s->names, name),
                                             .n_in = 2,
                                             .n_out = 1,
                                             .inlining = INLINE_NEVER,
                                             .span = SPAN_NONE,
                                             .intrinsic = what,
                                             .in_type = type,
                                             .out_type = type + 2});
}

ExprId expr_text_of_number(System *s, ExprId number, const char *format)
{
    ExprId arg[2] = {number, expr_string(s->pool, name_of(s->names, format))};
    FuncId f = intrinsic(s, INTRINSIC_TEXT, "String", TYPE_REAL);
    return expr_proj(s->pool, expr_call(s->pool, f, 2, arg), 0);
}

ExprId expr_join(System *s, ExprId a, ExprId b)
{
    ExprId arg[2] = {a, b};
    FuncId f = intrinsic(s, INTRINSIC_JOIN, "+", TYPE_STRING);
    return expr_proj(s->pool, expr_call(s->pool, f, 2, arg), 0);
}

ExprId expr_delay(System *s, ExprId x, ExprId by)
{
    ExprId arg[2] = {x, by};
    FuncId f = FUNC_NONE;
    for (uint32_t k = 0; k < s->function.n; k++)
        if (s->function.at[k].intrinsic == INTRINSIC_DELAY)
            f = (FuncId){k};
    if (f.i == FUNC_NONE.i)
        f = system_add_function(s, (Function){.name = name_of(s->names, "delay"),
                                              .n_in = 2,
                                              .n_out = 1,
                                              .inlining = INLINE_NEVER,
                                              .span = SPAN_NONE,
                                              .intrinsic = INTRINSIC_DELAY});
    return expr_proj(s->pool, expr_call(s->pool, f, 2, arg), 0);
}

/* ---- as text ---- */

static const char *const types[] = {"Real",    "Integer", "Boolean",       "String",
                                    "Integer", "Clock",   "ExternalObject"};

static void print_list(const System *s, const StatementList *list, int depth, Arena *mem,
                       FILE *out);

static void print_statement(const System *s, const Statement *st, int depth, Arena *mem, FILE *out)
{
    switch (st->kind) {
    case STATEMENT_ASSIGN:
        fprintf(out, "%*s", depth, "");
        for (uint32_t k = 0; k < st->n; k++)
            fprintf(out, "%s%s", k ? ", " : "", expr_text(s, expr_local(s->pool, st->to[k]), mem));
        for (uint32_t k = 0; k < st->n; k++)
            fprintf(out, "%s%s", k ? ", " : " := ", expr_text(s, st->value[k], mem));
        fputs(";\n", out);
        return;
    case STATEMENT_IF:
        fprintf(out, "%*sif %s then\n", depth, "", expr_text(s, st->cond, mem));
        print_list(s, &st->body, depth + 2, mem, out);
        if (st->otherwise.n > 0)
            fprintf(out, "%*selse\n", depth, "");
        print_list(s, &st->otherwise, depth + 2, mem, out);
        fprintf(out, "%*send if;\n", depth, "");
        return;
    case STATEMENT_LOOP:
        fprintf(out, "%*swhile %s loop\n", depth, "", expr_text(s, st->cond, mem));
        print_list(s, &st->body, depth + 2, mem, out);
        fprintf(out, "%*send while;\n", depth, "");
        return;
    case STATEMENT_BLOCK:
        fprintf(out, "%*sfor once in 1:1 loop\n", depth, "");
        print_list(s, &st->body, depth + 2, mem, out);
        fprintf(out, "%*send for;\n", depth, "");
        return;
    case STATEMENT_BREAK:
        fprintf(out, "%*sbreak;\n", depth, "");
        return;
    case STATEMENT_RETURN:
        fprintf(out, "%*sreturn;\n", depth, "");
        return;
    case STATEMENT_ASSERT:
        fprintf(out, "%*sassert(%s, %s%s);\n", depth, "", expr_text(s, st->cond, mem),
                expr_text(s, st->message, mem), st->is_warning ? ", AssertionLevel.warning" : "");
        return;
    case STATEMENT_RUN:
        fprintf(out, "%*s%s;\n", depth, "", expr_text(s, st->value[0], mem));
        return;
    }
}

static void print_list(const System *s, const StatementList *list, int depth, Arena *mem, FILE *out)
{
    for (uint32_t k = 0; k < list->n; k++) {
        ArenaMark m = arena_mark(mem);
        print_statement(s, list->at[k], depth, mem, out);
        arena_rollback(mem, m);
    }
}

void body_print(const System *s, const Function *f, FILE *out)
{
    const Body *b = f->body;
    Arena *mem = arena_new();
    fprintf(out, "  function '%s'\n", f->key.s);
    for (uint32_t k = 0; k < b->local.n; k++) {
        bool is_input = false;
        for (uint32_t i = 0; i < f->n_in; i++)
            is_input = is_input || b->input[i] == k;
        fprintf(out, "    %s%s %s; // %s\n", is_input ? "input " : "protected ",
                types[b->local.at[k].type], expr_text(s, expr_local(s->pool, k), mem),
                b->local.at[k].name.s);
    }
    fprintf(out, "    output Real[%u] y;\n  algorithm\n", f->n_out);
    print_list(s, &b->list, 4, mem, out);
    if (b->external)
        fprintf(out, "    // external \"C\" %s\n", b->external->function);
    for (uint32_t k = 0; k < f->n_out; k++)
        fprintf(out, "    y[%u] := %s;\n", k + 1,
                expr_text(s, expr_local(s->pool, b->output[k]), mem));
    fprintf(out, "  end '%s';\n", f->key.s);
    arena_free(mem);
}
