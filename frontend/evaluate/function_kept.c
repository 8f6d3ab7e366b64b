/* Functions that stay calls of a Function of the System (system.h), and their derivatives
 * (MLS 12.7.1). */
#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function.h"
#include "frontend/evaluate/function_call.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_EXTERNAL_EDGES = 20000000, /* of an external one, as an FFT of 4000 values */
    MAX_EDGES = 200000,            /* of a call: each result depends on each argument that varies */
    MAX_SCALARS = 300000,          /* of a call: fits a stack of a few MB, nested calls included */
};

/* A Function of the System and the shapes that it stands for. */
typedef struct KeptFunction {
    Front *f;
    const Class *c;
    FuncId id;
    uint32_t n_members;
    Value *arg; /* per member: an input's shape, else VALUE_NONE */
    uint32_t n_out;
    Value *result; /* per output */
    Span span;
    bool has_body; /* is written down, or has been tried */
} KeptFunction;

struct FunctionTable {
    VEC(KeptFunction *) at;
    Map by_signature; /* Name of the signature -> index in at                   */
    Map kept;         /* classes of which some entry cannot be expanded        */
    Map asserted;     /* condition -> where it stands among the assertions     */
    Map loops;        /* Name of the signature -> FuncId.i (loop_function.c)   */
    Map result_of;    /* call with constant arguments -> where its results stand in result */
    VEC(const ExprId *) result; /* NULL: it cannot be evaluated */
};

/* State of a class in `kept`: the sizes of its results are being computed, or are known. */
enum { OPENING, OPENED };

static struct FunctionTable *function_table(Front *f)
{
    if (!f->eval.functions) {
        f->eval.functions = arena_make(f->mem, struct FunctionTable);
        f->eval.functions->by_signature = map_new(f->mem);
        f->eval.functions->kept = map_new(f->mem);
        f->eval.functions->asserted = map_new(f->mem);
        f->eval.functions->loops = map_new(f->mem);
        f->eval.functions->result_of = map_new(f->mem);
    }
    return f->eval.functions;
}

Map *function_asserted(Front *f)
{
    return &function_table(f)->asserted;
}

Map *function_loops(Front *f)
{
    return &function_table(f)->loops;
}

static bool annotation_is_true(const SynClass *syn, const char *name)
{
    const SynArg *a = syn_mod_find(syn->annotation, name);
    return a && a->mod && a->mod->value && a->mod->value->kind == SYN_BOOLEAN &&
           a->mod->value->truth;
}

InlineKind function_inlining(const SynClass *syn)
{
    if (annotation_is_true(syn, "LateInline") ||
        annotation_is_true(syn, "InlineAfterIndexReduction") ||
        syn_mod_find(syn->annotation, "derivative"))
        return INLINE_LATE;
    return INLINE_DEFAULT;
}

bool function_makes_events(const SynClass *syn)
{
    return annotation_is_true(syn, "GenerateEvents");
}

/* Does a scalar of v change during a simulation? */
bool value_varies(Front *f, const Value *v)
{
    if (v->kind == VALUE_DYNAMIC)
        return true;
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (value_varies(f, &v->field[k]))
            return true;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(v->elem[k]) && !expr_is_fixed(f->sys->pool, v->elem[k]))
            return true;
    return false;
}

/* As run_function, into a Body. */
static Body *write_down(Front *f, const Class *c, const Value *arg, Span span, const Value *wanted,
                        Value *result)
{
    Evaluator outer = f->eval;
    CallChain link = {outer.chain, c};
    f->eval.calls++;
    f->eval.chain = &link;
    f->eval.has_end = false;
    f->eval.in_function = true;
    Body *b = function_write_down(f, c, arg, span, wanted, result);
    f->eval.has_end = outer.has_end;
    f->eval.in_function = outer.in_function;
    f->eval.functional = outer.functional;
    f->eval.functional_name = outer.functional_name;
    f->eval.n_functional = outer.n_functional;
    f->eval.chain = outer.chain;
    f->eval.calls--;
    return b;
}

/* The type of the elements that a member declares; false if these are records. */
static bool element_type(Front *f, const Member *m, BaseType *out)
{
    ClassKind kind = class_kind(f, m->type);
    *out = kind == CLASS_PLAIN ? class_base_type(f, m->type) : TYPE_ENUMERATION;
    return kind == CLASS_PLAIN || kind == CLASS_ENUMERATION;
}

