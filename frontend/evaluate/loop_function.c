/* Loops of algorithm sections whose rounds depend on variables (MLS 11.2.2, 11.2.3): the loop is
 * written down as the body of a function, and its call gives the values that the loop assigns:
 *
 *     y := 1; while abs(y*y - x) > eps loop y := (y + x/y)/2; end while;
 *     =>   y := loop(1, x, eps)
 *
 * Inputs are the values that the assigned variables have before the loop, and those of the model
 * that it reads. So relations in it make no events.
 */
#include "base/hash.h"
#include "base/text.h"
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function.h"
#include "frontend/evaluate/function_call.h"
#include "frontend/instantiate/instance.h"

#include <string.h>

typedef struct LoopInput {
    uint32_t local;
    ExprId value; /* of the section */
} LoopInput;

/* The elements of an array whose subscript varies, in locals one behind the other. */
typedef struct LoopTable {
    uint32_t n;
    const ExprId *element;
    uint32_t local; /* the first */
} LoopTable;

typedef struct LoopFunction {
    Frame *fr;
    Body *body;
    Span span;
    VEC(LoopInput) input;
    VEC(ExprId *) output; /* elements of variables of the section */
    Map before;           /* a value that a variable had before the loop -> its type */
    Map made;             /* node of the section -> the node over locals */
    Map table_of;         /* hash of the elements -> one in table */
    VEC(LoopTable) table;
    bool failed;
} LoopFunction;

static ExprPool *pool_of(const LoopFunction *l)
{
    return l->fr->f->sys->pool;
}

/* ---- Expressions over the locals ------------------------------------------------------- */

static uint32_t input_local(LoopFunction *l, Name name, BaseType type, ExprId value)
{
    Front *f = l->fr->f;
    uint32_t local = l->body->local.n;
    vec_push(f->mem, l->body->local, ((BodyLocal){.name = name, .type = type}));
    vec_push(f->scratch, l->input, ((LoopInput){local, value}));
    return local;
}

/* An operator of the model, as delay(); not an operation on its arguments alone. */
static bool is_of_model(const Function *fn)
{
    return fn->intrinsic != INTRINSIC_NONE && fn->intrinsic != INTRINSIC_ELEMENT &&
           fn->intrinsic != INTRINSIC_HOMOTOPY && !intrinsic_is_text(fn->intrinsic);
}

/* Is the value of x known before the loop and constant in it? Then it can be an input. */
static bool is_outside(const LoopFunction *l, ExprId x, BaseType *type)
{
    System *s = l->fr->f->sys;
    const ExprPool *p = s->pool;
    *type = TYPE_REAL;
    switch (expr_op(p, x)) {
    case OP_VAR:
        *type = var_at(s, expr_var_of(p, x))->type;
        return true;
    case OP_PRE:
        *type = TYPE_BOOLEAN; /* of a relation, or of a variable: */
        if (expr_op(p, expr_arg(p, x, 0)) == OP_VAR)
            *type = var_at(s, expr_var_of(p, expr_arg(p, x, 0)))->type;
        return true;
    case OP_INITIAL:
        *type = TYPE_BOOLEAN;
        return true;
    case OP_TIME:
    case OP_DER:
        return true;
    case OP_PROJ: {
        const Function *fn = &s->function->at[expr_func_of(p, expr_arg(p, x, 0)).i];
        if (is_of_model(fn)) {
            *type = fn->out_type ? fn->out_type[expr_proj_of(p, x)] : TYPE_REAL;
            return true;
        }
        break;
    }
    default:
        break;
    }
    uint32_t known = map_get(&l->before, x.i);
    if (known == MAP_NONE)
        return false;
    *type = (BaseType)known;
    return true;
}

static bool has_local(const ExprPool *p, Arena *scratch, ExprId root)
{
    VEC(ExprId) stack = {0};
    Map seen = map_new(scratch);
    vec_push(scratch, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (!map_add(&seen, x.i))
            continue;
        if (expr_op(p, x) == OP_LOCAL)
            return true;
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(scratch, stack, expr_arg(p, x, k));
    }
    return false;
}

