/* flatten.c -- from a model to the System: instances, then values, then equations (MLS 3.6 ch. 5.6,
 * 8). */
#include "frontend/evaluate/function.h"
#include "frontend/instantiate/dump.h"
#include "frontend/instantiate/instance.h"
#include "frontend/instantiate/section_start.h"
#include "frontend/instantiate/state_machine.h"
#include "frontend/instantiate/when.h"
#include "frontend/rules/rules.h"
#include "frontend/syntax/parser.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

Front *front_new(System *sys, Library *library)
{
    Front *f = arena_make(sys->mem, Front);
    f->mem = arena_part(sys->mem);
    f->scratch = arena_new();
    f->names = sys->names;
    f->diags = sys->diags;
    f->sys = sys;
    f->library = library;
    lookup_new(f);
    return f;
}

void front_unsupported(Front *f, Span span, const char *code, const char *what)
{
    for (uint32_t k = 0; k < f->sys->unsupported.n; k++) {
        const Unsupported *u = &f->sys->unsupported.at[k];
        if (u->span.file == span.file && u->span.begin == span.begin && strcmp(u->what, what) == 0)
            return;
    }
    Unsupported u = {span, code, arena_copy(f->sys->mem, what, strlen(what))};
    vec_push(f->sys->mem, f->sys->unsupported, u);
}

/* The component of the model that each variable belongs to: parts of a component follow each
 * other. */
static void keep_components(Front *f)
{
    const VarId none = VAR_NONE;
    VarComponent last = {.first = none.i};
    for (uint32_t k = 0; k < f->lookup->leaf_of_var.n; k++) {
        VarComponent own = {.first = k, .path = NULL, .at = SPAN_NONE};
        front_component_of(f, (VarId){k}, &own.path, &own.at);
        if (last.first != none.i && own.path == last.path)
            continue;
        vec_push(f->sys->mem, f->component, own);
        last = own;
    }
}

void front_close(Front *f)
{
    if (f->sys->function->n > 0)
        return;
    keep_components(f);
    arena_free(f->mem);
    f->mem = NULL;
    f->lookup = NULL;
}

void front_free(Front *f)
{
    arena_free(f->scratch);
}

/* ---- walking the tree ------------------------------------------------------------------------ */

void instances_visit(Front *f, Instance *root, InstanceVisit visit)
{
    VEC(Instance *) todo = {0};
    Arena *mem = arena_new();
    vec_push(mem, todo, root);
    while (todo.n) {
        Instance *i = todo.at[--todo.n];
        context_push(f, i);
        visit(f, i);
        context_pop(f, i);
        for (uint32_t k = instance_n_parts(i); k-- > 0;) {
            Instance *c = instance_part(i, k);
            if (!c || c->parent != i)
                continue;
            if (c->kind == INST_CLASS)
                vec_push(mem, todo, c);
            for (uint32_t j = c->kind == INST_ARRAY ? c->n : 0; j-- > 0;)
                vec_push(mem, todo, c->elem[j]);
        }
    }
    arena_free(mem);
}

static void make_children(Front *f, Instance *i)
{
    /* MLS 9.1.3: an element that an expandable connector declares exists only if it is used */
    if (class_is_expandable(i->cls))
        return;
    for (uint32_t k = 0; k < i->cls->component.n; k++)
        instance_child(f, i, k);
}

/* ---- attributes and bindings ----------------------------------------------------------------- */

/* Element k of an attribute, whose dimensions are all of the leaf's or its last ones. */
static ExprId attribute_at(const Value *v, uint32_t k)
{
    return v->elem[k % value_size(v)];
}

static bool attribute(Front *f, Instance *i, Attribute a, bool structural, BaseType type, Value *v)
{
    Span span;
    if (!instance_attribute(f, i, a, structural, v, &span) || v->kind == VALUE_NONE ||
        value_size(v) == 0)
        return false;
    for (uint32_t k = 0; v->kind == VALUE_PLAIN && k < value_size(v); k++)
        if (expr_exists(v->elem[k]) && !expr_is_fixed(f->sys->pool, v->elem[k])) {
            diag_error(f->diags, span, "T41", "'%s' of '%s' varies during the simulation (MLS 4.9)",
                       f->lookup->attribute[a].s, i->path);
            return false;
        }
    return value_fits(f, v, type,
                      type == TYPE_ENUMERATION && i->cls->kind == CLASS_ENUMERATION ? i->cls : NULL,
                      span, arena_printf(f->scratch, "'%s'", f->lookup->attribute[a].s));
}

static Var *var_of(Front *f, const Instance *i, uint32_t k)
{
    return var_at(f->sys, (VarId){i->var.i + k});
}

static Name text_of(Front *f, ExprId x)
{
    if (expr_op(f->sys->pool, x) != OP_STRING)
        return (Name){NULL};
    Name text = expr_text_of(f->sys->pool, x);
    return text.s[0] ? text : (Name){NULL};
}