/* The shape of a result by its declaration. A size that cannot be found is known in a run only. */
static bool result_shape(Front *f, Frame *fr, const Member *m, Value *out)
{
    uint32_t *dims = arena_array(f->scratch, uint32_t, m->n_dims);
    Scope *scope = declared_scope(fr, m, m->dims_scope, false);
    bool is_known = true;
    for (uint32_t d = 0; d < m->n_dims; d++) {
        if (m->dims[d]->kind == SYN_COLON)
            return false;
        is_known = is_known && visit_crefs(m->dims[d], declare_used, fr) &&
                   eval_dimension(f, scope, m->dims[d], &dims[d]);
    }
    BaseType type;
    if (is_known)
        return blank_value(f, fr, m->type, m->n_dims, dims, m, out);
    f->eval.stuck = NULL;
    if (!element_type(f, m, &type) || !dynamic_holds(type))
        return false;
    *out = dynamic_shape(f->scratch, type, class_kind(f, m->type) == CLASS_PLAIN ? NULL : m->type,
                         m->n_dims);
    return true;
}

static bool result_shapes_of(Front *f, Frame *fr, Value *out)
{
    for (uint32_t k = 0; k < fr->n; k++)
        if (fr->m[k].is_output && !result_shape(f, fr, &fr->m[k], out++))
            return false;
    return true;
}

/* The shapes of the results by the declarations alone, the arguments given; elements EXPR_NONE.
 * False (nothing reported) if a size is left open. */
static bool result_shapes(Front *f, const Class *c, Value *arg, Span span, Value *out)
{
    Frame fr;
    bool hidden = diags_hide(f->diags, true);
    bool ok = frame_open(&fr, f, c, arg, span) && result_shapes_of(f, &fr, out);
    diags_hide(f->diags, hidden);
    f->eval.stuck = NULL;
    return ok;
}

static uint32_t count_members(Front *f, const Class *c)
{
    const Member *m;
    return class_members(f, c, &m);
}

/* Type and sizes; and the values of constants that may decide sizes and branches. */
static const char *shape_signature(Front *f, const char *head, const Value *v)
{
    const char *text = arena_printf(f->scratch, "%s|%d,%d", head, (int)v->kind, (int)v->type);
    if (v->kind == VALUE_FUNCTION)
        text = arena_printf(f->scratch, "%s:%p", text, (const void *)v->cls);
    for (uint32_t k = 0; k < v->n_dims; k++)
        text = arena_printf(f->scratch, "%s[%u]", text, v->dims[k]);
    for (uint32_t k = 0; k < v->n_fields; k++)
        text = shape_signature(f, text, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN && v->type != TYPE_REAL ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(v->elem[k]) && expr_variability(f->sys->pool, v->elem[k]) == VARIES_NEVER)
            text = arena_printf(f->scratch, "%s;%u", text, v->elem[k].i);
    return text;
}

/* The assertions of `from` from `first` on become those of `to`: of the equations of the start, for
 * example, which share all else with the model's. */
static void move_assertions(System *from, uint32_t first, System *to)
{
    if (from == to)
        return;
    for (uint32_t k = first; k < from->assertion.n; k++)
        vec_push(to->mem, to->assertion, from->assertion.at[k]);
    from->assertion.n = first;
}

/* Function.expand: runs the function on the scalars. */
static bool kept_expand(void *self, System *sys, const ExprId *args, ExprId *results)
{
    KeptFunction *kept = self;
    Front *f = kept->f;
    uint32_t n_assertions = f->sys->assertion.n;
    Evaluation e = evaluation_begin(f);
    Value *arg = arena_array(f->scratch, Value, kept->n_members);
    for (uint32_t k = 0; k < kept->n_members; k++) {
        if (kept->arg[k].kind == VALUE_NONE)
            continue;
        arg[k] = value_unflatten(f->scratch, &kept->arg[k], args);
        args += value_n_scalars(&arg[k]);
    }
    Value *out = arena_array(f->scratch, Value, kept->n_out);
    bool ok = function_run(f, kept->c, arg, kept->span, kept->n_out, out);
    for (uint32_t k = 0; ok && k < kept->n_out; k++) {
        uint32_t n = value_n_scalars(&out[k]);
        value_flatten(&out[k], results);
        for (uint32_t i = 0; i < n; i++)
            ok = ok && expr_exists(results[i]);
        results += n;
    }
    evaluation_end(f, &e);
    move_assertions(f->sys, n_assertions, sys);
    f->eval.stuck = NULL;
    return ok;
}

static KeptFunction *kept_function(Front *f, const Class *c, Value *arg, Span span);