/* der(x), pre(x), delay(x, T) of a value that the loop changes has no meaning. */
static bool is_fixed_in_loop(LoopFunction *l, ExprId x)
{
    Front *f = l->fr->f;
    Op op = expr_op(pool_of(l), x);
    if (op != OP_PRE && op != OP_DER && op != OP_PROJ)
        return true;
    ArenaMark mark = arena_mark(f->scratch);
    bool changes = has_local(pool_of(l), f->scratch, x);
    arena_rollback(f->scratch, mark);
    if (changes && !l->failed)
        diag_error(f->diags, l->span, "F31",
                   "der(), pre() and operators on time are not defined for a variable that this "
                   "loop assigns: its rounds depend on variables");
    l->failed = l->failed || changes;
    return !changes;
}

static ExprId as_input(LoopFunction *l, ExprId x, BaseType type)
{
    Front *f = l->fr->f;
    if (!is_fixed_in_loop(l, x))
        return x;
    bool is_variable = expr_op(pool_of(l), x) == OP_VAR;
    Name name =
        is_variable ? var_at(f->sys, expr_var_of(pool_of(l), x))->name : name_of(f->names, "value");
    return expr_local(pool_of(l), input_local(l, name, type, x));
}

/* A table: all elements are inputs or numbers. */
static bool is_table(const LoopFunction *l, ExprId call)
{
    enum { MANY = 8 };
    const ExprPool *p = pool_of(l);
    if (expr_op(p, call) != OP_CALL || expr_n_args(p, call) <= MANY ||
        l->fr->f->sys->function->at[expr_func_of(p, call).i].intrinsic != INTRINSIC_ELEMENT)
        return false;
    BaseType type;
    for (uint32_t k = 1; k < expr_n_args(p, call); k++)
        if (!expr_is_num(p, expr_arg(p, call, k)) && !is_outside(l, expr_arg(p, call, k), &type))
            return false;
    return true;
}

/* The first local of the elements of the call. */
static uint32_t table_local(LoopFunction *l, ExprId call)
{
    Front *f = l->fr->f;
    const ExprPool *p = pool_of(l);
    uint32_t n = expr_n_args(p, call) - 1;
    ExprId *element = arena_array(f->scratch, ExprId, n);
    uint64_t key = n;
    for (uint32_t k = 0; k < n; k++) {
        element[k] = expr_arg(p, call, k + 1);
        key = hash_pair(key, element[k].i);
    }
    uint32_t known = map_get(&l->table_of, key);
    if (known != MAP_NONE && l->table.at[known].n == n &&
        memcmp(l->table.at[known].element, element, n * sizeof *element) == 0)
        return l->table.at[known].local;
    LoopTable t = {n, element, l->body->local.n};
    for (uint32_t k = 0; k < n; k++) {
        BaseType type = TYPE_REAL;
        is_outside(l, element[k], &type);
        input_local(l, name_printf(f->names, "table[%u]", k + 1), type, element[k]);
    }
    map_put(&l->table_of, key, l->table.n);
    vec_push(f->scratch, l->table, t);
    return t.local;
}

/* The node over locals of x, whose operands have theirs. */
static ExprId made_node(LoopFunction *l, ExprId x)
{
    ExprPool *p = pool_of(l);
    uint32_t n = expr_n_args(p, x);
    ExprId *arg = arena_array(l->fr->f->scratch, ExprId, n + 1);
    bool table = is_table(l, x);
    uint32_t first = table ? table_local(l, x) : 0;
    for (uint32_t k = 0; k < n; k++)
        arg[k] = table && k > 0 ? expr_local(p, first + k - 1)
                                : (ExprId){map_get(&l->made, expr_arg(p, x, k).i)};
    return n ? expr_rebuild(p, x, arg) : x;
}

static ExprId over_locals(LoopFunction *l, ExprId root)
{
    Front *f = l->fr->f;
    const ExprPool *p = pool_of(l);
    VEC(ExprId) stack = {0};
    vec_push(f->scratch, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack);
        BaseType type;
        if (map_get(&l->made, x.i) != MAP_NONE) {
            stack.n--;
            continue;
        }
        if (is_outside(l, x, &type)) {
            map_put(&l->made, x.i, as_input(l, x, type).i);
            continue;
        }
        uint32_t open = stack.n;
        uint32_t n = is_table(l, x) ? 1 : expr_n_args(p, x);
        for (uint32_t k = 0; k < n; k++)
            if (map_get(&l->made, expr_arg(p, x, k).i) == MAP_NONE)
                vec_push(f->scratch, stack, expr_arg(p, x, k));
        if (stack.n == open)
            map_put(&l->made, x.i, made_node(l, x).i);
    }
    return (ExprId){map_get(&l->made, root.i)};
}