static void leaf_attributes(Front *f, Instance *i)
{
    ExprPool *p = f->sys->pool;
    BaseType type = i->cls->base_type;
    bool known = i->env.n || i->el->env.n || i->cls->terminal->env.n;
    if (!known)
        return;
    Value v;
    if (attribute(f, i, ATTR_START, false, type, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.start = attribute_at(&v, k);
    if (attribute(f, i, ATTR_FIXED, true, TYPE_BOOLEAN, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.fixed = expr_is(p, attribute_at(&v, k), 1) ? YES : NO;
    if (attribute(f, i, ATTR_QUANTITY, true, TYPE_STRING, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.quantity = text_of(f, attribute_at(&v, k));
    if (type == TYPE_BOOLEAN || type == TYPE_STRING)
        return;
    if (attribute(f, i, ATTR_MIN, false, type, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.min = attribute_at(&v, k);
    if (attribute(f, i, ATTR_MAX, false, type, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.max = attribute_at(&v, k);
    if (type != TYPE_REAL)
        return;
    if (attribute(f, i, ATTR_NOMINAL, false, TYPE_REAL, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.nominal = attribute_at(&v, k);
    if (attribute(f, i, ATTR_UNIT, true, TYPE_STRING, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.unit = text_of(f, attribute_at(&v, k));
    if (attribute(f, i, ATTR_DISPLAY_UNIT, true, TYPE_STRING, &v))
        for (uint32_t k = 0; k < i->n; k++)
            var_of(f, i, k)->attr.display_unit = text_of(f, attribute_at(&v, k));
    if (attribute(f, i, ATTR_STATE_SELECT, true, TYPE_ENUMERATION, &v)) {
        for (uint32_t k = 0; k < i->n; k++) {
            long s = 0;
            if (expr_is_int(p, attribute_at(&v, k), &s) && s >= 1 && s <= 5)
                var_of(f, i, k)->attr.select = (StateSelect)(s - 1);
        }
    }
}

/* MLS 4.9.1: a value is between min and max, where all that is known. */
static bool check_range(Front *f, Instance *i, uint32_t k)
{
    const ExprPool *p = f->sys->pool;
    const Var *v = var_of(f, i, k);
    double value, min = -INFINITY, max = INFINITY;
    if (f->ranges == RULE_OFF || !expr_constant(p, v->binding, &value))
        return true;
    if (expr_exists(v->attr.min))
        expr_constant(p, v->attr.min, &min);
    if (expr_exists(v->attr.max))
        expr_constant(p, v->attr.max, &max);
    if (value >= min && value <= max)
        return true;
    (f->ranges == RULE_ERROR ? diag_error : diag_warning)(
        f->diags, instance_binding_span(f, i), "R01", "'%s' is %.9g, %s its %s of %.9g (MLS 4.9.1)",
        v->name.s, value, value < min ? "below" : "above", value < min ? "min" : "max",
        value < min ? min : max);
    return false;
}

/* MLS 4.4.2: the binding of a parameter or constant is its value. */
static void leaf_binding(Front *f, Instance *i)
{
    const Value *b = NULL;
    if (!instance_binding(f, i, false, &b) || !b)
        return;
    bool is_value = i->variability <= VARIES_PARAMETER, in_range = true;
    for (uint32_t k = 0; k < i->n; k++) {
        Var *v = var_of(f, i, k);
        if (!expr_exists(b->elem[k]))
            continue; /* of a record that a function has not filled; matters only if it is used */
        if (is_value) {
            if (!expr_is_fixed(f->sys->pool, b->elem[k])) {
                diag_error(f->diags, instance_binding_span(f, i), "T35",
                           "the value of parameter '%s' varies during the simulation", i->path);
                diag_note(f->diags, i->el->original->span,
                          "a parameter is constant during a simulation; what varies is declared "
                          "without 'parameter'");
                return;
            }
            if (i->variability == VARIES_NEVER && !i->is_static &&
                expr_variability(f->sys->pool, b->elem[k]) > VARIES_NEVER) {
                diag_error(f->diags, instance_binding_span(f, i), "T41",
                           "the value of constant '%s' is no constant expression (MLS 4.4.4)",
                           i->path);
                return;
            }
            v->binding = b->elem[k];
            in_range = in_range && check_range(f, i, k); // report one of an array
        } else if (v->kind == VAR_INPUT) {
            /* bound: no longer given from outside */
            v->kind = i->variability == VARIES_DISCRETE ? VAR_DISCRETE : VAR_CONTINUOUS;
            v->is_output = false;
        }
    }
}

/* No parameter's value depends on itself (MLS 4.4.4): depth first through bindings, without
 * recursion; every node is entered once. */
static void check_cycles(Front *f)
{
    enum { NEW, OPEN, DONE };
    typedef struct Step {
        ExprId x;
        uint32_t next;
    } Step;
    System *s = f->sys;
    ArenaMark mark = arena_mark(f->scratch);
    for (uint32_t v = 0; v < s->var.n; v++)
        system_var_expr(s, (VarId){v});
    uint32_t n = pool_size(s->pool);
    uint8_t *state = arena_array(f->scratch, uint8_t, n + 1);
    VEC(Step) stack = {0};
    for (uint32_t v = 0; v < s->var.n; v++) {
        if (!expr_exists(s->var.at[v].binding))
            continue;
        vec_push(f->scratch, stack, ((Step){system_var_expr(s, (VarId){v}), 0}));
        while (stack.n) {
            Step *top = &vec_last(stack);
            ExprId x = top->x;
            bool is_var = expr_op(s->pool, x) == OP_VAR;
            const Var *var = is_var ? var_at(s, expr_var_of(s->pool, x)) : NULL;
            uint32_t n_next = is_var ? expr_exists(var->binding) : expr_n_args(s->pool, x);
            if (state[x.i] == DONE || top->next == n_next) {
                state[x.i] = DONE;
                stack.n--;
                continue;
            }
            state[x.i] = OPEN;
            ExprId y = is_var ? var->binding : expr_arg(s->pool, x, top->next);
            top->next++;
            if (state[y.i] == OPEN)
                diag_error(f->diags, s->var.at[v].span, "N13",
                           "the value of '%s' depends on itself", s->var.at[v].name.s);
            else
                vec_push(f->scratch, stack, ((Step){y, 0}));
        }
    }
    arena_rollback(f->scratch, mark);
}

static void values_in(Front *f, Instance *i)
{
    for (uint32_t k = 0; k < instance_n_parts(i); k++) {
        Instance *c = instance_part(i, k);
        if (!c || c->parent != i)
            continue;
        if (c->kind == INST_LEAF && c->n) {
            leaf_attributes(f, c);
            leaf_binding(f, c);
        } else if (c->kind == INST_CLASS || c->kind == INST_ARRAY) {
            const Value *b = NULL;
            if (c->cls->kind != CLASS_RECORD && instance_has_binding(f, c))
                diag_error(f->diags, instance_binding_span(f, c), "T34",
                           "'%s' is a component of class %s, to which nothing can be bound",
                           c->el->name.s, c->cls->name);
            else if (c->cls->kind == CLASS_RECORD && c->kind == INST_CLASS)
                instance_binding(f, c, false, &b);
        }
    }
}

/* ---- equations ------------------------------------------------------------------------------- */

typedef VEC(Eq) Eqs;

/* Destination of equations: those of the branches of an if-equation are compared before they are
 * merged. */
typedef struct Writer {
    Instance *at;
    bool initial;
    Eqs *to; /* NULL: the System */
} Writer;

/* Operands lost[from ...] of the equations since `first`; is_array: in the order of the elements of
 * one array equation, if their numbers agree. */
static void keep_lost(Front *f, const Writer *w, uint32_t first, const ExprIds *lost, uint32_t from,
                      bool is_array)
{
    System *s = f->sys;
    uint32_t n = w->to || w->initial ? 0 : s->eq.n - first, n_lost = lost->n - from;
    bool by_element = is_array && n && n_lost % n == 0;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = by_element ? k : 0; j < n_lost; j += by_element ? n : 1)
            vec_push(s->mem, s->lost, ((LostOperand){{first + k}, lost->at[from + j]}));
}

static void write_eq(Front *f, const Writer *w, Eq e)
{
    e.origin = w->at->path;
    if (w->to)
        vec_push(f->scratch, *w->to, e);
    else if (w->initial)
        vec_push(f->sys->mem, f->sys->initial_eq, e);
    else
        system_add_eq(f->sys, e);
}

/* `other`: what the part that has no value would be equal to, or EXPR_NONE. */
static void report_unassigned(Front *f, ExprId other, Span span)
{
    bool is_var = expr_exists(other) && expr_op(f->sys->pool, other) == OP_VAR;
    const char *name = is_var ? var_at(f->sys, expr_var_of(f->sys->pool, other))->name.s : NULL;
    diag_error(f->diags, span, "T36", "a part of this value is never assigned%s%s%s",
               name ? ": that for '" : "", name ? name : "", name ? "'" : "");
}

/* MLS 10.6.1, 8.3.1: equality element by element, of records field by field. */
static void write_equality(Front *f, const Writer *w, const Value *a, const Value *b, Span span)
{
    if (a->kind == VALUE_RECORD) {
        for (uint32_t k = 0; k < a->n_fields; k++) {
            const Value *other = value_field(b, a->field_name[k]);
            write_equality(f, w, &a->field[k], other, span);
        }
        return;
    }
    uint32_t n = value_size(a);
    uint32_t group = a->n_dims && n ? system_new_group(f->sys) : GROUP_NONE;
    for (uint32_t k = 0; k < n; k++) {
        if (!expr_exists(a->elem[k]) || !expr_exists(b->elem[k])) {
            report_unassigned(f, expr_exists(a->elem[k]) ? a->elem[k] : b->elem[k], span);
            return;
        }
        Eq e = {.lhs = a->elem[k], .rhs = b->elem[k], .group = group, .index = k, .span = span};
        write_eq(f, w, e);
    }
}

/* MLS 6.4: the names of the fields count, not their order. */
static void order_fields(Front *f, Value *b, const Value *a)
{
    if (a->kind != VALUE_RECORD || b->kind != VALUE_RECORD || a->n_fields != b->n_fields)
        return;
    Value *field = arena_array(f->scratch, Value, a->n_fields + 1);
    for (uint32_t k = 0; k < a->n_fields; k++) {
        const Value *other = value_field(b, a->field_name[k]);
        if (!other)
            return;
        field[k] = *other;
        order_fields(f, &field[k], &a->field[k]);
    }
    b->field = field;
    b->field_name = a->field_name;
}

static bool equality_fits(Front *f, Value *a, Value *b, Span span)
{
    order_fields(f, b, a);
    bool empty = a->kind == VALUE_PLAIN && b->kind == VALUE_PLAIN && value_size(a) == 0;
    if (!empty && !types_unify(a, b)) {
        diag_error(f->diags, span, "T30", "an equation between %s and %s", type_text(f, a),
                   type_text(f, b));
        return false;
    }
    bool same = value_same_dims(a, b);
    for (uint32_t k = 0; same && k < a->n_fields; k++) {
        const Value *other = value_field(b, a->field_name[k]);
        same = other && value_same_dims(&a->field[k], other);
    }
    if (!same)
        diag_error(f->diags, span, "T32", "the sides of this equation differ in size: %s and %s",
                   type_text(f, a), type_text(f, b));
    if (!same)
        value_note_matrix(f, span, a, b);
    return same;
}

static bool is_solvable_type(Front *f, const Value *a, Span span)
{
    if (a->kind == VALUE_NONE) {
        diag_error(f->diags, span, "T30", "one side of this equation has no value");
        return false;
    }
    return true;
}

/* Whether a Real unknown is in x. */
static bool holds_real_unknown(System *s, ExprId x)
{
    if (expr_op(s->pool, x) == OP_VAR) {
        const Var *v = var_at(s, expr_var_of(s->pool, x));
        return v->type == TYPE_REAL && v->kind > VAR_PARAMETER;
    }
    for (uint32_t k = 0; k < expr_n_args(s->pool, x); k++)
        if (holds_real_unknown(s, expr_arg(s->pool, x, k)))
            return true;
    return false;
}

static bool is_unknown(System *s, ExprId x)
{
    return expr_exists(x) && expr_op(s->pool, x) == OP_VAR &&
           var_at(s, expr_var_of(s->pool, x))->kind > VAR_PARAMETER;
}

/* MLS 8.3.1, 3.8.5: an equation of an Integer and a Real is one of Reals, and is solved for such a
 * variable; in a when-equation or an initial one the left side is given the value of the other. */
static bool is_solvable_mixture(Front *f, const Value *a, const Value *b, bool initial, Span span)
{
    const Value *whole = a->type == TYPE_INTEGER ? a : b;
    const Value *real = whole == a ? b : a;
    if (a->kind != VALUE_PLAIN || b->kind != VALUE_PLAIN || whole->type != TYPE_INTEGER ||
        real->type != TYPE_REAL)
        return true;
    bool is_left_given = f->eval.in_when || initial;
    uint32_t n = value_size(whole);
    if (!value_same_dims(a, b) || n == 0)
        return true; /* reported elsewhere */
    if (is_left_given && whole == b)
        return true;
    for (uint32_t k = 0; k < n; k++) {
        ExprId i = whole->elem[k];
        if (!expr_exists(i) || !expr_exists(real->elem[k]) || !is_unknown(f->sys, i) ||
            (!is_left_given && holds_real_unknown(f->sys, real->elem[k])))
            continue;
        diag_error(f->diags, span, "T30",
                   "'%s' is an Integer and the other side a Real that determines no variable "
                   "(MLS 6.7, 8.3.1)",
                   var_at(f->sys, expr_var_of(f->sys->pool, i))->name.s);
        return false;
    }
    return true;
}

/* Does x use the variable, other than inside pre() and the like. */
static bool names(const SynExpr *x, Name name)
{
    static const char *const before[] = {"pre", "previous", "edge", "change"};
    if (!x)
        return false;
    if (x->kind == SYN_CREF)
        return name_same(x->cref->part[0].name, name);
    if (x->kind == SYN_INTEGER || x->kind == SYN_REAL || x->kind == SYN_STRING ||
        x->kind == SYN_BOOLEAN || x->kind == SYN_COLON || x->kind == SYN_END ||
        x->kind == SYN_MATRIX || x->kind == SYN_INDEX)
        return false;
    for (size_t k = 0; x->kind == SYN_CALL && k < sizeof before / sizeof *before; k++)
        if (x->cref->n == 1 && strcmp(x->cref->part[0].name.s, before[k]) == 0)
            return false;
    for (uint32_t k = 0; k < x->arg.n; k++)
        if (names(x->arg.at[k], name))
            return true;
    return false;
}

/* x with `value` in place of variable v. */
static ExprId with_value(Front *f, ExprId x, VarId v, ExprId value)
{
    ArenaMark mark = arena_mark(f->scratch);
    ExprId *of = arena_array(f->scratch, ExprId, v.i + 1);
    for (uint32_t k = 0; k < v.i; k++)
        of[k] = EXPR_NONE;
    of[v.i] = value;
    Substitution sub = {.value = of, .n = v.i + 1, .mem = f->scratch};
    ExprId y = expr_substitute(f->sys->pool, &sub, x);
    arena_rollback(f->scratch, mark);
    return y;
}

/* MLS 8.3.5: n = n + 1 in a when-equation is an equation that no n satisfies; the value before the
 * event is pre(n). False for such equations: tests numbers with three values, Booleans with
 * both. */
static bool gives_value(Front *f, const SynEquation *x, const Value *a, const Value *b)
{
    ExprPool *p = f->sys->pool;
    bool concerns = f->eval.in_when && x->lhs->kind == SYN_CREF &&
                    names(x->rhs, x->lhs->cref->part[0].name) && a->kind == VALUE_PLAIN &&
                    b->kind == VALUE_PLAIN && value_same_dims(a, b) &&
                    (a->type == TYPE_INTEGER || a->type == TYPE_REAL || a->type == TYPE_BOOLEAN);
    for (uint32_t k = 0; concerns && k < value_size(a); k++) {
        if (!is_unknown(f->sys, a->elem[k]) || !expr_exists(b->elem[k]))
            continue;
        VarId v = expr_var_of(p, a->elem[k]);
        bool never;
        if (a->type == TYPE_BOOLEAN) {
            ExprId yes = expr_int(p, 1), no = expr_int(p, 0);
            never = expr_same(with_value(f, b->elem[k], v, yes), no) &&
                    expr_same(with_value(f, b->elem[k], v, no), yes);
        } else {
            never = true;
            ExprId change = EXPR_NONE;
            for (long i = 0; i < 3 && never; i++) {
                ExprId at =
                    expr_sub(p, with_value(f, b->elem[k], v, expr_int(p, i)), expr_int(p, i));
                never = i == 0 || expr_same(at, change);
                change = at;
            }
            never = never && expr_is_zero(p, change) != YES;
        }
        if (!never)
            continue;
        const char *name = var_at(f->sys, v)->name.s;
        diag_error(f->diags, x->span, "F40",
                   "'%s' stands on both sides, so this equation does not determine it: its "
                   "previous value is pre(%s) (MLS 8.3.5)",
                   name, name);
        return false;
    }
    return true;
}

static void equal(Front *f, Scope *s, const Writer *w, const SynEquation *x)
{
    if (x->lhs->kind == SYN_TUPLE) {
        uint32_t n = x->lhs->arg.n;
        Value *b = arena_array(f->scratch, Value, n + 1);
        if (!eval_tuple(f, s, x->rhs, n, b))
            return;
        for (uint32_t k = 0; k < n; k++) {
            Value a;
            if (!x->lhs->arg.at[k])
                continue;
            if (eval(f, s, x->lhs->arg.at[k], &a) && equality_fits(f, &a, &b[k], x->span))
                write_equality(f, w, &a, &b[k], x->span);
        }
        return;
    }
    Value a;
    Value b;
    bool good = eval(f, s, x->lhs, &a);
    if (!eval(f, s, x->rhs, &b) || !good)
        return;
    if (!is_solvable_mixture(f, &a, &b, w->initial, x->span) || !gives_value(f, x, &a, &b))
        return;
    /* in a when-equation the variable on the left side is the one to solve for */
    bool is_mixture = a.kind == VALUE_PLAIN && b.kind == VALUE_PLAIN && a.type != b.type &&
                      (a.type == TYPE_INTEGER || b.type == TYPE_INTEGER) &&
                      (a.type == TYPE_REAL || b.type == TYPE_REAL) && !f->eval.in_when;
    uint32_t whole = a.type == TYPE_INTEGER ? 0 : 1;
    if (!is_solvable_type(f, &a, x->lhs->span) || !is_solvable_type(f, &b, x->rhs->span) ||
        !equality_fits(f, &a, &b, x->span))
        return;
    if (is_mixture && value_same_dims(&a, &b)) {
        Value rest = value_array(f->scratch, TYPE_REAL, a.n_dims, a.dims);
        Value zero = value_array(f->scratch, TYPE_REAL, a.n_dims, a.dims);
        for (uint32_t k = 0; k < value_size(&a); k++) {
            ExprId side[] = {a.elem[k], b.elem[k]};
            bool move = is_unknown(f->sys, side[whole]) && !is_unknown(f->sys, side[1 - whole]);
            rest.elem[k] = move ? expr_sub(f->sys->pool, side[0], side[1]) : side[0];
            zero.elem[k] = move ? expr_int(f->sys->pool, 0) : side[1];
        }
        a = rest;
        b = zero;
    }
    write_equality(f, w, &a, &b, x->span);
}

static void equations(Front *f, Scope *s, const Writer *w, const SynEquations *all);

static bool call_is(const SynExpr *x, const char *first, uint32_t n)
{
    return x->kind == SYN_CALL && x->cref->n == n && strcmp(x->cref->part[0].name.s, first) == 0;
}

static void call(Front *f, Scope *s, const SynEquation *x)
{
    const SynExpr *c = x->call;
    if (call_is(c, "assert", 1)) {
        function_assert_call(f, s, c);
    } else if (call_is(c, "Connections", 2)) {
        /* collected before */
    } else if (state_machine_equation(f, s, c)) {
        /* written when all are known */
    } else if (when_is_action(c)) {
        when_action(f, s, c);
    } else {
        /* for its assertions and side effects; results are dropped */
        eval_tuple(f, s, c, 0, NULL);
    }
}

/* Evaluates a condition; *known is its value if that is known at compile time. MLS 8.3.4: a
 * condition on parameters chooses the branch, so that branches may have different numbers of
 * equations. */
static bool condition(Front *f, Scope *s, const SynExpr *x, ExprId *cond, Truth *known)
{
    Value v;
    if (!eval(f, s, x, &v))
        return false;
    if (v.kind != VALUE_PLAIN || v.type != TYPE_BOOLEAN || v.n_dims) {
        diag_error(f->diags, x->span, "T31", "the condition of 'if' must be a Boolean, this is %s",
                   type_text(f, &v));
        return false;
    }
    *cond = v.elem[0];
    *known = UNKNOWN;
    double value;
    ExprId number;
    if (expr_constant(f->sys->pool, *cond, &value) ||
        (expr_is_fixed(f->sys->pool, *cond) && structural_value(f, *cond, &number) &&
         expr_constant(f->sys->pool, number, &value)))
        *known = value != 0 ? YES : NO;
    return true;
}

/* if c then a = b; else d = e; end if: (if c then a else d) = (if c then b else e) */
static void combine(Front *f, const Writer *w, uint32_t n, const ExprId *cond, const Eqs *branch)
{
    ExprPool *p = f->sys->pool;
    for (uint32_t k = 0; k < branch[0].n; k++) {
        Eq e = branch[n - 1].at[k];
        for (uint32_t j = n - 1; j-- > 0;) {
            const Eq *b = &branch[j].at[k];
            e.lhs = expr_select(p, cond[j], b->lhs, e.lhs);
            e.rhs = expr_select(p, cond[j], b->rhs, e.rhs);
            e.span = b->span;
            e.group = b->group;
            e.index = b->index;
        }
        write_eq(f, w, e);
    }
}

/* Equations of a branch in the order of the first branch's, as far as they have the same variable
 * on their left side: merged one by one, each determines one variable then, whichever branch holds.
 * In a when-equation all branches assign to the same variables, in any order (MLS 8.3.5.2). */
static void order_alike(Front *f, const Eqs *first, Eqs *branch)
{
    const ExprPool *p = f->sys->pool;
    Map at = map_new(f->scratch);
    for (uint32_t k = 0; k < branch->n; k++)
        if (expr_op(p, branch->at[k].lhs) == OP_VAR &&
            map_get(&at, branch->at[k].lhs.i) == MAP_NONE)
            map_put(&at, branch->at[k].lhs.i, k);
    Eq *to = arena_array(f->scratch, Eq, branch->n + 1);
    bool *is_filled = arena_array(f->scratch, bool, branch->n + 1);
    bool *is_taken = arena_array(f->scratch, bool, branch->n + 1);
    for (uint32_t k = 0; k < branch->n; k++) {
        uint32_t from =
            expr_op(p, first->at[k].lhs) == OP_VAR ? map_get(&at, first->at[k].lhs.i) : MAP_NONE;
        if (from == MAP_NONE || is_taken[from])
            continue;
        to[k] = branch->at[from];
        is_filled[k] = is_taken[from] = true;
    }
    for (uint32_t k = 0, from = 0; k < branch->n; k++) {
        if (is_filled[k])
            continue;
        while (is_taken[from])
            from++;
        to[k] = branch->at[from];
        is_taken[from] = true;
    }
    if (branch->n > 0)
        memcpy(branch->at, to, branch->n * sizeof *to);
}

static void if_equation(Front *f, Scope *s, const Writer *w, const SynEquation *x)
{
    ExprPool *p = f->sys->pool;
    ExprId *cond = arena_array(f->scratch, ExprId, x->n_branches + 1);
    Eqs *branch = arena_array(f->scratch, Eqs, x->n_branches + 1);
    uint32_t n = 0;
    bool had = f->eval.has_path;
    ExprId path = f->eval.path;
    ExprId before = had ? path : expr_int(p, 1);
    bool closed = false;
    for (uint32_t k = 0; k < x->n_branches && !closed; k++) {
        const SynEqBranch *b = &x->branch[k];
        Truth known = YES;
        ExprId c = expr_int(p, 1);
        if (b->condition && !condition(f, s, b->condition, &c, &known))
            return;
        if (known == NO)
            continue;
        if (known == YES && n == 0) {
            equations(f, s, w, &b->body);
            return;
        }
        Writer in = *w;
        in.to = &branch[n];
        f->eval.has_path = true;
        f->eval.path = known == YES ? before : expr_and(p, before, c);
        equations(f, s, &in, &b->body);
        f->eval.has_path = had;
        f->eval.path = path;
        before = expr_and(p, before, expr_not(p, c));
        cond[n++] = c;
        closed = known == YES;
    }
    if (n == 0)
        return;
    if (!closed)
        n++; /* an empty else */
    for (uint32_t k = 1; k < n; k++) {
        if (branch[k].n == branch[0].n)
            continue;
        diag_error(f->diags, x->span, "F05",
                   "the branches of this if-equation have %u and %u equations, and its condition "
                   "is not known when the model is compiled",
                   branch[0].n, branch[k].n);
        diag_note(
            f->diags, x->span,
            "each branch, that behind 'else', too, has an equation for each of its variables");
        return;
    }
    for (uint32_t k = 1; k < n; k++)
        order_alike(f, &branch[0], &branch[k]);
    combine(f, w, n, cond, branch);
}

/* MLS 16.6: general equations that hold when the clock ticks; they stay as they are. */
static void clocked_when(Front *f, Scope *s, const Writer *w, const SynEquation *x, ExprId clock)
{
    if (x->n_branches > 1 || f->eval.in_when) {
        diag_error(f->diags, x->span, "F05",
                   x->n_branches > 1 ? "a when-clause with a clock has no 'elsewhen' (MLS 16.6)"
                                     : "a when-clause with a clock is in no other (MLS 16.6)");
        return;
    }
    uint32_t first = f->sys->eq.n;
    f->eval.in_clocked = true;
    equations(f, s, w, &x->branch[0].body);
    f->eval.in_clocked = false;
    ClockedWhen when = {clock, first, f->sys->eq.n - first, x->span};
    vec_push(f->sys->mem, f->sys->clocked, when);
}

/* The equation of a branch that is for the same variable, or NULL. */
static const Eq *equation_for(const Eqs *branch, ExprId lhs)
{
    for (uint32_t k = 0; k < branch->n; k++)
        if (expr_same(branch->at[k].lhs, lhs))
            return &branch->at[k];
    return NULL;
}

/* One equation per variable that the branches assign; the first branch that fires decides. */
static void when_equation(Front *f, Scope *s, const Writer *w, const SynEquation *x)
{
    ExprPool *p = f->sys->pool;
    if (w->to || w->initial || f->eval.in_clocked) {
        diag_error(f->diags, x->span, "F05",
                   f->eval.in_clocked ? "a when-clause with a clock holds no other (MLS 16.6)"
                                      : "a when-equation cannot stand here (MLS 8.3.5.2)");
        return;
    }
    uint32_t n = x->n_branches;
    ExprId *fires = arena_array(f->scratch, ExprId, n);
    Eqs *branch = arena_array(f->scratch, Eqs, n);
    bool had = f->eval.has_path;
    ExprId path = f->eval.path;
    ExprId before = had ? path : expr_int(p, 1);
    for (uint32_t k = 0; k < n; k++) {
        bool is_clock;
        if (!when_fires(f, s, x->branch[k].condition, &fires[k], &is_clock))
            return;
        if (f->lookup->is_dump && dump_is_edge(x))
            fires[k] = dump_condition(f, s, x->branch[k].condition);
        if (is_clock) {
            clocked_when(f, s, w, x, fires[k]);
            return;
        }
        Writer in = *w;
        in.to = &branch[k];
        f->eval.has_path = true;
        f->eval.path = expr_and(p, before, fires[k]);
        f->eval.in_when = true;
        equations(f, s, &in, &x->branch[k].body);
        f->eval.in_when = false;
        f->eval.has_path = had;
        f->eval.path = path;
        before = expr_and(p, before, expr_not(p, fires[k]));
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t j = 0; j < branch[k].n; j++) {
            Eq e = branch[k].at[j];
            bool earlier = false;
            for (uint32_t i = 0; i < k; i++)
                earlier |= equation_for(&branch[i], e.lhs) != NULL;
            if (earlier)
                continue;
            if (expr_op(p, e.lhs) != OP_VAR) {
                diag_error(f->diags, e.span, "F05",
                           "an equation in a when-equation has a variable on its left side");
                return;
            }
            ExprId value = expr_wrap(p, OP_PRE, e.lhs);
            for (uint32_t i = n; i-- > 0;) {
                const Eq *other = equation_for(&branch[i], e.lhs);
                // an equation that is evaluated at events only makes none (MLS 3.7.2)
                ExprId then =
                    other ? expr_wrap(p, OP_NOEVENT, other->rhs) : expr_wrap(p, OP_PRE, e.lhs);
                value = expr_select(p, fires[i], then, value);
            }
            e.rhs = value;
            write_eq(f, w, e);
        }
    }
}

/* All expressions in equations, for the deduction of ranges. */
typedef VEC(SynExpr *) SynExprVec;

static void expressions_in(Front *f, const SynEquations *all, SynExprVec *out)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        const SynCref *ends[2] = {x->kind == SYN_EQ_CONNECT ? x->a : NULL,
                                  x->kind == SYN_EQ_CONNECT ? x->b : NULL};
        for (int j = 0; j < 2 && ends[j]; j++) {
            SynExpr *cref = arena_make(f->scratch, SynExpr);
            *cref = (SynExpr){.kind = SYN_CREF, .span = ends[j]->span, .cref = ends[j]};
            vec_push(f->scratch, *out, cref);
        }
        if (x->kind == SYN_EQ_EQUAL) {
            vec_push(f->scratch, *out, x->lhs);
            vec_push(f->scratch, *out, x->rhs);
        } else if (x->kind == SYN_EQ_CALL) {
            vec_push(f->scratch, *out, x->call);
        } else if (x->kind == SYN_EQ_FOR) {
            expressions_in(f, &x->body, out);
        } else if (x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN) {
            for (uint32_t j = 0; j < x->n_branches; j++)
                expressions_in(f, &x->branch[j].body, out);
        }
    }
}

bool equation_iteration(Front *f, Scope *s, const SynEquation *x, Iteration *out)
{
    SynExprVec all = {0};
    SynExpr body = {.kind = SYN_TUPLE, .span = x->span};
    for (uint32_t k = 0; k < x->n_iter && !all.n; k++)
        if (!x->iter[k].range)
            expressions_in(f, &x->body, &all);
    body.arg = (SynExprs){all.at, all.n};
    return iteration_new(f, s, x->n_iter, x->iter, &body, NULL, out);
}

static bool concerns(const EquationWalk *w, const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        if (w->concerns(x) || (x->kind == SYN_EQ_FOR && concerns(w, &x->body)))
            return true;
        for (uint32_t j = 0; (x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN) && j < x->n_branches;
             j++)
            if (concerns(w, &x->branch[j].body))
                return true;
    }
    return false;
}

static void walk(Front *f, Scope *s, Instance *i, const SynEquations *all, const EquationWalk *w)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        SynEquations one = {(SynEquation **)&all->at[k], 1};
        if (!concerns(w, &one))
            continue;
        ArenaMark mark = arena_mark(f->scratch);
        if (w->concerns(x)) {
            w->visit(f, s, i, x);
        } else if (x->kind == SYN_EQ_FOR) {
            Iteration it;
            bool good = equation_iteration(f, s, x, &it);
            for (uint32_t j = 0; good && j < it.total; j++) {
                ArenaMark inner = arena_mark(f->scratch);
                iteration_set(f, &it, j);
                walk(f, it.scope, i, &x->body, w);
                arena_rollback(f->scratch, inner);
            }
        } else if (x->kind == SYN_EQ_WHEN) {
            w->in_when(f, s, i, x);
        } else {
            for (uint32_t j = 0; j < x->n_branches; j++) {
                bool taken = true;
                if (x->branch[j].condition &&
                    !eval_boolean(f, s, x->branch[j].condition, w->condition, &taken))
                    break;
                if (taken) {
                    walk(f, s, i, &x->branch[j].body, w);
                    break;
                }
            }
        }
        arena_rollback(f->scratch, mark);
    }
}

void equations_walk(Front *f, Instance *i, const EquationWalk *w)
{
    for (uint32_t k = 0; k < i->cls->linear.n; k++) {
        const Class *c = i->cls->linear.at[k];
        for (uint32_t j = 0; c->syn && j < c->syn->n_sections; j++) {
            const SynSection *section = &c->syn->section[j];
            if (!section->algorithm && !section->initial)
                walk(f, instance_scope(f, i, c), i, &section->equations, w);
        }
    }
}

static void for_equation(Front *f, Scope *s, const Writer *w, const SynEquation *x)
{
    Iteration it;
    if (!equation_iteration(f, s, x, &it))
        return;
    for (uint32_t k = 0; k < it.total; k++) {
        ArenaMark mark = arena_mark(f->scratch);
        iteration_set(f, &it, k);
        equations(f, it.scope, w, &x->body);
        if (!w->to)
            arena_rollback(f->scratch, mark);
    }
}

static void equation_of_dump(Front *f, Scope *s, const Writer *w, const SynEquation *x)
{
    System *sys = f->sys;
    uint32_t before = w->initial ? sys->initial_eq.n : sys->eq.n;
    if (dump_is_derivative(x))
        return;
    equal(f, s, w, x);
    if (w->initial)
        dump_read_equation(f, s, x, before, sys->initial_eq.n, sys->initial_eq.at);
    else
        dump_read_equation(f, s, x, before, sys->eq.n, sys->eq.at);
}

static void equations(Front *f, Scope *s, const Writer *w, const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        ArenaMark mark = arena_mark(f->scratch);
        uint32_t first = f->sys->eq.n, n_lost = f->lost.n;
        switch (x->kind) {
        case SYN_EQ_EQUAL:
            if (f->lookup->is_dump && !w->to)
                equation_of_dump(f, s, w, x);
            else
                equal(f, s, w, x);
            break;
        case SYN_EQ_CALL:
            call(f, s, x);
            break;
        case SYN_EQ_CONNECT:
            break; /* collected before */
        case SYN_EQ_IF:
            if_equation(f, s, w, x);
            break;
        case SYN_EQ_FOR:
            for_equation(f, s, w, x);
            break;
        case SYN_EQ_WHEN:
            when_equation(f, s, w, x);
            break;
        }
        if (!w->to) { /* what branches lost is that of the equations merged from them */
            keep_lost(f, w, first, &f->lost, n_lost, x->kind == SYN_EQ_EQUAL);
            f->lost.n = n_lost;
            arena_rollback(f->scratch, mark);
        }
    }
}

/* MLS 4.4.2.1: a declaration equation. */
static void declaration_equations(Front *f, Instance *i)
{
    Writer w = {.at = i};
    for (uint32_t k = 0; k < instance_n_parts(i); k++) {
        Instance *c = instance_part(i, k);
        if (!c || c->parent != i || c->kind != INST_LEAF || c->variability <= VARIES_PARAMETER)
            continue;
        const Value *b = NULL;
        uint32_t first = f->sys->eq.n;
        if (!instance_binding(f, c, false, &b) || !b)
            continue;
        Span span = instance_binding_span(f, c);
        uint32_t group = c->n_dims && c->n ? system_new_group(f->sys) : GROUP_NONE;
        for (uint32_t j = 0; j < c->n; j++) {
            if (!expr_exists(b->elem[j])) {
                diag_error(f->diags, span, "T36", "a part of the value of '%s' is never assigned",
                           c->path);
                break;
            }
            Eq e = {.lhs = system_var_expr(f->sys, (VarId){c->var.i + j}),
                    .rhs = b->elem[j],
                    .group = group,
                    .index = j,
                    .span = span};
            write_eq(f, &w, e);
        }
        for (const Instance *of = c; of && (of == c || of->cls->kind == CLASS_RECORD);
             of = of->parent)
            if (instance_lost(f, of))
                keep_lost(f, &w, first, instance_lost(f, of), 0, of == c);
    }
}

static void write_assigned(Front *f, const Writer *w, const Value *variable, const Value *value,
                           Span span)
{
    for (uint32_t k = 0; k < variable->n_fields; k++)
        write_assigned(f, w, &variable->field[k], &value->field[k], span);
    uint32_t n = variable->kind == VALUE_PLAIN ? value_size(variable) : 0;
    uint32_t group = variable->n_dims && n ? system_new_group(f->sys) : GROUP_NONE;
    for (uint32_t k = 0; k < n; k++) {
        Eq e = {.lhs = variable->elem[k],
                .rhs = value->elem[k],
                .group = group,
                .index = k,
                .span = span};
        if (expr_exists(e.rhs))
            write_eq(f, w, e);
    }
}

/* MLS 11.1.2: a section gives a value to all elements of the arrays to which it assigns, and to
 * variables whose assignments are not reached. Noted, for unassigned_equations. */
static void note_unassigned(Front *f, const Writer *w, const Value *variable, const Value *value,
                            const Value *before, Span span)
{
    for (uint32_t k = 0; k < variable->n_fields; k++)
        note_unassigned(f, w, &variable->field[k], &value->field[k], &before->field[k], span);
    uint32_t size = variable->kind == VALUE_PLAIN ? value_size(variable) : 0;
    for (uint32_t k = 0; k < size; k++) {
        Eq e = {.lhs = variable->elem[k],
                .rhs = before->elem[k],
                .group = GROUP_NONE,
                .span = span,
                .origin = w->at->path};
        bool is_open = !expr_exists(value->elem[k]) && expr_exists(e.rhs);
        if (is_open && expr_op(f->sys->pool, e.lhs) == OP_VAR)
            vec_push(f->mem, f->lookup->unassigned, e);
    }
}

/* An element that an equation or a connection gives keeps that value: such models are common,
 * though MLS 11.1.2 has them twice determined. */
static void unassigned_equations(Front *f)
{
    System *s = f->sys;
    if (f->lookup->unassigned.n == 0)
        return;
    Map given = map_new(f->scratch);
    for (uint32_t k = 0; k < s->eq.n; k++)
        map_add(&given, s->eq.at[k].lhs.i);
    for (uint32_t k = 0; k < f->lookup->unassigned.n; k++) {
        const Eq *e = &f->lookup->unassigned.at[k];
        const uint32_t *set;
        uint32_t n = 0, outside = 2 * expr_var_of(s->pool, e->lhs).i + 1;
        bool is_connected = connections_set(f, outside, &set, &n) && n > 1;
        if (!is_connected && map_add(&given, e->lhs.i))
            system_add_eq(s, *e);
    }
}

/* MLS 11.1: each assigned variable equals its computed value. */
static void algorithm(Front *f, Scope *s, const Writer *w, const SynSection *section)
{
    Assigned *assigned;
    uint32_t n;
    uint32_t first = f->sys->eq.n, n_lost = f->lost.n;
    if (!eval_algorithm(f, s, &section->statements, &assigned, &n))
        return;
    for (uint32_t k = 0; k < n; k++)
        write_assigned(f, w, &assigned[k].variable, &assigned[k].value, section->span);
    for (uint32_t k = 0; !w->initial && k < n; k++)
        note_unassigned(f, w, &assigned[k].variable, &assigned[k].value, &assigned[k].before,
                        section->span);
    if (!w->initial && f->sys->eq.n > first + 1) /* the section has one clock (MLS 16.7) */
        vec_push(f->mem, f->lost, f->sys->eq.at[first].lhs);
    keep_lost(f, w, first, &f->lost, n_lost, false);
    f->lost.n = n_lost;
}

/* Assertions of a library that i is made of: what they say is of the component of the model. */
static void place_assertions(Front *f, const Instance *i, uint32_t from)
{
    System *s = f->sys;
    for (uint32_t k = from; k < s->assertion.n; k++) {
        Assertion *a = &s->assertion.at[k];
        UserPlace place = user_place(i, a->span);
        if (!place.path)
            continue;
        a->where = arena_printf(s->mem, "%s, in '%s' (%s)", diags_where(f->diags, place.at),
                                i->path, diags_where(f->diags, a->span));
        a->span = place.at;
    }
}

static void equations_in(Front *f, Instance *i)
{
    uint32_t assertion = f->sys->assertion.n, action = f->sys->action.n;
    declaration_equations(f, i);
    for (uint32_t k = 0; k < i->cls->linear.n; k++) {
        const Class *c = i->cls->linear.at[k];
        for (uint32_t j = 0; c->syn && j < c->syn->n_sections; j++) {
            const SynSection *section = &c->syn->section[j];
            Writer w = {.at = i, .initial = section->initial};
            Scope *scope = instance_scope(f, i, c);
            f->eval.in_initial = section->initial;
            if (section->algorithm)
                algorithm(f, scope, &w, section);
            else
                equations(f, scope, &w, &section->equations);
            f->eval.in_initial = false;
        }
    }
    state_machine_guard(f, i, assertion, action);
    place_assertions(f, i, assertion);
}

/* ---- the model ------------------------------------------------------------------------------- */

static void read_number(Front *f, Scope *s, const SynMod *experiment, const char *name, bool *has,
                        double *out)
{
    const SynArg *a = syn_mod_find(experiment, name);
    if (!a || !a->mod || !a->mod->value)
        return;
    Value v;
    *has = eval_structural(f, s, a->mod->value, "an experiment annotation", &v) &&
           value_is_scalar(&v) && expr_constant(f->sys->pool, v.elem[0], out);
}

/* MLS 18.4: of the class itself or the next one it is derived from. */
static void read_experiment(Front *f, Instance *root)
{
    for (uint32_t k = root->cls->linear.n; k-- > 0;) {
        const Class *c = root->cls->linear.at[k];
        const SynArg *a = c->syn ? syn_mod_find(c->syn->annotation, "experiment") : NULL;
        if (!a || !a->mod)
            continue;
        Scope *s = instance_scope(f, root, c);
        Experiment *x = &f->sys->experiment;
        read_number(f, s, a->mod, "StartTime", &x->has_start, &x->start);
        read_number(f, s, a->mod, "StopTime", &x->has_stop, &x->stop);
        read_number(f, s, a->mod, "Tolerance", &x->has_tolerance, &x->tolerance);
        read_number(f, s, a->mod, "Interval", &x->has_interval, &x->interval);
        return;
    }
}

static bool can_be_simulated(Front *f, const Class *c, Span span)
{
    bool is_model = c->kind == CLASS_OTHER && c->syn && !class_is(c, SYN_R_PACKAGE) &&
                    !class_is(c, SYN_R_OPERATOR) && !class_is_connector(c);
    if (!is_model) {
        bool says_so = c->syn && (class_is(c, SYN_R_MODEL) || class_is(c, SYN_R_BLOCK));
        const char *what = says_so  ? "derived from a type (MLS 7.1.3)"
                           : c->syn ? syn_restriction_phrase(c->syn->restriction)
                                    : "a predefined type";
        diag_error(f->diags, says_so ? c->syn->name_span : span, "N12", "%s is %s, not a model",
                   c->name, what);
        return false;
    }
    if (class_is_partial(c)) {
        diag_error(f->diags, span, "N12", "model %s is partial: it cannot be simulated by itself",
                   c->name);
        diag_note(f->diags, c->syn->name_span, "it is declared here");
        return false;
    }
    return true;
}

/* MLS 9.1.3: each round may let the next one see more. */
static void expand_connectors(Front *f, Instance *root)
{
    if (!f->lookup->has_expandable)
        return;
    do {
        expandable_begin(f);
        instances_visit(f, root, expandable_collect_in);
    } while (expandable_spread(f));
    instances_visit(f, root, make_children);
}

static Instance *model_root(Front *f, const SynInstance *x)
{
    Class *c = lookup_path_or_report(f, NULL, &x->path, "class");
    if (!c || !class_elaborate(f, c))
        return NULL;
    c = dump_model(f, c);
    if (!can_be_simulated(f, c, x->path.span))
        return NULL;
    Mod *m = mod_of_syntax(f, x->mod, NULL, -1);
    Env env = env_add(f, (Env){0}, m, NULL);
    bool into_class = env_check(f, env, c, true);
    if (into_class || env_has_redeclare(env)) {
        c = class_derive(f, c, env_redeclares(f, env), NULL);
        if (!class_elaborate(f, c))
            return NULL;
    }
    Instance *root = instance_root(f, c, env);
    if (env.n) {
        ModSource *s = arena_make(f->mem, ModSource);
        *s = env.at[0];
        s->at = root;
        root->env.at = root->inside.at = s;
    }
    return root;
}

/* MLS 8.6: without a value, a parameter has its start value. It was forgotten as a rule, and zero
 * makes wrong numbers of it. Once per array. */
static void tell_without_value(Front *f)
{
    enum { TOLD = 10 };
    System *s = f->sys;
    uint32_t n = 0, last = GROUP_NONE;
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (v->kind != VAR_PARAMETER || expr_exists(v->binding) || v->attr.fixed == NO ||
            v->is_hidden || v->type == TYPE_OBJECT || (v->group != GROUP_NONE && v->group == last))
            continue;
        last = v->group;
        if (n++ >= TOLD)
            continue;
        const char *is = v->type == TYPE_BOOLEAN       ? "false"
                         : v->type == TYPE_STRING      ? "\"\""
                         : v->type == TYPE_ENUMERATION ? "its first literal"
                                                       : "0";
        const char *path;
        Span at = v->span;
        bool is_inside = front_component_of(f, (VarId){k}, &path, &at) && at.file != v->span.file;
        (f->strict ? diag_error
                   : diag_warning)(f->diags, is_inside ? at : v->span, "F51",
                                   "parameter '%s' has no value: %s is taken where it is not set",
                                   v->name.s, expr_exists(v->attr.start) ? "its start value" : is);
        if (is_inside)
            diag_note(f->diags, v->span, "it is declared here");
    }
    if (n > TOLD)
        diag_warning(f->diags, SPAN_NONE, "F51", "%u more parameters have no value", n - TOLD);
}

/* Strings of the model that no text of the model determines. */
static void check_strings(Front *f)
{
    const System *s = f->sys;
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (v->type != TYPE_STRING)
            continue;
        if (v->kind == VAR_INPUT)
            front_unsupported(f, v->span, "T15",
                              "Strings as inputs of a model are not supported; give this one a "
                              "value in a model that has it as a component");
        else if (v->kind == VAR_PARAMETER && v->attr.fixed == NO)
            front_unsupported(f, v->span, "T15",
                              "Strings as parameters that initial equations determine "
                              "(fixed = false) are not supported");
    }
}

bool flatten(Front *f, const char *model)
{
    System *s = f->sys;
    uint32_t errors = diags_errors(f->diags);
    SynInstance x;
    s->model = arena_copy(s->mem, model, strlen(model));
    if (!parse_instance(s->mem, f->names, f->diags, model, &x))
        return false;
    Instance *root = model_root(f, &x);
    if (!root) {
        class_rules(f);
        return false;
    }
    f->lookup->root = root;
    const char *dumped = f->lookup->is_dump ? dump_unquoted(f->mem, root->cls->syn->name.s) : NULL;
    s->class_name = name_of(f->names, dumped ? dumped : root->cls->name);
    s->strict = f->strict;
    if (root->cls->syn->comment)
        s->description = name_of(f->names, root->cls->syn->comment);
    uint32_t n_parts;
    do { /* an inner component that was added has components of its own */
        n_parts = instance_n_parts(root);
        instances_visit(f, root, make_children);
    } while (instance_n_parts(root) > n_parts);
    expand_connectors(f, root);
    connections_begin(f);
    instances_visit(f, root, connections_collect_in);
    connections_decide(f);
    state_machines_collect(f, root);
    instances_visit(f, root, when_mark_in);
    instances_visit(f, root, values_in);
    check_cycles(f);
    instances_visit(f, root, equations_in);
    unassigned_equations(f);
    instances_visit(f, root, geometry_collect_in);
    terminals_collect(f, root);
    if (diags_errors(f->diags) == errors)
        balance_check(f, root);
    connections_equations(f);
    state_machines_equations(f, root);
    check_strings(f);
    section_starts(f);
    connections_loose(f, root);
    class_rules(f);
    if (!f->is_part && !f->lookup->is_dump && diags_errors(f->diags) == errors)
        tell_without_value(f);
    dump_finish(f, root);
    read_experiment(f, root);
    return diags_errors(f->diags) == errors;
}