static bool named_in(const SynArg *rule, const char *what, Name input)
{
    for (uint32_t k = 0; rule->mod && k < rule->mod->n; k++) {
        const SynArg *a = &rule->mod->arg[k];
        if (a->kind != SYN_ARG_MODIFY || a->path.n != 1 || strcmp(a->path.name[0].s, what) != 0 ||
            !a->mod)
            continue;
        /* noDerivative = x, or the older noDerivative(x = f(y, z)) */
        const SynExpr *x = a->mod->value;
        if (x && x->kind == SYN_CREF && x->cref->n == 1 && name_same(x->cref->part[0].name, input))
            return true;
        for (uint32_t i = 0; i < a->mod->n; i++)
            if (a->mod->arg[i].path.n == 1 && name_same(a->mod->arg[i].path.name[0], input))
                return true;
    }
    return false;
}

/* 0, after a message, where `order` is no order. */
static uint32_t rule_order(Front *f, const SynArg *rule)
{
    enum { MOST = 100 };
    const SynArg *order = syn_mod_find(rule->mod, "order");
    const SynExpr *x = order && order->mod ? order->mod->value : NULL;
    if (!x)
        return 1;
    long n = x->kind == SYN_INTEGER ? strtol(x->text, NULL, 10) : 0;
    if (n >= 1 && n < MOST)
        return (uint32_t)n;
    diag_error(f->diags, x->span, "F34",
               "the order of a derivative is an Integer of at least 1 (MLS 12.7.1)");
    return 0;
}

/* Marks the n scalars from *flag on per scalar: those that are no Real have no derivative. */
static bool *mark_scalars(const Value *v, bool flag, bool *at)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        at = mark_scalars(&v->field[k], flag, at);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        *at++ = flag || v->type != TYPE_REAL;
    return at;
}

static bool has_real(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (has_real(&v->field[k]))
            return true;
    return v->kind == VALUE_PLAIN && v->type == TYPE_REAL;
}

/* MLS 12.7.1: the inputs of the derivative function are those of the function, then one per Real
 * input that is not excluded. A function that is itself a derivative (order > 1) has the
 * derivatives of its last inputs only. */
static bool add_rule(KeptFunction *kept, const SynArg *rule, const Value *arg, DerivativeRule *out)
{
    Front *f = kept->f;
    const SynExpr *name = rule->mod ? rule->mod->value : NULL;
    const Class *d =
        name && name->kind == SYN_CREF ? scope_class(f, class_scope(f, kept->c), name->cref) : NULL;
    if (!d || class_kind(f, d) != CLASS_FUNCTION) {
        diag_error(f->diags, rule->span, "F34", "the derivative of '%s' is not a function",
                   class_name(f, kept->c));
        return false;
    }
    const Member *m;
    const Member *dm;
    uint32_t n = class_members(f, kept->c, &m);
    uint32_t dn = class_members(f, d, &dm);
    uint32_t n_in = 0;
    uint32_t d_in = 0;
    for (uint32_t k = 0; k < n; k++)
        n_in += m[k].is_input;
    for (uint32_t k = 0; k < dn; k++)
        d_in += dm[k].is_input;
    uint32_t order = rule_order(f, rule);
    if (!order)
        return false;
    /* inputs before this one are those of functions lower in the chain */
    uint32_t first = order > 1 && d_in >= n_in && d_in - n_in <= n_in ? n_in - (d_in - n_in) : 0;

    uint32_t n_scalars = f->sys->function->at[kept->id.i].n_in;
    bool *no_derivative = arena_array(f->mem, bool, n_scalars);
    bool *zero_derivative = arena_array(f->mem, bool, n_scalars);
    bool *in_chain = arena_array(f->mem, bool, n_scalars);
    bool *no_at = no_derivative;
    bool *chain_at = in_chain;
    bool *zero_at = zero_derivative;
    Value *list = arena_array(f->scratch, Value, 2 * (size_t)n_in); /* inputs of d in order */
    uint32_t n_list = 0;
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input)
            list[n_list++] = arg[k];
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_input)
            continue;
        bool no = at < first || named_in(rule, "noDerivative", m[k].name);
        bool zero = named_in(rule, "zeroDerivative", m[k].name);
        uint32_t scalars = value_n_scalars(&arg[k]);
        no_at = mark_scalars(&arg[k], no, no_at);
        bool moves = at < first && !named_in(rule, "noDerivative", m[k].name);
        chain_at = mark_scalars(&arg[k], moves, chain_at);
        for (uint32_t i = 0; i < scalars; i++)
            *zero_at++ = zero;
        /* stands in for the derivative: of the same shape */
        if (!no && !zero && has_real(&arg[k]))
            list[n_list++] = arg[k];
        at++;
    }
    if (n_list != d_in) {
        diag_error(f->diags, rule->span, "F34",
                   "the derivative '%s' of '%s' must have %u inputs, it has %u", class_name(f, d),
                   class_name(f, kept->c), n_list, d_in);
        return false;
    }
    Value *d_arg = arena_array(f->scratch, Value, dn);
    uint32_t next = 0;
    for (uint32_t k = 0; k < dn; k++)
        if (dm[k].is_input) {
            d_arg[k] = list[next++];
            if (!fit_type(f, dm[k].type, &d_arg[k]))
                return bad_argument(f, d, &dm[k], &d_arg[k], rule->span);
        }
    KeptFunction *kd = kept_function(f, d, d_arg, rule->span);
    if (!kd)
        return false;
    /* the next derivative of this function, whatever its own order in the chain is */
    *out = (DerivativeRule){.func = kd->id,
                            .order = 1,
                            .no_derivative = no_derivative,
                            .zero_derivative = zero_derivative,
                            .chain_order = order,
                            .in_chain = in_chain};
    return true;
}