static void put_over_locals(LoopFunction *l, const StatementList *list)
{
    Arena *mem = l->fr->f->mem;
    for (uint32_t k = 0; k < list->n; k++) {
        Statement *st = list->at[k];
        bool has_cond =
            st->kind == STATEMENT_IF || st->kind == STATEMENT_LOOP || st->kind == STATEMENT_ASSERT;
        if (has_cond)
            st->cond = over_locals(l, st->cond);
        if (st->kind == STATEMENT_ASSERT)
            st->message = over_locals(l, st->message);
        ExprId *value = arena_array(mem, ExprId, st->n + 1);
        for (uint32_t i = 0; i < st->n; i++)
            value[i] = over_locals(l, st->value[i]);
        st->value = value;
        put_over_locals(l, &st->body);
        put_over_locals(l, &st->otherwise);
    }
}

/* ---- The function ---------------------------------------------------------------------- */

/* The elements that the loop assigned, with the values before it as inputs. The frame goes back to
 * its state before the loop. */
static void collect_assigned(LoopFunction *l, struct Emission *e, uint32_t mark)
{
    Frame *fr = l->fr;
    Front *f = fr->f;
    Map known = map_new(f->scratch);
    for (uint32_t k = mark; k < fr->write.n; k++) {
        const Write *w = &fr->write.at[k];
        if (!w->whole && emission_local_at(e, w->at) != MAP_NONE &&
            map_add(&known, map_key_ptr(w->at)))
            vec_push(f->scratch, l->output, w->at);
    }
    take_back(fr, mark);
    for (uint32_t k = 0; k < l->output.n; k++)
        vec_push(f->scratch, l->input,
                 ((LoopInput){emission_local_at(e, l->output.at[k]), *l->output.at[k]}));
}

static void note_values(LoopFunction *l, const Value *v)
{
    const ExprPool *p = pool_of(l);
    for (uint32_t k = 0; k < v->n_fields; k++)
        note_values(l, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        Op op = expr_op(p, v->elem[k]);
        if (op != OP_NUM && op != OP_STRING && op != OP_VAR && op != OP_PRE)
            map_put(&l->before, v->elem[k].i, (uint32_t)v->type);
    }
}

/* For visit_statements: a reference to a variable of the section that the loop reads. */
static bool note_variable(void *self, const SynCref *cref)
{
    LoopFunction *l = self;
    const Frame *fr = l->fr;
    for (uint32_t k = 0; k < fr->n; k++)
        if (name_same(fr->local[k].name, cref->part[0].name))
            note_values(l, &fr->local[k].value);
    return true;
}

static void sign_list(Text *t, const StatementList *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const Statement *st = list->at[k];
        text_printf(t, "%d %u %d", (int)st->kind, st->span.begin, st->is_warning);
        if (st->kind == STATEMENT_IF || st->kind == STATEMENT_LOOP || st->kind == STATEMENT_ASSERT)
            text_printf(t, " ?%u", st->cond.i);
        if (st->kind == STATEMENT_ASSERT)
            text_printf(t, " %u", st->message.i);
        for (uint32_t i = 0; i < st->n; i++)
            text_printf(t, " %u:%u", st->kind == STATEMENT_RUN ? 0 : st->to[i], st->value[i].i);
        text_put(t, "{");
        sign_list(t, &st->body);
        text_put(t, "|");
        sign_list(t, &st->otherwise);
        text_put(t, "}");
    }
}

/* Equal for the loops of all instances of a class that differ in the variables alone. */
static Name signature(const LoopFunction *l)
{
    Front *f = l->fr->f;
    Text t = text_new(f->scratch);
    text_printf(&t, "%u", l->span.file);
    for (uint32_t k = 0; k < l->input.n; k++)
        text_printf(&t, " %u", l->input.at[k].local);
    for (uint32_t k = 0; k < l->body->local.n; k++)
        text_printf(&t, "%d", (int)l->body->local.at[k].type);
    text_printf(&t, "/%u/", l->output.n);
    sign_list(&t, &l->body->list);
    return name_of_n(f->names, t.at, t.n);
}

static const char *class_of(Scope *s)
{
    while (s && !s->cls)
        s = s->outer;
    return s ? s->cls->name : "loop";
}

