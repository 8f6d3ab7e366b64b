#include "ir/body.h"

#include "base/bug.h"

#include <string.h>

static BaseType type_of(const BaseType *types, uint32_t k)
{
    return types ? types[k] : TYPE_REAL;
}

static uint32_t new_local(System *s, Body *b, const char *name, BaseType type)
{
    vec_push(s->mem, b->local, ((BodyLocal){name_of(s->names, name), type, 0}));
    return b->local.n - 1;
}

FuncId function_guarded(System *s, FuncId id)
{
    const Function f = s->function->at[id.i];
    if (f.has_guarded)
        return f.guarded;
    FuncId g = function_guarded_anew(s, id);
    s->function->at[id.i].has_guarded = true;
    s->function->at[id.i].guarded = g;
    return g;
}

/* f under its first input; before the inputs of f there are `more` others. */
static Function guarded(System *s, FuncId id, uint32_t more)
{
    const Function f = s->function->at[id.i];
    const uint32_t own = 1 + more;
    ExprPool *p = s->pool;
    Body *b = arena_make(s->mem, Body);
    BaseType *in = arena_array(s->mem, BaseType, f.n_in + own);
    ExprId *arg = arena_array(s->mem, ExprId, f.n_in + 1);
    in[0] = TYPE_BOOLEAN;
    ExprId guard = expr_local(p, new_local(s, b, "guard", TYPE_BOOLEAN));
    b->input = arena_array(s->mem, uint32_t, f.n_in + own);
    for (uint32_t k = 1; k < own; k++) {
        in[k] = TYPE_INTEGER;
        b->input[k] = new_local(s, b, "after", TYPE_INTEGER);
    }
    for (uint32_t k = 0; k < f.n_in; k++) {
        in[k + own] = type_of(f.in_type, k);
        b->input[k + own] =
            new_local(s, b, arena_printf(s->mem, "u%u", k + 1), type_of(f.in_type, k));
        arg[k] = expr_local(p, b->input[k + own]);
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
    return (Function){.name = f.name,
                      .n_in = f.n_in + own,
                      .n_out = f.n_out,
                      .inlining = INLINE_NEVER,
                      .is_guarded = true,
                      .span = f.span,
                      .body = b,
                      .in_type = in,
                      .out_type = f.out_type};
}

FuncId function_guarded_anew(System *s, FuncId id)
{
    return system_add_function(s, guarded(s, id, 0));
}

FuncId function_effect(System *s, FuncId id)
{
    static const BaseType integer[] = {TYPE_INTEGER};
    Function g = guarded(s, id, 1);
    Body *b = (Body *)g.body;
    Statement *done = arena_make(s->mem, Statement);
    uint32_t *to = arena_make(s->mem, uint32_t);
    ExprId *one = arena_make(s->mem, ExprId);
    *to = new_local(s, b, "done", TYPE_INTEGER);
    *one = expr_int(s->pool, 1);
    *done = (Statement){.kind = STATEMENT_ASSIGN, .n = 1, .to = to, .value = one, .span = g.span};
    vec_push(s->mem, b->list, done);
    b->output = to;
    g.n_out = 1;
    g.out_type = integer;
    return system_add_function(s, g);
}

/* ---- functions of the compiler's own ---- */

/* One for each number of inputs. */
static FuncId intrinsic(System *s, Intrinsic what, uint32_t n_in)
{
    static const struct {
        const char *name;
        BaseType first, rest, out;
    } all[] = {
        [INTRINSIC_ELEMENT] = {"element", TYPE_INTEGER, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_ARRAY_ELEMENT] = {"element", TYPE_REAL, TYPE_INTEGER, TYPE_REAL},
        [INTRINSIC_ARRAY_SIZE] = {"size", TYPE_REAL, TYPE_INTEGER, TYPE_INTEGER},
        [INTRINSIC_PARTICLE] = {"particle", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_DELAY] = {"delay", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_HOMOTOPY] = {"homotopy", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_TEXT] = {"String", TYPE_REAL, TYPE_STRING, TYPE_STRING},
        [INTRINSIC_JOIN] = {"+", TYPE_STRING, TYPE_STRING, TYPE_STRING},
        [INTRINSIC_COMPARE] = {"compare", TYPE_STRING, TYPE_STRING, TYPE_INTEGER},
        [INTRINSIC_BEFORE] = {"before", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_CLOCK_RATIONAL] = {"Clock", TYPE_INTEGER, TYPE_INTEGER, TYPE_CLOCK},
        [INTRINSIC_CLOCK_INTERVAL] = {"Clock", TYPE_REAL, TYPE_REAL, TYPE_CLOCK},
        [INTRINSIC_CLOCK_EVENT] = {"Clock", TYPE_BOOLEAN, TYPE_REAL, TYPE_CLOCK},
        [INTRINSIC_CLOCK_SOLVER] = {"Clock", TYPE_CLOCK, TYPE_STRING, TYPE_CLOCK},
        [INTRINSIC_CLOCK_INFERRED] = {"Clock", TYPE_REAL, TYPE_REAL, TYPE_CLOCK},
        [INTRINSIC_SAMPLE] = {"sample", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_HOLD] = {"hold", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_PREVIOUS] = {"previous", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_NO_CLOCK] = {"noClock", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_SUB_SAMPLE] = {"subSample", TYPE_REAL, TYPE_INTEGER, TYPE_REAL},
        [INTRINSIC_SUPER_SAMPLE] = {"superSample", TYPE_REAL, TYPE_INTEGER, TYPE_REAL},
        [INTRINSIC_SHIFT_SAMPLE] = {"shiftSample", TYPE_REAL, TYPE_INTEGER, TYPE_REAL},
        [INTRINSIC_BACK_SAMPLE] = {"backSample", TYPE_REAL, TYPE_INTEGER, TYPE_REAL},
        [INTRINSIC_INTERVAL] = {"interval", TYPE_REAL, TYPE_REAL, TYPE_REAL},
        [INTRINSIC_FIRST_TICK] = {"firstTick", TYPE_REAL, TYPE_REAL, TYPE_BOOLEAN},
    };
    uint64_t key = map_key_pair((uint32_t)what, n_in);
    uint32_t known = map_get(&s->function->intrinsic, key);
    if (known != MAP_NONE)
        return (FuncId){known};
    BaseType *in = arena_array(s->mem, BaseType, n_in);
    for (uint32_t k = 0; k < n_in; k++)
        in[k] = k == 0 ? all[what].first : all[what].rest;
    FuncId f = system_add_function(s, (Function){.name = name_of(s->names, all[what].name),
                                                 .n_in = n_in,
                                                 .n_out = 1,
                                                 .inlining = INLINE_NEVER,
                                                 .span = SPAN_NONE,
                                                 .intrinsic = what,
                                                 .in_type = in,
                                                 .out_type = &all[what].out});
    map_put(&s->function->intrinsic, key, f.i);
    return f;
}

static ExprId call_intrinsic(System *s, Intrinsic what, ExprId a, ExprId b)
{
    ExprId arg[2] = {a, b};
    return expr_proj(s->pool, expr_call(s->pool, intrinsic(s, what, 2), 2, arg), 0);
}

FuncId function_element(System *s, uint32_t n)
{
    return intrinsic(s, INTRINSIC_ELEMENT, n + 1);
}

ExprId expr_array_element(System *s, ExprId array, uint32_t n, const ExprId *index)
{
    ExprId arg[1 + MOST_RANK];
    arg[0] = array;
    memcpy(arg + 1, index, n * sizeof *arg);
    FuncId element = intrinsic(s, INTRINSIC_ARRAY_ELEMENT, n + 1);
    return expr_proj(s->pool, expr_call(s->pool, element, n + 1, arg), 0);
}

ExprId expr_array_size(System *s, ExprId array, uint32_t d)
{
    return call_intrinsic(s, INTRINSIC_ARRAY_SIZE, array, expr_int(s->pool, d));
}

static uint32_t count_arrays(uint32_t n, const uint8_t *rank)
{
    uint32_t arrays = 0;
    for (uint32_t k = 0; rank && k < n; k++)
        arrays += rank[k] > 0;
    return arrays;
}

uint32_t function_arrays_in(const Function *f)
{
    return count_arrays(f->n_in, f->in_rank);
}

uint32_t function_arrays_out(const Function *f)
{
    return count_arrays(f->n_out, f->out_rank);
}

ExprId expr_text_of_number(System *s, ExprId number, const char *format)
{
    return call_intrinsic(s, INTRINSIC_TEXT, number,
                          expr_string(s->pool, name_of(s->names, format)));
}

ExprId expr_join(System *s, ExprId a, ExprId b)
{
    return call_intrinsic(s, INTRINSIC_JOIN, a, b);
}

ExprId expr_compare_texts(System *s, ExprId a, ExprId b)
{
    return call_intrinsic(s, INTRINSIC_COMPARE, a, b);
}

ExprId expr_of_clock(System *s, Intrinsic what, uint32_t n, const ExprId *input)
{
    enum { MOST = 4 };
    ExprId arg[MOST];
    if (n >= MOST)
        bug("%u inputs of an operator on clocks", n);
    memcpy(arg, input, n * sizeof *arg);
    arg[n] = expr_time(s->pool);
    return expr_proj(s->pool, expr_call(s->pool, intrinsic(s, what, n + 1), n + 1, arg), 0);
}

ExprId expr_delay(System *s, ExprId x, ExprId by, ExprId most)
{
    if (!expr_exists(most))
        return call_intrinsic(s, INTRINSIC_DELAY, x, by);
    ExprId arg[3] = {x, by, most};
    return expr_proj(s->pool, expr_call(s->pool, intrinsic(s, INTRINSIC_DELAY, 3), 3, arg), 0);
}

ExprId expr_particle(System *s, ExprId x, bool end, ParticleProperty property)
{
    ExprId arg[3] = {x, expr_int(s->pool, end), expr_int(s->pool, property)};
    return expr_proj(s->pool, expr_call(s->pool, intrinsic(s, INTRINSIC_PARTICLE, 3), 3, arg), 0);
}

ExprId expr_homotopy(System *s, ExprId actual, ExprId simplified)
{
    return call_intrinsic(s, INTRINSIC_HOMOTOPY, actual, simplified);
}

/* ---- arguments of external functions ---- */

uint32_t external_leaves(const ExternalArg *a, Arena *mem, const ExternalArg ***out)
{
    VEC(const ExternalArg *) stack = {0}, leaf = {0};
    vec_push(mem, stack, a);
    while (stack.n) {
        const ExternalArg *x = stack.at[--stack.n];
        for (uint32_t k = x->n_fields; k-- > 0;)
            vec_push(mem, stack, &x->field[k]);
        if (x->kind != EXTERNAL_RECORD)
            vec_push(mem, leaf, x);
    }
    *out = leaf.at;
    return leaf.n;
}

/* ---- as text ---- */

static void print_list(const System *s, const StatementList *list, int depth, Arena *mem,
                       FILE *out);

static const char *local_text(const System *s, uint32_t local, Arena *mem)
{
    return expr_text(s, expr_local(s->pool, local), mem);
}

/* a[i, j] := x; (u, v) := f(a); */
static void print_array_statement(const System *s, const Statement *st, int depth, Arena *mem,
                                  FILE *out)
{
    fprintf(out, "%*s%s", depth, "", st->kind == STATEMENT_CALL ? "(" : "");
    for (uint32_t k = 0; st->kind == STATEMENT_CALL && k < st->n; k++)
        fprintf(out, "%s%s", k ? ", " : "", local_text(s, st->to[k], mem));
    if (st->kind == STATEMENT_CALL) {
        fprintf(out, ") := %s;\n", expr_text(s, st->value[0], mem));
        return;
    }
    fputs(local_text(s, st->to[0], mem), out);
    if (st->kind == STATEMENT_MOVE) {
        fprintf(out, " := %s;\n", local_text(s, st->to[1], mem));
        return;
    }
    bool is_put = st->kind == STATEMENT_PUT;
    for (uint32_t k = is_put; k < st->n; k++)
        fprintf(out, "%s%s", k == is_put ? is_put ? "[" : " := zeros(" : ", ",
                expr_text(s, st->value[k], mem));
    fprintf(out, is_put ? "] := %s;\n" : ");\n", is_put ? expr_text(s, st->value[0], mem) : "");
}

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
    case STATEMENT_RESIZE:
    case STATEMENT_PUT:
    case STATEMENT_MOVE:
    case STATEMENT_CALL:
        print_array_statement(s, st, depth, mem, out);
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

/* [:, :] */
static const char *rank_text(uint32_t rank, Arena *mem)
{
    const char *text = "";
    for (uint32_t d = 0; d < rank; d++)
        text = arena_printf(mem, "%s%s:", text, d ? ", " : "[");
    return rank ? arena_printf(mem, "%s]", text) : "";
}

void body_print(const System *s, const Function *f, FILE *out)
{
    const Body *b = f->body;
    Arena *mem = arena_new();
    fprintf(out, "  function '%s'\n", f->key.s);
    bool *is_input = arena_array(mem, bool, b->local.n);
    for (uint32_t k = 0; k < f->n_in; k++)
        is_input[b->input[k]] = true;
    for (uint32_t k = 0; k < b->local.n; k++)
        fprintf(out, "    %s%s %s%s; // %s\n", is_input[k] ? "input " : "protected ",
                base_type_name(b->local.at[k].type), expr_text(s, expr_local(s->pool, k), mem),
                rank_text(b->local.at[k].rank, mem), b->local.at[k].name.s);
    fprintf(out, "    output Real[%u] y;\n  algorithm\n", f->n_out);
    print_list(s, &b->list, 4, mem, out);
    if (b->external)
        fprintf(out, "    // external \"%s\" %s\n", b->external->is_fortran ? "FORTRAN 77" : "C",
                b->external->function);
    for (uint32_t k = 0; k < f->n_out; k++)
        fprintf(out, "    y[%u] := %s;\n", k + 1,
                expr_text(s, expr_local(s->pool, b->output[k]), mem));
    fprintf(out, "  end '%s';\n", f->key.s);
    arena_free(mem);
}