/* State of the evaluator that is saved while another function is analysed: that one starts without
 * path, emission or message. */
typedef struct Inner {
    bool dry, has_path;
    ExprId path;
    struct Emission *emission;
    VaryingSubscripts *varying;
    bool in_message, structural;
} Inner;

static Inner inner_begin(Front *f)
{
    Evaluator *e = &f->eval;
    Inner i = {e->dry, e->has_path, e->path, e->emission, e->varying, e->in_message, e->structural};
    e->dry = true;
    e->has_path = e->in_message = e->structural = false;
    e->emission = NULL;
    e->varying = NULL;
    return i;
}

static void inner_end(Front *f, const Inner *i)
{
    Evaluator *e = &f->eval;
    e->dry = i->dry;
    e->has_path = i->has_path;
    e->path = i->path;
    e->emission = i->emission;
    e->varying = i->varying;
    e->in_message = i->in_message;
    e->structural = i->structural;
}

static void scalar_types(const Value *v, BaseType **at)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        scalar_types(&v->field[k], at);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : v->kind == VALUE_DYNAMIC;
    for (uint32_t k = 0; k < n; k++)
        *(*at)++ = v->type;
}

/* The rank of each of the n scalars and dynamic arrays of the values; NULL if all are scalars. */
static const uint8_t *ranks_of(Front *f, uint32_t n_values, const Value *v, uint32_t n)
{
    uint8_t *rank = arena_array(f->mem, uint8_t, n + 1);
    uint32_t at = 0;
    bool any = false;
    for (uint32_t k = 0; k < n_values; k++) {
        if (v[k].kind == VALUE_NONE)
            continue;
        if (v[k].kind == VALUE_DYNAMIC)
            rank[at] = (uint8_t)v[k].n_dims;
        any = any || v[k].kind == VALUE_DYNAMIC;
        at += value_n_scalars(&v[k]);
    }
    return any ? rank : NULL;
}

/* result: the shapes of the outputs. */
static KeptFunction *add_entry(Front *f, const Class *c, const Value *arg, Span span,
                               Name signature, const Value *result, bool is_kept)
{
    struct FunctionTable *t = function_table(f);
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t n_out = count_outputs(f, c);
    KeptFunction *kept = arena_make(f->mem, KeptFunction);
    *kept = (KeptFunction){.f = f, .c = c, .n_members = n, .n_out = n_out, .span = span};
    kept->arg = arena_array(f->mem, Value, n);
    kept->result = arena_array(f->mem, Value, n_out);
    Function fn = {.name = name_of(f->names, class_name(f, c)), .span = class_syntax(c)->span};
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input) {
            kept->arg[k] = value_copy(f->mem, &arg[k]);
            fn.n_in += value_n_scalars(&arg[k]);
        }
    for (uint32_t k = 0; k < n_out; k++) {
        kept->result[k] = value_copy(f->mem, &result[k]);
        fn.n_out += value_n_scalars(&result[k]);
    }
    BaseType *in = arena_array(f->mem, BaseType, fn.n_in + 1);
    BaseType *out = arena_array(f->mem, BaseType, fn.n_out + 1);
    fn.in_type = in;
    fn.out_type = out;
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input)
            scalar_types(&arg[k], &in);
    for (uint32_t k = 0; k < n_out; k++)
        scalar_types(&result[k], &out);
    fn.in_rank = ranks_of(f, n, kept->arg, fn.n_in);
    fn.out_rank = ranks_of(f, n_out, kept->result, fn.n_out);
    fn.inlining = is_kept ? INLINE_NEVER : function_inlining(class_syntax(c));
    fn.expand = is_kept ? NULL : kept_expand;
    fn.self = kept;
    kept->id = system_add_function(f->sys, fn);
    map_put(&t->by_signature, map_key_ptr(signature.s), t->at.n);
    vec_push(f->mem, t->at, kept);
    return kept;
}