static FuncId loop_function(LoopFunction *l, Scope *s)
{
    Front *f = l->fr->f;
    Map *known = function_loops(f);
    Name key = signature(l);
    uint32_t id = map_get(known, map_key_ptr(key.s));
    if (id != MAP_NONE)
        return (FuncId){id};
    Body *b = l->body;
    uint32_t n_in = l->input.n, n_out = l->output.n;
    BaseType *in = arena_array(f->mem, BaseType, n_in + 1);
    BaseType *out = arena_array(f->mem, BaseType, n_out + 1);
    b->input = arena_array(f->mem, uint32_t, n_in + 1);
    b->output = arena_array(f->mem, uint32_t, n_out + 1);
    for (uint32_t k = 0; k < n_in; k++) {
        b->input[k] = l->input.at[k].local;
        in[k] = b->local.at[b->input[k]].type;
    }
    for (uint32_t k = 0; k < n_out; k++) { /* the first inputs are the assigned variables */
        b->output[k] = b->input[k];
        out[k] = in[k];
    }
    FuncId made = system_add_function(f->sys, (Function){.name = name_of(f->names, class_of(s)),
                                                         .n_in = n_in,
                                                         .n_out = n_out,
                                                         .inlining = INLINE_NEVER,
                                                         .span = l->span,
                                                         .body = b,
                                                         .in_type = in,
                                                         .out_type = out});
    map_put(known, map_key_ptr(key.s), made.i);
    return made;
}

/* Integers and the like change at events alone (MLS 3.8.5): noted for section_starts. */
static void note_discrete(LoopFunction *l, ExprId call)
{
    Front *f = l->fr->f;
    if (f->eval.in_when || f->eval.in_initial ||
        expr_variability(pool_of(l), call) != VARIES_ALWAYS)
        return;
    for (uint32_t k = 0; k < l->output.n; k++) {
        const BodyLocal *v = &l->body->local.at[l->input.at[k].local];
        if (v->type == TYPE_REAL || v->type == TYPE_STRING)
            continue;
        vec_push(f->mem, f->lookup->loop, ((DiscreteLoop){call, v->name, l->span}));
        return;
    }
}

/* The call, under the path on which the loop stands; then the variables have its results. */
static void call_loop(LoopFunction *l, FuncId id)
{
    Frame *fr = l->fr;
    Front *f = fr->f;
    ExprPool *p = pool_of(l);
    uint32_t n = l->input.n;
    ExprId *arg = arena_array(f->scratch, ExprId, n + 1);
    arg[0] = f->eval.path;
    for (uint32_t k = 0; k < n; k++)
        arg[k + 1] = l->input.at[k].value;
    function_check_size(f, id, arg + 1, l->span);
    if (l->output.n == 0) {
        function_add_effect(f, id, arg + 1, l->span);
        return;
    }
    ExprId call = f->eval.has_path ? expr_call(p, function_guarded(f->sys, id), n + 1, arg)
                                   : expr_call(p, id, n, arg + 1);
    note_discrete(l, call);
    for (uint32_t k = 0; k < l->output.n; k++) {
        log_element(fr, l->output.at[k]);
        *l->output.at[k] = expr_proj(p, call, k);
    }
}

Flow loop_as_function(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    Front *f = fr->f;
    Evaluator outer = f->eval;
    LoopFunction l = {.fr = fr, .span = st->span};
    l.before = map_new(f->scratch);
    l.made = map_new(f->scratch);
    l.table_of = map_new(f->scratch);
    SynStatements loop = {(SynStatement **)&st, 1};
    visit_statements(&loop, note_variable, &l);
    uint32_t mark = fr->write.n;
    fr->emission = f->eval.emission = emission_of_section(fr);
    l.body = emission_body(fr->emission);
    f->eval.has_path = false;
    Flow flow = st->kind == SYN_ST_WHILE ? emission_while(fr, s, st) : emission_for(fr, s, st, k);
    f->eval.emission = outer.emission;
    f->eval.has_path = outer.has_path;
    collect_assigned(&l, fr->emission, mark);
    fr->emission = NULL;
    if (flow == GO_FAILED)
        return flow;
    put_over_locals(&l, &l.body->list);
    if (l.failed)
        return GO_FAILED;
    if (l.body->list.n > 0)
        call_loop(&l, loop_function(&l, s));
    return GO_ON;
}