/* Each call of a constructor makes an object of its own: its first input is the object's number. */
static void add_slot(System *s, Function *fn, Body *b)
{
    uint32_t *input = arena_array(s->mem, uint32_t, fn->n_in + 1);
    BaseType *in = arena_array(s->mem, BaseType, fn->n_in + 1);
    input[0] = b->local.n;
    in[0] = TYPE_INTEGER;
    vec_push(s->mem, b->local, ((BodyLocal){name_of(s->names, "slot"), TYPE_INTEGER, 0}));
    if (fn->n_in > 0) {
        memcpy(input + 1, b->input, fn->n_in * sizeof *input);
        memcpy(in + 1, fn->in_type, fn->n_in * sizeof *in);
    }
    b->input = input;
    fn->in_type = in;
    fn->n_in++;
}

/* A function that cannot be expanded, for the reason in `stuck`. */
static KeptFunction *add_lasting(Front *f, const Class *c, const Value *arg, Span span,
                                 Name signature, Value *result)
{
    struct FunctionTable *t = function_table(f);
    const char *why = f->eval.stuck;
    const char *code = f->eval.stuck_code;
    Span where = f->eval.stuck_span;
    f->eval.stuck = NULL;
    map_put(&t->kept, map_key_ptr(c), OPENING);
    /* known by its declaration it can call itself; else its sizes are those that it ends with */
    Value *own = arena_array(f->scratch, Value, count_members(f, c));
    memcpy(own, arg, count_members(f, c) * sizeof *own);
    KeptFunction *kept = NULL;
    if (result_shapes(f, c, own, span, result))
        kept = add_entry(f, c, arg, span, signature, result, true);
    if (kept)
        map_put(&t->kept, map_key_ptr(c), OPENED);
    Body *body = write_down(f, c, arg, span, kept ? kept->result : NULL, result);
    if (!body && !f->eval.stuck)
        return NULL; /* reported */
    if (!kept && body)
        kept = add_entry(f, c, arg, span, signature, result, true);
    map_put(&t->kept, map_key_ptr(c), OPENED);
    if (!body && f->eval.stuck) {
        why = f->eval.stuck;
        code = f->eval.stuck_code;
        where = f->eval.stuck_span;
    }
    f->eval.stuck = NULL;
    if (!kept) {
        diag_error(f->diags, where, code, "%s", why);
        return NULL;
    }
    if (!body)
        front_unsupported(f, where, code, why);
    if (body && body->external && body->external->is_constructor)
        add_slot(f->sys, &f->sys->function->at[kept->id.i], body);
    f->sys->function->at[kept->id.i].body = body;
    return kept;
}

static bool add_rules(KeptFunction *kept, const Value *arg)
{
    Front *f = kept->f;
    const SynClass *syn = class_syntax(kept->c);
    VEC(DerivativeRule) rules = {0};
    for (uint32_t k = 0; syn->annotation && k < syn->annotation->n; k++) {
        const SynArg *a = &syn->annotation->arg[k];
        if (a->kind != SYN_ARG_MODIFY || a->path.n != 1 ||
            strcmp(a->path.name[0].s, "derivative") != 0)
            continue;
        DerivativeRule rule;
        if (!add_rule(kept, a, arg, &rule))
            return false;
        Function *d = &f->sys->function->at[rule.func.i];
        if (d->n_primal == 0)
            d->n_primal = f->sys->function->at[kept->id.i].n_in;
        vec_push(f->mem, rules, rule);
    }
    Function *entry = &f->sys->function->at[kept->id.i];
    entry->derivative = rules.at;
    entry->n_derivatives = rules.n;
    return true;
}

/* The entry for c with arguments shaped as arg (per member, fitted); made on first use. */
static KeptFunction *kept_function(Front *f, const Class *c, Value *arg, Span span)
{
    struct FunctionTable *t = function_table(f);
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    const char *text = arena_printf(f->scratch, "%p", (const void *)c);
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input)
            text = shape_signature(f, text, &arg[k]);
    Name signature = name_of(f->names, text);
    uint32_t known = map_get(&t->by_signature, map_key_ptr(signature.s));
    if (known != MAP_NONE)
        return t->at.at[known];

    uint32_t n_out = count_outputs(f, c);
    Value *result = arena_array(f->scratch, Value, n_out);
    Inner inner = inner_begin(f);
    KeptFunction *kept = NULL;
    uint32_t entry = map_get(&t->kept, map_key_ptr(c));
    bool is_kept = entry != MAP_NONE;
    if (entry == OPENING) {
        diag_error(f->diags, span, "F33",
                   "'%s' calls itself before the sizes of its results are known", class_name(f, c));
        inner_end(f, &inner);
        return NULL;
    }
    bool is_dynamic = false;
    for (uint32_t k = 0; k < n; k++)
        is_dynamic = is_dynamic || (m[k].is_input && arg[k].kind == VALUE_DYNAMIC);
    if (is_dynamic && !is_kept) {
        is_kept = true;
        f->eval.stuck = "an array has a size that is known in a run only";
        f->eval.stuck_code = "F33";
        f->eval.stuck_span = span;
    }
    /* a first run gives the shapes of the results, and shows that there will be any */
    if (!is_kept && function_run(f, c, arg, span, n_out, result))
        kept = add_entry(f, c, arg, span, signature, result, false);
    else if (is_kept || f->eval.stuck)
        kept = add_lasting(f, c, arg, span, signature, result);
    inner_end(f, &inner);
    if (!kept)
        return NULL;
    const Function *fn = &f->sys->function->at[kept->id.i];
    /* its derivative is that of its statements */
    return fn->in_rank || fn->out_rank || add_rules(kept, arg) ? kept : NULL;
}

/* Gives the function a body. Equations use its expanded results where possible; algorithms and
 * messages call it. */
static bool give_body(KeptFunction *kept, const Value *arg, Span span)
{
    Front *f = kept->f;
    if (kept->has_body || f->sys->function->at[kept->id.i].body)
        return true;
    kept->has_body = true;
    Inner inner = inner_begin(f);
    Value *result = arena_array(f->scratch, Value, kept->n_out);
    Body *body = write_down(f, kept->c, arg, span, kept->result, result);
    inner_end(f, &inner);
    if (!body && f->eval.stuck)
        front_unsupported(f, f->eval.stuck_span, f->eval.stuck_code, f->eval.stuck);
    bool ok = body || f->eval.stuck;
    f->eval.stuck = NULL;
    f->sys->function->at[kept->id.i].body = body;
    return ok;
}

void function_check_size(Front *f, FuncId id, const ExprId *arg, Span span)
{
    const Function *fn = &f->sys->function->at[id.i];
    uint64_t n_varying = 0;
    for (uint32_t k = 0; k < fn->n_in; k++)
        n_varying += !expr_is_fixed(f->sys->pool, arg[k]);
    bool is_external = fn->body && fn->body->external;
    if (n_varying * fn->n_out <= (is_external ? MAX_EXTERNAL_EDGES : MAX_EDGES) &&
        (uint64_t)fn->n_in + fn->n_out <= MAX_SCALARS)
        return;
    front_unsupported(f, span, "F37",
                      arena_printf(f->mem,
                                   "a call of '%s' with %u scalars as arguments and %u as "
                                   "results is too large",
                                   fn->name.s, fn->n_in, fn->n_out));
}

/* A call among the equations of a model for its side effects, under the current path. In a
 * when-clause or at the start it is an equation of a discrete variable of the compiler's own, so
 * that the call is made at these events, once, behind the call before it (MLS 12.3). Elsewhere the
 * function can only fail: it is an assertion. */
void function_add_effect(Front *f, FuncId id, const ExprId *arg, Span span)
{
    System *s = f->sys;
    ExprPool *p = s->pool;
    bool at_start = f->eval.in_initial;
    bool at_events = f->eval.in_when || at_start;
    FuncId g = function_effect(s, id);
    uint32_t n = s->function->at[g.i].n_in;
    ExprId *in = arena_array(f->scratch, ExprId, n);
    ExprId path = f->eval.has_path ? f->eval.path : expr_int(p, 1);
    in[0] = at_start ? expr_and(p, path, expr_initial(p)) : path;
    in[1] = at_events && f->eval.effect.i ? f->eval.effect : expr_int(p, 0);
    if (n > 2)
        memcpy(in + 2, arg, (n - 2) * sizeof *in);
    ExprId done = expr_proj(p, expr_call(p, g, n, in), 0);
    if (!at_events) {
        ExprId message = expr_string(p, name_of(f->names, "the call fails"));
        Assertion a = {
            .cond = expr_compare(p, OP_LT, expr_int(p, 0), done), .message = message, .span = span};
        vec_push(s->mem, s->assertion, a);
        return;
    }
    VarId v = system_add_hidden(s, arena_printf(f->scratch, "call %u", g.i + 1));
    Var *var = var_at(s, v);
    var->kind = VAR_DISCRETE;
    var->type = TYPE_INTEGER;
    ExprId x = system_var_expr(s, v);
    ExprId now = expr_wrap(p, OP_NOEVENT, done);
    ExprId value = f->eval.in_clocked ? now : expr_select(p, in[0], now, expr_wrap(p, OP_PRE, x));
    system_add_eq(s, (Eq){.lhs = x, .rhs = value, .group = GROUP_NONE, .span = span});
    f->eval.effect = x;
}

/* Arguments that are dynamic arrays become locals. */
static bool store_arrays(Front *f, const Class *c, Value *arg, Span span)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input && arg[k].kind == VALUE_DYNAMIC &&
            !dynamic_store(f, &arg[k], arg[k].type, span, &arg[k]))
            return false;
    return true;
}

/* A result whose size is known in a run only has a place in functions alone. */
static bool results_have_place(Front *f, const KeptFunction *kept, Span span)
{
    const Member *m;
    uint32_t n = class_members(f, kept->c, &m), result = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_output || kept->result[result++].kind != VALUE_DYNAMIC)
            continue;
        if (f->eval.emission && emission_is_here(f))
            return true;
        const char *why = arena_printf(
            f->mem,
            "the size of '%s', a result of '%s', is known in a run only: a function can take it, "
            "the variables of a model have fixed sizes",
            m[k].name.s, class_name(f, kept->c));
        if (f->eval.in_function) {
            f->eval.stuck = why;
            f->eval.stuck_code = "F33";
            f->eval.stuck_span = span;
            return false;
        }
        diag_error(f->diags, span, "F33", "%s", why);
        return false;
    }
    return true;
}

/* A call that takes or gives dynamic arrays is a statement; its results are locals. */
static void call_with_arrays(Front *f, const Function *fn, ExprId call, Span span, ExprId *result)
{
    struct Emission *e = f->eval.emission;
    uint32_t *to = arena_array(f->mem, uint32_t, fn->n_out + 1);
    ExprId *value = arena_make(f->mem, ExprId);
    *value = call;
    for (uint32_t k = 0; k < fn->n_out; k++) {
        result[k] = emission_local(e, name_of(f->names, "result"), fn->out_type[k],
                                   fn->out_rank ? fn->out_rank[k] : 0);
        to[k] = expr_local_of(f->sys->pool, result[k]);
    }
    StatementList *outer = NULL;
    if (f->eval.has_path) {
        Statement *it =
            emission_put(e, (Statement){.kind = STATEMENT_IF, .cond = f->eval.path, .span = span});
        outer = emission_redirect(e, &it->body);
    }
    emission_put(
        e, (Statement){
               .kind = STATEMENT_CALL, .n = fn->n_out, .to = to, .value = value, .span = span});
    if (outer)
        emission_redirect(e, outer);
}

bool function_keep(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out)
{
    if (n_out == 0 && f->eval.in_function && !f->eval.emission) {
        /* it is run together with the calling function */
        f->eval.stuck = arena_printf(f->mem, "'%s' is called for its effect", class_name(f, c));
        f->eval.stuck_code = "F38";
        f->eval.stuck_span = span;
        return false;
    }
    if (!store_arrays(f, c, arg, span))
        return false;
    KeptFunction *kept = kept_function(f, c, arg, span);
    if (!kept)
        return false;
    if (!results_have_place(f, kept, span))
        return false;
    if ((f->eval.emission || f->eval.in_message) && !give_body(kept, arg, span))
        return false;
    const Function *fn = &f->sys->function->at[kept->id.i];
    ExprPool *p = f->sys->pool;
    uint32_t n_in = fn->n_in;
    uint32_t n_results = fn->n_out;
    ExprId *scalar = arena_array(f->scratch, ExprId, n_in);
    ExprId *next = scalar;
    if (fn->body && fn->body->external && fn->body->external->is_constructor)
        *next++ = expr_int(p, f->sys->n_objects++);
    for (uint32_t k = 0; k < kept->n_members; k++)
        if (kept->arg[k].kind != VALUE_NONE) {
            value_flatten(&arg[k], next);
            next += value_n_scalars(&arg[k]);
        }
    for (uint32_t k = 0; k < n_in; k++)
        if (!expr_exists(scalar[k])) {
            diag_error(f->diags, span, "T16", "a part of an argument of '%s' has no value",
                       class_name(f, c));
            return false;
        }
    bool is_external = fn->body && fn->body->external;
    if (!f->eval.emission)
        function_check_size(f, kept->id, scalar, span);
    ExprId call;
    if (fn->in_rank || fn->out_rank) {
        ExprId *result = arena_array(f->scratch, ExprId, n_results);
        call_with_arrays(f, fn, expr_call(p, kept->id, n_in, scalar), span, result);
        for (uint32_t k = 0; k < n_out; k++) {
            out[k] = value_unflatten(f->scratch, &kept->result[k], result);
            result += value_n_scalars(&kept->result[k]);
        }
        return true;
    }
    /* it may fail, or never end, where the condition does not hold; and an external function may
     * have side effects (MLS 12.3), so a when-clause calls it at its events alone */
    bool may_not_run = fn->inlining == INLINE_NEVER ||
                       (is_external && (f->eval.in_when || fn->n_derivatives == 0));
    bool is_impure = class_syntax(c)->purity == SYN_IMPURE && !f->eval.emission;
    if (is_impure || (may_not_run && f->eval.has_path)) {
        FuncId g = is_impure ? function_guarded_anew(f->sys, kept->id)
                             : function_guarded(f->sys, kept->id);
        ExprId *guarded = arena_array(f->scratch, ExprId, n_in + 1);
        guarded[0] = f->eval.has_path ? f->eval.path : expr_int(p, 1);
        memcpy(guarded + 1, scalar, n_in * sizeof *scalar);
        call = expr_call(p, g, n_in + 1, guarded);
    } else {
        call = expr_call(p, kept->id, n_in, scalar);
    }
    if (n_out == 0) {
        if (f->eval.emission)
            emission_run(f->eval.emission, call, span);
        else if (!f->eval.dry)
            function_add_effect(f, kept->id, scalar, span);
    }
    ExprId *result = arena_array(f->scratch, ExprId, n_results);
    for (uint32_t k = 0; k < n_results; k++)
        result[k] = expr_proj(p, call, k);
    for (uint32_t k = 0; k < n_out; k++) {
        out[k] = value_unflatten(f->scratch, &kept->result[k], result);
        result += value_n_scalars(&kept->result[k]);
    }
    return true;
}

/* All scalars of the results with these arguments, in f->mem; NULL if they cannot be found. */
static const ExprId *run_kept(Front *f, const KeptFunction *kept, const ExprId *scalar,
                              uint32_t n_results)
{
    Value *arg = arena_array(f->scratch, Value, kept->n_members);
    for (uint32_t k = 0; k < kept->n_members; k++) {
        if (kept->arg[k].kind == VALUE_NONE)
            continue;
        arg[k] = value_unflatten(f->scratch, &kept->arg[k], scalar);
        scalar += value_n_scalars(&arg[k]);
    }
    Value *result = arena_array(f->scratch, Value, kept->n_out);
    if (!function_run(f, kept->c, arg, kept->span, kept->n_out, result)) {
        f->eval.stuck = NULL;
        return NULL;
    }
    ExprId *flat = arena_array(f->mem, ExprId, n_results);
    ExprId *at = flat;
    for (uint32_t k = 0; k < kept->n_out; k++) {
        value_flatten(&result[k], at);
        at += value_n_scalars(&result[k]);
    }
    return flat;
}

bool function_result(Front *f, ExprId x, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    ExprId call = expr_arg(p, x, 0);
    const Function fn = f->sys->function->at[expr_func_of(p, call).i];
    const KeptFunction *kept = fn.self;
    if (!kept || class_syntax(kept->c)->external)
        return false;
    ExprId *scalar = arena_array(f->scratch, ExprId, fn.n_in);
    for (uint32_t k = 0; k < fn.n_in; k++) {
        scalar[k] = expr_arg(p, call, k);
        if (expr_variability(p, scalar[k]) != VARIES_NEVER)
            return false;
    }
    struct FunctionTable *t = function_table(f);
    uint32_t known = map_get(&t->result_of, call.i);
    if (known == MAP_NONE) {
        const ExprId *flat = run_kept(f, kept, scalar, fn.n_out);
        known = t->result.n;
        vec_push(f->mem, t->result, flat);
        map_put(&t->result_of, call.i, known);
    }
    if (!t->result.at[known])
        return false;
    *out = t->result.at[known][expr_proj_of(p, x)];
    return expr_exists(*out);
}

bool function_text_varies(Front *f, Span span)
{
    Evaluator *e = &f->eval;
    if (e->in_message || e->emission || !e->in_function)
        return true;
    /* a function that makes Strings at run time stays a call */
    e->stuck = "a String that varies is made";
    e->stuck_code = "F31";
    e->stuck_span = span;
    return false;
}

/* Is it known that calls of c cannot be expanded? */
bool function_lasts(Front *f, const Class *c)
{
    return map_get(&function_table(f)->kept, map_key_ptr(c)) != MAP_NONE;
}
