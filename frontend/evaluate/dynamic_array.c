#include "frontend/evaluate/dynamic_array.h"

#include "base/bug.h"
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function.h"
#include "frontend/evaluate/function_call.h"

#include <float.h>
#include <string.h>

typedef enum ViewKind {
    VIEW_RANGE,     /* first + (i - 1)*step                                  */
    VIEW_LINSPACE,  /* first + (i - 1)/(n - 1)*step                          */
    VIEW_SLICE,     /* of[0] with subscripts                                 */
    VIEW_MAP,       /* map(of[0][i, ...], ...)                               */
    VIEW_FILL,      /* of[0], behind n_lead subscripts that do not matter    */
    VIEW_DIAGONAL,  /* of[0], a vector or a scalar, where both are equal     */
    VIEW_TRANSPOSE, /* of[0][j, i]                                           */
    VIEW_PROMOTE,   /* of[0] with more dimensions of size 1 behind           */
    VIEW_TYPED,     /* of[0], as another type                                */
    VIEW_VECTOR,    /* of[0], a matrix of one column or one row, as a vector */
} ViewKind;

typedef enum SliceKind { SLICE_ALL, SLICE_SCALAR, SLICE_VECTOR } SliceKind;

typedef struct Slice {
    SliceKind kind;
    ExprId at;    /* SLICE_SCALAR */
    Value vector; /* SLICE_VECTOR */
} Slice;

typedef struct DynamicView {
    ViewKind kind;
    ExprId *size;             /* per dimension */
    ExprId first, step, last; /* last: of a range of at least one element */
    uint32_t n_of;
    const Value *of;
    const Slice *slice; /* per dimension of of[0] */
    DynamicMap map;
    void *self;
    uint32_t n_lead;
} DynamicView;

bool dynamic_allowed(const Front *f)
{
    return f->eval.emission && emission_is_here(f);
}

bool dynamic_holds(BaseType type)
{
    return type == TYPE_REAL || type == TYPE_INTEGER || type == TYPE_BOOLEAN ||
           type == TYPE_ENUMERATION;
}

bool dynamic_unsupported(Front *f, Span span, const char *what)
{
    diag_error(f->diags, span, "F33", "%s is not supported: its size is known in a run only", what);
    return false;
}

/* ---- Values ---------------------------------------------------------------------------- */

Value dynamic_shape(Arena *mem, BaseType type, const Class *cls, uint32_t rank)
{
    Value v = {.kind = VALUE_DYNAMIC, .type = type, .cls = cls, .n_dims = rank};
    v.dims = arena_array(mem, uint32_t, rank);
    v.elem = arena_make(mem, ExprId);
    return v;
}

Value dynamic_new(Front *f, Name name, BaseType type, const Class *cls, uint32_t rank)
{
    Value v = dynamic_shape(f->scratch, type, cls, rank);
    v.elem[0] = emission_local(f->eval.emission, name, type, rank);
    return v;
}

static Value temporary(Front *f, BaseType type, const Class *cls, uint32_t rank)
{
    return dynamic_new(f, name_of(f->names, "array"), type, cls, rank);
}

/* An expression of arrays. */
static Value view_new(Front *f, ViewKind kind, BaseType type, uint32_t rank, DynamicView **view)
{
    Value v = {.kind = VALUE_DYNAMIC, .type = type, .n_dims = rank};
    *view = arena_make(f->scratch, DynamicView);
    (*view)->kind = kind;
    (*view)->size = arena_array(f->scratch, ExprId, rank + 1);
    v.dims = arena_array(f->scratch, uint32_t, rank);
    v.view = *view;
    return v;
}

static Value view_of(Front *f, ViewKind kind, BaseType type, uint32_t rank, uint32_t n,
                     const Value *of, DynamicView **view)
{
    Value v = view_new(f, kind, type, rank, view);
    Value *own = arena_array(f->scratch, Value, n);
    memcpy(own, of, n * sizeof *own);
    (*view)->of = own;
    (*view)->n_of = n;
    v.cls = of[0].cls;
    return v;
}

ExprId dynamic_size(Front *f, const Value *v, uint32_t d)
{
    if (v->kind != VALUE_DYNAMIC)
        return expr_int(f->sys->pool, v->dims[d]);
    return v->view ? v->view->size[d] : expr_array_size(f->sys, v->elem[0], d + 1);
}

static ExprId minus_one(Front *f, ExprId x)
{
    return expr_sub(f->sys->pool, x, expr_int(f->sys->pool, 1));
}

/* An element of an array of known size. */
static ExprId plain_element(Front *f, const Value *v, const ExprId *index)
{
    ExprPool *p = f->sys->pool;
    uint32_t n = value_size(v);
    ExprId number = expr_int(p, 0);
    long known;
    for (uint32_t d = 0; d < v->n_dims; d++)
        number = expr_add(p, expr_mul(p, number, expr_int(p, v->dims[d])), minus_one(f, index[d]));
    if (expr_is_int(p, number, &known) && known >= 0 && known < (long)n)
        return v->elem[known];
    if (n == 0) /* none is ever taken */
        return expr_int(p, 0);
    ExprId *arg = arena_array(f->scratch, ExprId, n + 1);
    arg[0] = expr_add(p, number, expr_int(p, 1));
    bool same = true;
    for (uint32_t k = 0; k < n; k++) {
        arg[k + 1] = v->elem[k];
        same = same && expr_same(v->elem[k], v->elem[0]);
    }
    return same ? v->elem[0]
                : expr_proj(p, expr_call(p, function_element(f->sys, n), n + 1, arg), 0);
}

static bool element_scalar(Front *f, const Value *v, const ExprId *index, ExprId *out)
{
    Value x;
    if (!dynamic_element(f, v, index, &x))
        return false;
    *out = x.elem[0];
    return true;
}

static bool slice_element(Front *f, const DynamicView *w, const ExprId *index, Value *out)
{
    ExprId at[MOST_RANK] = {{0}};
    uint32_t next = 0;
    for (uint32_t d = 0; d < w->of[0].n_dims; d++) {
        const Slice *s = &w->slice[d];
        if (s->kind == SLICE_SCALAR)
            at[d] = s->at;
        else if (s->kind == SLICE_ALL)
            at[d] = index[next++];
        else if (!element_scalar(f, &s->vector, &index[next++], &at[d]))
            return false;
    }
    return dynamic_element(f, &w->of[0], at, out);
}

static bool map_element(Front *f, const DynamicView *w, const ExprId *index, Value *out)
{
    Value *arg = arena_array(f->scratch, Value, w->n_of);
    for (uint32_t k = 0; k < w->n_of; k++) {
        arg[k] = w->of[k];
        if (w->of[k].n_dims > 0 && !dynamic_element(f, &w->of[k], index, &arg[k]))
            return false;
    }
    return w->map(f, w->self, arg, out);
}

/* The element where row and column are equal, else 0. */
static bool diagonal_element(Front *f, const DynamicView *w, const ExprId *index, Value *out)
{
    ExprPool *p = f->sys->pool;
    Value on = w->of[0];
    if (on.n_dims > 0 && !dynamic_element(f, &w->of[0], index, &on))
        return false;
    ExprId equal = expr_compare(p, OP_EQ, index[0], index[1]);
    *out = value_scalar(f->scratch, on.type, expr_select(p, equal, on.elem[0], expr_int(p, 0)));
    return true;
}

/* Element i of a matrix of one column or one row. */
static bool vector_element(Front *f, const DynamicView *w, ExprId i, Value *out)
{
    ExprPool *p = f->sys->pool;
    ExprId one = expr_int(p, 1);
    ExprId is_column = expr_compare(p, OP_EQ, dynamic_size(f, &w->of[0], 1), one);
    ExprId at[2] = {expr_select(p, is_column, i, one), expr_select(p, is_column, one, i)};
    return dynamic_element(f, &w->of[0], at, out);
}

static bool view_element(Front *f, const DynamicView *w, const ExprId *index, Value *out)
{
    ExprPool *p = f->sys->pool;
    switch (w->kind) {
    case VIEW_RANGE:
        *out = value_scalar(f->scratch, TYPE_INTEGER,
                            expr_add(p, w->first, expr_mul(p, minus_one(f, index[0]), w->step)));
        return true;
    case VIEW_LINSPACE:
        *out = value_scalar(
            f->scratch, TYPE_REAL,
            expr_add(p, w->first,
                     expr_mul(p, w->step,
                              expr_div(p, minus_one(f, index[0]), minus_one(f, w->size[0])))));
        return true;
    case VIEW_SLICE:
        return slice_element(f, w, index, out);
    case VIEW_MAP:
        return map_element(f, w, index, out);
    case VIEW_FILL:
        return w->of[0].n_dims == 0 ? (*out = w->of[0], true)
                                    : dynamic_element(f, &w->of[0], index + w->n_lead, out);
    case VIEW_DIAGONAL:
        return diagonal_element(f, w, index, out);
    case VIEW_TRANSPOSE:
        return dynamic_element(f, &w->of[0], (const ExprId[]){index[1], index[0]}, out);
    case VIEW_VECTOR:
        return vector_element(f, w, index[0], out);
    case VIEW_PROMOTE:
    case VIEW_TYPED:
        return w->of[0].n_dims == 0 ? (*out = w->of[0], true)
                                    : dynamic_element(f, &w->of[0], index, out);
    }
    bug("view_element: kind %d", (int)w->kind);
}

bool dynamic_element(Front *f, const Value *v, const ExprId *index, Value *out)
{
    if (v->kind == VALUE_DYNAMIC && v->view) {
        if (!view_element(f, v->view, index, out))
            return false;
        out->type = v->type;
        return true;
    }
    ExprId x = v->kind == VALUE_DYNAMIC ? expr_array_element(f->sys, v->elem[0], v->n_dims, index)
                                        : plain_element(f, v, index);
    *out = value_scalar(f->scratch, v->type, x);
    out->cls = v->cls;
    return true;
}

/* The subscripts of element k, from 0 on, of an array of known sizes. */
static void subscripts_of(Front *f, const Value *plain, uint32_t k, ExprId *index)
{
    for (uint32_t d = plain->n_dims; d > 0; d--) {
        index[d - 1] = expr_int(f->sys->pool, k % plain->dims[d - 1] + 1);
        k /= plain->dims[d - 1];
    }
}

Value dynamic_typed(Front *f, const Value *v, BaseType type)
{
    if (v->type == type)
        return *v;
    DynamicView *view;
    Value out = view_of(f, VIEW_TYPED, type, v->n_dims, 1, v, &view);
    for (uint32_t d = 0; d < v->n_dims; d++)
        view->size[d] = dynamic_size(f, v, d);
    return out;
}

/* ---- Statements ------------------------------------------------------------------------ */

static void put_array_statement(Front *f, StatementKind kind, const Value *to, uint32_t n,
                                const ExprId *value, Span span)
{
    uint32_t *local = arena_make(f->mem, uint32_t);
    ExprId *own = arena_array(f->mem, ExprId, n);
    *local = expr_local_of(f->sys->pool, to->elem[0]);
    memcpy(own, value, n * sizeof *own);
    emission_put(f->eval.emission,
                 (Statement){.kind = kind, .n = n, .to = local, .value = own, .span = span});
}

static void put_element(Front *f, const Value *to, const ExprId *index, ExprId x, Span span)
{
    ExprId value[1 + MOST_RANK];
    value[0] = x;
    memcpy(value + 1, index, to->n_dims * sizeof *value);
    put_array_statement(f, STATEMENT_PUT, to, to->n_dims + 1, value, span);
}

/* Nested loops over all subscripts of an array. */
typedef struct Loops {
    uint32_t n;
    ExprId index[MOST_RANK];
    EmissionLoop loop[MOST_RANK];
} Loops;

static void loops_begin(Front *f, Loops *l, uint32_t n, const ExprId *size, Span span)
{
    l->n = n;
    for (uint32_t d = 0; d < n; d++)
        l->index[d] = emission_loop_begin(f->eval.emission, size[d], span, &l->loop[d]);
}

static void loops_end(Front *f, Loops *l)
{
    for (uint32_t d = l->n; d > 0; d--)
        emission_loop_end(f->eval.emission, &l->loop[d - 1]);
}

static bool good_rank(Front *f, uint32_t rank, Span span)
{
    if (rank <= MOST_RANK)
        return true;
    return dynamic_unsupported(f, span, "an array of so many dimensions");
}

/* The elements of v behind offset along a dimension of `to`. */
static bool put_elements(Front *f, const Value *to, const Value *v, uint32_t along, ExprId offset,
                         Span span)
{
    ExprPool *p = f->sys->pool;
    ExprId size[MOST_RANK] = {{0}}, at[MOST_RANK] = {{0}};
    if (v->kind == VALUE_PLAIN) {
        for (uint32_t k = 0; k < value_size(v); k++) {
            subscripts_of(f, v, k, at);
            at[along] = expr_add(p, at[along], offset);
            if (expr_exists(v->elem[k]))
                put_element(f, to, at, v->elem[k], span);
        }
        return true;
    }
    for (uint32_t d = 0; d < v->n_dims; d++)
        size[d] = dynamic_size(f, v, d);
    Loops l;
    loops_begin(f, &l, v->n_dims, size, span);
    memcpy(at, l.index, v->n_dims * sizeof *at);
    at[along] = expr_add(p, at[along], offset);
    ExprId x;
    bool ok = element_scalar(f, v, l.index, &x);
    if (ok)
        put_element(f, to, at, x, span);
    loops_end(f, &l);
    return ok;
}

static void resize(Front *f, const Value *to, const ExprId *size, Span span)
{
    put_array_statement(f, STATEMENT_RESIZE, to, to->n_dims, size, span);
}

/* All elements are 0. */
static bool is_zero(Front *f, const Value *v)
{
    const DynamicView *w = v->kind == VALUE_DYNAMIC ? v->view : NULL;
    return w && w->kind == VIEW_FILL && w->of[0].n_dims == 0 &&
           expr_is_zero(f->sys->pool, w->of[0].elem[0]) == YES;
}

bool dynamic_copy(Front *f, const Value *v, BaseType type, Span span, Value *out)
{
    ExprId size[MOST_RANK] = {{0}};
    if (!good_rank(f, v->n_dims, span))
        return false;
    Value to = temporary(f, type, v->cls, v->n_dims);
    for (uint32_t d = 0; d < v->n_dims; d++)
        size[d] = dynamic_size(f, v, d);
    resize(f, &to, size, span);
    bool ok = is_zero(f, v) || put_elements(f, &to, v, 0, expr_int(f->sys->pool, 0), span);
    *out = to; /* which may be v */
    return ok;
}

bool dynamic_store(Front *f, const Value *v, BaseType type, Span span, Value *out)
{
    if (v->kind == VALUE_DYNAMIC && !v->view && v->type == type) {
        *out = *v;
        return true;
    }
    return dynamic_copy(f, v, type, span, out);
}

static ExprId number_text(Front *f, ExprId x)
{
    return expr_text_of_number(f->sys, x, "%.0f");
}

static ExprId text(Front *f, const char *literal)
{
    return expr_string(f->sys->pool, name_of(f->names, literal));
}

/* Unless it is known to hold. */
static bool must_hold(Front *f, ExprId cond, ExprId message, Span span)
{
    double value;
    if (expr_constant(f->sys->pool, cond, &value) && value != 0)
        return true;
    return function_assert(f, cond, message, false, span);
}

static bool must_be_equal(Front *f, ExprId a, ExprId b, Span span)
{
    if (expr_same(a, b))
        return true;
    ExprId message = expr_join(f->sys, text(f, "sizes do not fit: "), number_text(f, a));
    message = expr_join(f->sys, message, text(f, " and "));
    message = expr_join(f->sys, message, number_text(f, b));
    return must_hold(f, expr_compare(f->sys->pool, OP_EQ, a, b), message, span);
}

bool dynamic_assert_size(Front *f, const Value *v, uint32_t d, ExprId size, Span span)
{
    return must_be_equal(f, dynamic_size(f, v, d), size, span);
}

bool dynamic_elements(Front *f, const Value *v, const Value *plain, Span span, ExprId *out)
{
    for (uint32_t d = 0; d < plain->n_dims; d++)
        if (!dynamic_assert_size(f, v, d, expr_int(f->sys->pool, plain->dims[d]), span))
            return false;
    for (uint32_t k = 0; k < value_size(plain); k++) {
        ExprId index[MOST_RANK];
        Value x;
        subscripts_of(f, plain, k, index);
        if (!dynamic_element(f, v, index, &x))
            return false;
        out[k] = x.elem[0];
    }
    return true;
}

/* Asserts that the subscripts from the lowest to the highest one are inside, unless there are none.
 */
static bool must_be_inside(Front *f, ExprId low, ExprId high, ExprId size, const ExprId *some,
                           Span span)
{
    ExprPool *p = f->sys->pool;
    ExprId inside = expr_and(p, expr_compare(p, OP_LE, expr_int(p, 1), low),
                             expr_compare(p, OP_LE, high, size));
    if (some)
        inside = expr_or(p, expr_not(p, *some), inside);
    ExprId message = expr_join(f->sys, text(f, "subscript "), number_text(f, low));
    if (some) {
        message = expr_join(f->sys, message, text(f, " or "));
        message = expr_join(f->sys, message, number_text(f, high));
    }
    message = expr_join(f->sys, message, text(f, " is outside 1 .. "));
    message = expr_join(f->sys, message, number_text(f, size));
    return must_hold(f, inside, message, span);
}

static bool range_inside(Front *f, const DynamicView *w, ExprId size, Span span)
{
    ExprPool *p = f->sys->pool;
    double step;
    bool is_known = expr_constant(p, w->step, &step), rises = is_known && step > 0;
    ExprId some = expr_compare(p, OP_LT, expr_int(p, 0), w->size[0]);
    ExprId low = is_known ? rises ? w->first : w->last : expr_fn2(p, FN2_MIN, w->first, w->last);
    ExprId high = is_known ? rises ? w->last : w->first : expr_fn2(p, FN2_MAX, w->first, w->last);
    return must_be_inside(f, low, high, size, &some, span);
}

/* ---- Subscripts ------------------------------------------------------------------------ */

typedef struct End {
    bool has, varies;
    uint32_t size;
    ExprId expr;
} End;

/* `end` is that size. */
static End end_begin(Front *f, const Value *v, uint32_t d)
{
    Evaluator *e = &f->eval;
    End before = {e->has_end, e->end_varies, e->end_size, e->end_expr};
    e->has_end = true;
    e->end_varies = v->kind == VALUE_DYNAMIC;
    if (e->end_varies)
        e->end_expr = dynamic_size(f, v, d);
    else
        e->end_size = v->dims[d];
    return before;
}

static void end_done(Front *f, const End *before)
{
    f->eval.has_end = before->has;
    f->eval.end_varies = before->varies;
    f->eval.end_size = before->size;
    f->eval.end_expr = before->expr;
}

/* Is there a subscript for which the claim holds? Evaluated without a trace. */
static bool has_subscript(Front *f, Scope *s, uint32_t n, SynExpr *const *subs, const Value *v,
                          bool (*claim)(Front *f, const Value *x))
{
    bool found = false;
    for (uint32_t k = 0; k < n && !found && v->kind == VALUE_PLAIN && k < v->n_dims; k++) {
        SynExprKind kind = subs[k]->kind;
        if (kind == SYN_COLON || kind == SYN_INTEGER || kind == SYN_END)
            continue;
        StatementList none = {0};
        StatementList *list = emission_redirect(f->eval.emission, &none);
        End end = end_begin(f, v, k);
        bool hidden = diags_hide(f->diags, true);
        Evaluator before = f->eval;
        Value x;
        found = expression_any(f, s, subs[k], &x) && claim(f, &x);
        f->eval = before;
        diags_hide(f->diags, hidden);
        end_done(f, &end);
        emission_redirect(f->eval.emission, list);
    }
    return found;
}

static bool is_dynamic(Front *f, const Value *x)
{
    (void)f;
    return x->kind == VALUE_DYNAMIC;
}

static bool varies(Front *f, const Value *x)
{
    return value_varies(f, x);
}

bool dynamic_is_slice(Front *f, Scope *s, uint32_t n, SynExpr *const *subs, const Value *v)
{
    return has_subscript(f, s, n, subs, v, is_dynamic);
}

bool dynamic_is_moving(Front *f, Scope *s, uint32_t n, SynExpr *const *subs, const Value *v)
{
    return has_subscript(f, s, n, subs, v, varies);
}

/* All elements of the vector are inside of a dimension of that size. */
static bool vector_inside(Front *f, const Value *vector, ExprId size, Span span)
{
    ExprId n = dynamic_size(f, vector, 0);
    if (vector->kind == VALUE_DYNAMIC && vector->view && vector->view->kind == VIEW_RANGE)
        return range_inside(f, vector->view, size, span);
    if (vector->kind == VALUE_PLAIN) {
        for (uint32_t k = 0; k < vector->dims[0]; k++)
            if (!must_be_inside(f, vector->elem[k], vector->elem[k], size, NULL, span))
                return false;
        return true;
    }
    Loops l;
    loops_begin(f, &l, 1, &n, span);
    ExprId x;
    bool ok = element_scalar(f, vector, l.index, &x) && must_be_inside(f, x, x, size, NULL, span);
    loops_end(f, &l);
    return ok;
}

static bool slice_of(Front *f, Scope *s, const Value *v, uint32_t d, const SynExpr *x, Slice *out)
{
    if (!x || x->kind == SYN_COLON) {
        *out = (Slice){.kind = SLICE_ALL};
        return true;
    }
    End end = end_begin(f, v, d);
    Value at;
    bool ok = expression_any(f, s, x, &at);
    end_done(f, &end);
    if (!ok)
        return false;
    ExprId size = dynamic_size(f, v, d);
    bool is_array = at.kind == VALUE_PLAIN || at.kind == VALUE_DYNAMIC;
    if (!is_array || at.type == TYPE_REAL || !dynamic_holds(at.type) || at.n_dims > 1) {
        diag_error(f->diags, x->span, "T06",
                   "a subscript is an Integer, Boolean or enumeration, or a vector of them; this "
                   "is %s",
                   type_text(f, &at));
        return false;
    }
    if (at.type == TYPE_BOOLEAN)
        return dynamic_unsupported(f, x->span, "a Boolean as a subscript of an array");
    if (at.n_dims == 1) {
        *out = (Slice){.kind = SLICE_VECTOR, .vector = at};
        return vector_inside(f, &at, size, x->span);
    }
    *out = (Slice){.kind = SLICE_SCALAR, .at = at.elem[0]};
    return must_be_inside(f, at.elem[0], at.elem[0], size, NULL, x->span);
}

static bool slices_of(Front *f, Scope *s, const Value *v, uint32_t n, SynExpr *const *subs,
                      Span span, Slice *out)
{
    if (n > v->n_dims) {
        diag_error(f->diags, span, "T04", "%u subscripts for %s", n, type_text(f, v));
        return false;
    }
    if ((v->kind != VALUE_DYNAMIC && v->kind != VALUE_PLAIN) || !dynamic_holds(v->type))
        return dynamic_unsupported(f, span, "a part of an array of Strings or records");
    if (!good_rank(f, v->n_dims, span))
        return false;
    for (uint32_t d = 0; d < v->n_dims; d++)
        if (!slice_of(f, s, v, d, d < n ? subs[d] : NULL, &out[d]))
            return false;
    return true;
}

static Value slice_view(Front *f, const Value *v, const Slice *slice)
{
    uint32_t rank = 0;
    for (uint32_t d = 0; d < v->n_dims; d++)
        rank += slice[d].kind != SLICE_SCALAR;
    DynamicView *view;
    Value out = view_of(f, VIEW_SLICE, v->type, rank, 1, v, &view);
    view->slice = slice;
    uint32_t next = 0;
    for (uint32_t d = 0; d < v->n_dims; d++)
        if (slice[d].kind == SLICE_ALL)
            view->size[next++] = dynamic_size(f, v, d);
        else if (slice[d].kind == SLICE_VECTOR)
            view->size[next++] = dynamic_size(f, &slice[d].vector, 0);
    return out;
}

bool dynamic_subscript(Front *f, Scope *s, const Value *v, uint32_t n, SynExpr *const *subs,
                       Span span, Value *out)
{
    Slice *slice = arena_array(f->scratch, Slice, v->n_dims + 1);
    if (!slices_of(f, s, v, n, subs, span, slice))
        return false;
    Value w = slice_view(f, v, slice);
    if (w.n_dims > 0)
        *out = w;
    else if (!slice_element(f, w.view, NULL, out))
        return false;
    out->cls = v->cls;
    return true;
}

bool dynamic_assign_part(Front *f, Scope *s, const Value *v, uint32_t n, SynExpr *const *subs,
                         Span span, const Value *value)
{
    Slice *slice = arena_array(f->scratch, Slice, v->n_dims + 1);
    if (!slices_of(f, s, v, n, subs, span, slice))
        return false;
    Value part = slice_view(f, v, slice);
    ExprId at[MOST_RANK] = {{0}};
    for (uint32_t d = 0; d < v->n_dims; d++)
        at[d] = slice[d].at;
    if (part.n_dims != value->n_dims) {
        diag_error(f->diags, span, "T08", "%s cannot take %s: types or sizes differ",
                   type_text(f, &part), type_text(f, value));
        return false;
    }
    if (part.n_dims == 0) {
        put_element(f, v, at, value->elem[0], span);
        return true;
    }
    for (uint32_t d = 0; d < part.n_dims; d++)
        if (!must_be_equal(f, dynamic_size(f, &part, d), dynamic_size(f, value, d), span))
            return false;
    Value own; /* a[2:n] := a[1:n - 1] */
    if (!dynamic_copy(f, value, v->type, span, &own))
        return false;
    Loops l;
    loops_begin(f, &l, part.n_dims, part.view->size, span);
    uint32_t next = 0;
    bool ok = true;
    for (uint32_t d = 0; ok && d < v->n_dims; d++) {
        if (slice[d].kind == SLICE_ALL)
            at[d] = l.index[next++];
        else if (slice[d].kind == SLICE_VECTOR)
            ok = element_scalar(f, &slice[d].vector, &l.index[next++], &at[d]);
    }
    Value x;
    ok = ok && dynamic_element(f, &own, l.index, &x);
    if (ok)
        put_element(f, v, at, x.elem[0], span);
    loops_end(f, &l);
    return ok;
}

/* ---- Constructors ---------------------------------------------------------------------- */

bool dynamic_range(Front *f, Span span, ExprId first, ExprId step, ExprId last, Value *out)
{
    ExprPool *p = f->sys->pool;
    DynamicView *view;
    ExprId is_step = expr_not(p, expr_compare(p, OP_EQ, step, expr_int(p, 0)));
    if (!must_hold(f, is_step, text(f, "the step of a range is zero"), span))
        return false;
    *out = view_new(f, VIEW_RANGE, TYPE_INTEGER, 1, &view);
    view->first = first;
    view->step = step;
    ExprId steps = expr_div(p, expr_sub(p, last, first), step);
    bool is_every = expr_is(p, step, 1) || expr_is(p, step, -1);
    if (!is_every)
        steps = expr_fn(p, FN_FLOOR, steps);
    view->last = is_every ? last : expr_add(p, first, expr_mul(p, steps, step));
    view->size[0] = expr_fn2(p, FN2_MAX, expr_int(p, 0), expr_add(p, steps, expr_int(p, 1)));
    return true;
}

bool dynamic_dimension(Front *f, Scope *s, const SynExpr *x, ExprId *out, bool *varies)
{
    Value v;
    ExprId known;
    if (!expression_value(f, s, x, &v))
        return false;
    if (!value_is_scalar(&v) || v.type != TYPE_INTEGER) {
        diag_error(f->diags, x->span, "T03", "an array size must be an Integer, this is %s",
                   type_text(f, &v));
        return false;
    }
    *out = v.elem[0];
    *varies = !structural_value(f, v.elem[0], &known);
    if (!*varies)
        *out = known;
    return true;
}

bool dynamic_fill(Front *f, Span span, const Value *v, uint32_t n, const ExprId *size, Value *out)
{
    if ((v->kind != VALUE_PLAIN && v->kind != VALUE_DYNAMIC) || !dynamic_holds(v->type))
        return dynamic_unsupported(f, span, "an array of Strings or records");
    DynamicView *view;
    *out = view_of(f, VIEW_FILL, v->type, n + v->n_dims, 1, v, &view);
    view->n_lead = n;
    for (uint32_t d = 0; d < n + v->n_dims; d++)
        view->size[d] = d < n ? size[d] : dynamic_size(f, v, d - n);
    return true;
}

bool dynamic_linspace(Front *f, Span span, ExprId a, ExprId b, ExprId n, Value *out)
{
    ExprPool *p = f->sys->pool;
    DynamicView *view;
    ExprId enough = expr_compare(p, OP_LE, expr_int(p, 2), n);
    if (!must_hold(f, enough, text(f, "'linspace' needs at least 2 points"), span))
        return false;
    *out = view_new(f, VIEW_LINSPACE, TYPE_REAL, 1, &view);
    view->first = a;
    view->step = expr_sub(p, b, a);
    view->size[0] = n;
    return true;
}

bool dynamic_diagonal(Front *f, const Value *v, ExprId n, Value *out)
{
    DynamicView *view;
    *out = view_of(f, VIEW_DIAGONAL, v->type, 2, 1, v, &view);
    view->size[0] = view->size[1] = n;
    return true;
}

bool dynamic_transpose(Front *f, Span span, const Value *v, Value *out)
{
    DynamicView *view;
    if (v->n_dims != 2)
        return dynamic_unsupported(f, span, "'transpose' of an array that is no matrix");
    *out = view_of(f, VIEW_TRANSPOSE, v->type, 2, 1, v, &view);
    view->size[0] = dynamic_size(f, v, 1);
    view->size[1] = dynamic_size(f, v, 0);
    return true;
}

bool dynamic_vector(Front *f, Span span, const Value *v, Value *out)
{
    ExprPool *p = f->sys->pool;
    DynamicView *view;
    *out = *v;
    if (v->n_dims == 1)
        return true;
    if (v->n_dims != 2)
        return dynamic_unsupported(f, span, "'vector' of an array that is no matrix");
    ExprId rows = dynamic_size(f, v, 0), columns = dynamic_size(f, v, 1), one = expr_int(p, 1);
    ExprId fits =
        expr_or(p, expr_compare(p, OP_EQ, rows, one), expr_compare(p, OP_EQ, columns, one));
    if (!must_hold(f, fits, text(f, "'vector' of a matrix of several rows and columns"), span))
        return false;
    Value w = view_of(f, VIEW_VECTOR, v->type, 1, 1, v, &view);
    view->size[0] = expr_mul(p, rows, columns);
    *out = w;
    return true;
}

bool dynamic_scalar(Front *f, Span span, const Value *v, Value *out)
{
    ExprId index[MOST_RANK] = {{0}};
    for (uint32_t d = 0; d < v->n_dims; d++) {
        index[d] = expr_int(f->sys->pool, 1);
        if (!must_be_equal(f, dynamic_size(f, v, d), index[d], span))
            return false;
    }
    return dynamic_element(f, v, index, out);
}

bool dynamic_promote(Front *f, const Value *v, uint32_t rank, Value *out)
{
    DynamicView *view;
    Value w = view_of(f, VIEW_PROMOTE, v->type, rank, 1, v, &view);
    for (uint32_t d = 0; d < rank; d++)
        view->size[d] = d < v->n_dims ? dynamic_size(f, v, d) : expr_int(f->sys->pool, 1);
    *out = w;
    return true;
}

/* ---- Operations ------------------------------------------------------------------------ */

bool dynamic_map(Front *f, Span span, BaseType type, DynamicMap map, void *self, uint32_t n,
                 const Value *of, Value *out)
{
    const Value *shape = NULL;
    for (uint32_t k = 0; k < n; k++) {
        if (of[k].n_dims == 0)
            continue;
        if (!shape) {
            shape = &of[k];
            continue;
        }
        if (of[k].n_dims != shape->n_dims) {
            diag_error(f->diags, span, "T02", "sizes do not fit: %s and %s", type_text(f, shape),
                       type_text(f, &of[k]));
            return false;
        }
        for (uint32_t d = 0; d < shape->n_dims; d++)
            if (!must_be_equal(f, dynamic_size(f, shape, d), dynamic_size(f, &of[k], d), span))
                return false;
    }
    DynamicView *view;
    Value v = view_of(f, VIEW_MAP, type, shape->n_dims, n, of, &view);
    v.cls = NULL;
    view->map = map;
    view->self = self;
    for (uint32_t d = 0; d < shape->n_dims; d++)
        view->size[d] = dynamic_size(f, shape, d);
    *out = v;
    return true;
}

typedef struct Operation {
    SynOp op;
    Span span;
} Operation;

static bool operate(Front *f, void *self, const Value *arg, Value *out)
{
    const Operation *o = self;
    return operator_binary(f, o->op, o->span, &arg[0], &arg[1], out);
}

static bool operate_alone(Front *f, void *self, const Value *arg, Value *out)
{
    const Operation *o = self;
    return operator_unary(f, o->op, o->span, &arg[0], out);
}

static Operation *operation(Front *f, SynOp op, Span span)
{
    Operation *o = arena_make(f->scratch, Operation);
    *o = (Operation){op, span};
    return o;
}

static bool bad_operands(Front *f, SynOp op, Span span, const Value *a, const Value *b)
{
    diag_error(f->diags, span, "T01", "operator '%s' is not defined for %s and %s", syn_op_text(op),
               type_text(f, a), type_text(f, b));
    return false;
}

static bool is_number(const Value *v)
{
    return (v->kind == VALUE_PLAIN || v->kind == VALUE_DYNAMIC) &&
           (v->type == TYPE_REAL || v->type == TYPE_INTEGER);
}

/* acc := acc + x */
static void accumulate(Front *f, ExprId acc, ExprId x, Span span)
{
    emission_set(f->eval.emission, acc, x, span);
}

/* sum(a[..., k]*b[k, ...]) */
static bool inner_product(Front *f, Span span, BaseType type, const Value *a, const Value *b,
                          const ExprId *row, const ExprId *column, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    ExprId acc = emission_local(f->eval.emission, name_of(f->names, "sum"), type, 0);
    ExprId n = dynamic_size(f, b, 0), x, y;
    accumulate(f, acc, expr_int(p, 0), span);
    Loops l;
    loops_begin(f, &l, 1, &n, span);
    ExprId at_a[2], at_b[2];
    at_a[0] = row ? *row : l.index[0];
    at_a[1] = l.index[0];
    at_b[0] = l.index[0];
    at_b[1] = column ? *column : l.index[0];
    bool ok = element_scalar(f, a, at_a, &x) && element_scalar(f, b, at_b, &y);
    if (ok)
        accumulate(f, acc, expr_add(p, acc, expr_mul(p, x, y)), span);
    loops_end(f, &l);
    *out = acc;
    return ok;
}

/* MLS 10.6.4 */
static bool multiply(Front *f, Span span, const Value *a, const Value *b, Value *out)
{
    BaseType type = a->type == TYPE_INTEGER && b->type == TYPE_INTEGER ? TYPE_INTEGER : TYPE_REAL;
    if (a->n_dims > 2 || b->n_dims > 2)
        return bad_operands(f, SYN_MUL, span, a, b);
    if (!must_be_equal(f, dynamic_size(f, a, a->n_dims - 1), dynamic_size(f, b, 0), span))
        return false;
    bool has_rows = a->n_dims == 2, has_columns = b->n_dims == 2;
    ExprId size[2], sum;
    uint32_t rank = 0;
    if (has_rows)
        size[rank++] = dynamic_size(f, a, 0);
    if (has_columns)
        size[rank++] = dynamic_size(f, b, 1);
    if (rank == 0) {
        if (!inner_product(f, span, type, a, b, NULL, NULL, &sum))
            return false;
        *out = value_scalar(f->scratch, type, sum);
        return true;
    }
    Value to = temporary(f, type, NULL, rank);
    resize(f, &to, size, span);
    Loops l;
    loops_begin(f, &l, rank, size, span);
    bool ok = inner_product(f, span, type, a, b, has_rows ? &l.index[0] : NULL,
                            has_columns ? &l.index[rank - 1] : NULL, &sum);
    if (ok)
        put_element(f, &to, l.index, sum, span);
    loops_end(f, &l);
    *out = to;
    return ok;
}

bool dynamic_binary(Front *f, SynOp op, Span span, const Value *a, const Value *b, Value *out)
{
    bool numeric = is_number(a) && is_number(b), scalar = a->n_dims == 0 || b->n_dims == 0;
    BaseType type = a->type == TYPE_INTEGER && b->type == TYPE_INTEGER ? TYPE_INTEGER : TYPE_REAL;
    const Value of[2] = {*a, *b};
    bool ok = numeric;
    switch (op) {
    case SYN_MUL:
        if (numeric && !scalar)
            return multiply(f, span, a, b, out);
        break;
    case SYN_ADD:
    case SYN_SUB:
        ok = numeric && !scalar;
        break;
    case SYN_EL_ADD:
    case SYN_EL_SUB:
    case SYN_EL_MUL:
        break;
    case SYN_EL_DIV:
    case SYN_EL_POW:
        type = TYPE_REAL;
        break;
    case SYN_DIV:
        ok = numeric && b->n_dims == 0;
        type = TYPE_REAL;
        break;
    case SYN_AND:
    case SYN_OR:
        ok = a->type == TYPE_BOOLEAN && b->type == TYPE_BOOLEAN && !scalar;
        type = TYPE_BOOLEAN;
        break;
    default:
        ok = false;
    }
    return ok ? dynamic_map(f, span, type, operate, operation(f, op, span), 2, of, out)
              : bad_operands(f, op, span, a, b);
}

bool dynamic_unary(Front *f, SynOp op, Span span, const Value *a, Value *out)
{
    bool fits = op == SYN_NOT ? a->type == TYPE_BOOLEAN : is_number(a);
    if (!fits)
        return bad_operands(f, op, span, a, a);
    return dynamic_map(f, span, a->type, operate_alone, operation(f, op, span), 1, a, out);
}

bool dynamic_select(Front *f, Span span, ExprId cond, const Value *a, const Value *b, Value *out)
{
    bool fits = a->type == b->type && a->n_dims == b->n_dims && dynamic_holds(a->type) &&
                (a->kind == VALUE_PLAIN || a->kind == VALUE_DYNAMIC) &&
                (b->kind == VALUE_PLAIN || b->kind == VALUE_DYNAMIC);
    if (!fits) {
        diag_error(f->diags, span, "T02", "the branches of 'if' are %s and %s", type_text(f, a),
                   type_text(f, b));
        return false;
    }
    Value to = temporary(f, a->type, a->cls, a->n_dims), own;
    struct Emission *e = f->eval.emission;
    Statement *it = emission_put(e, (Statement){.kind = STATEMENT_IF, .cond = cond, .span = span});
    StatementList *outer = emission_redirect(e, &it->body);
    bool ok = dynamic_copy(f, a, a->type, span, &own);
    if (ok)
        emission_move(e, to.elem[0], own.elem[0], span);
    emission_redirect(e, &it->otherwise);
    ok = ok && dynamic_copy(f, b, a->type, span, &own);
    if (ok)
        emission_move(e, to.elem[0], own.elem[0], span);
    emission_redirect(e, outer);
    *out = to;
    return ok;
}

bool dynamic_cat(Front *f, Span span, uint32_t along, uint32_t n, const Value *part, Value *out)
{
    ExprPool *p = f->sys->pool;
    ExprId size[MOST_RANK] = {{0}}, total = expr_int(p, 0);
    Value like = part[0];
    for (uint32_t k = 0; k < n; k++) {
        Value b = part[k];
        if (b.kind == VALUE_DYNAMIC)
            b.kind = VALUE_PLAIN;
        Value a = like;
        a.kind = VALUE_PLAIN;
        bool fits = (part[k].kind == VALUE_PLAIN || part[k].kind == VALUE_DYNAMIC) &&
                    types_unify(&a, &b) && b.n_dims == like.n_dims && dynamic_holds(a.type);
        if (!fits) {
            diag_error(f->diags, span, "T10", "%s and %s cannot be joined along dimension %u",
                       type_text(f, &part[0]), type_text(f, &part[k]), along + 1);
            return false;
        }
        like.type = a.type;
        for (uint32_t d = 0; k > 0 && d < like.n_dims; d++)
            if (d != along &&
                !must_be_equal(f, dynamic_size(f, &part[0], d), dynamic_size(f, &part[k], d), span))
                return false;
        total = expr_add(p, total, dynamic_size(f, &part[k], along));
    }
    if (!good_rank(f, like.n_dims, span))
        return false;
    for (uint32_t d = 0; d < like.n_dims; d++)
        size[d] = d == along ? total : dynamic_size(f, &part[0], d);
    Value to = temporary(f, like.type, like.cls, like.n_dims);
    resize(f, &to, size, span);
    ExprId offset = expr_int(p, 0);
    for (uint32_t k = 0; k < n; k++) {
        if (!put_elements(f, &to, &part[k], along, offset, span))
            return false;
        offset = expr_add(p, offset, dynamic_size(f, &part[k], along));
    }
    *out = to;
    return true;
}

/* ---- Reductions ------------------------------------------------------------------------ */

/* The value of a reduction of no elements (MLS 10.3.4). */
static ExprId fold_none(Front *f, DynamicFold fold, BaseType type)
{
    ExprPool *p = f->sys->pool;
    if (fold == FOLD_SUM || fold == FOLD_PRODUCT)
        return expr_int(p, fold == FOLD_PRODUCT);
    if (type == TYPE_INTEGER)
        return expr_int(p, fold == FOLD_MAX ? -INT32_MAX : INT32_MAX);
    return expr_double(p, fold == FOLD_MAX ? -DBL_MAX : DBL_MAX);
}

static ExprId fold_step(Front *f, DynamicFold fold, ExprId acc, ExprId x)
{
    ExprPool *p = f->sys->pool;
    switch (fold) {
    case FOLD_SUM:
        return expr_add(p, acc, x);
    case FOLD_PRODUCT:
        return expr_mul(p, acc, x);
    case FOLD_MIN:
    case FOLD_MAX:
        break;
    }
    return expr_fn2(p, fold == FOLD_MIN ? FN2_MIN : FN2_MAX, acc, x);
}

static const char *fold_name(DynamicFold fold)
{
    static const char *const name[] = {"sum", "product", "min", "max"};
    return name[fold];
}

bool dynamic_fold(Front *f, Span span, DynamicFold fold, const Value *v, Value *out)
{
    ExprId size[MOST_RANK] = {{0}}, x;
    if (!is_number(v)) {
        diag_error(f->diags, span, "T08", "'%s' of %s (MLS 10.3.4)", fold_name(fold),
                   type_text(f, v));
        return false;
    }
    ExprId acc = emission_local(f->eval.emission, name_of(f->names, fold_name(fold)), v->type, 0);
    accumulate(f, acc, fold_none(f, fold, v->type), span);
    for (uint32_t d = 0; d < v->n_dims; d++)
        size[d] = dynamic_size(f, v, d);
    Loops l;
    loops_begin(f, &l, v->n_dims, size, span);
    bool ok = element_scalar(f, v, l.index, &x);
    if (ok)
        accumulate(f, acc, fold_step(f, fold, acc, x), span);
    loops_end(f, &l);
    *out = value_scalar(f->scratch, v->type, acc);
    return ok;
}

/* ---- Iterators ------------------------------------------------------------------------- */

bool dynamic_ranges(Front *f, Scope *s, uint32_t n, const SynIter *iter, const SynExpr *body,
                    const SynStatements *statements, Value *range, bool *any)
{
    *any = false;
    for (uint32_t k = 0; k < n; k++) {
        range[k] = (Value){0};
        if (!iter[k].range) {
            if (!deduced_range(f, s, &iter[k], body, statements, &range[k]))
                return false;
        } else if (iter[k].range->kind == SYN_CREF) {
            /* a type, which is never dynamic, or a variable */
            Evaluator before = f->eval;
            bool hidden = diags_hide(f->diags, true);
            bool ok = expression_any(f, s, iter[k].range, &range[k]);
            f->eval = before;
            diags_hide(f->diags, hidden);
            if (!ok)
                range[k] = (Value){0};
        } else if (!expression_any(f, s, iter[k].range, &range[k])) {
            return false;
        }
        *any = *any || range[k].kind == VALUE_DYNAMIC;
    }
    for (uint32_t k = 0; *any && k < n; k++) {
        bool is_vector = (range[k].kind == VALUE_PLAIN || range[k].kind == VALUE_DYNAMIC) &&
                         range[k].n_dims == 1;
        if (!is_vector) {
            diag_error(f->diags, iter[k].span, "T13", "'%s' must run over a vector, this is %s",
                       iter[k].name.s, type_text(f, &range[k]));
            return false;
        }
    }
    return true;
}

/* Loops over the ranges of iterators, the last one outermost (MLS 10.4.1.2). */
typedef struct Iterators {
    Loops loops;
    Scope *scope;
} Iterators;

static bool iterators_begin(Front *f, Scope *s, Span span, uint32_t n, const SynIter *iter,
                            const Value *range, Iterators *out)
{
    ExprId size[MOST_RANK] = {{0}};
    if (!good_rank(f, n, span))
        return false;
    for (uint32_t d = 0; d < n; d++)
        size[d] = dynamic_size(f, &range[n - 1 - d], 0);
    loops_begin(f, &out->loops, n, size, span);
    Local *local = arena_array(f->scratch, Local, n);
    for (uint32_t k = 0; k < n; k++) {
        local[k].name = iter[k].name;
        if (!dynamic_element(f, &range[k], &out->loops.index[n - 1 - k], &local[k].value))
            return false;
    }
    out->scope = scope_locals(f, s, local, n);
    return true;
}

bool dynamic_comprehension(Front *f, Scope *s, Span span, uint32_t n, const SynIter *iter,
                           const Value *range, const SynExpr *body, Value *out)
{
    Value to = temporary(f, TYPE_REAL, NULL, n); /* its type and rank follow from an element */
    struct Emission *e = f->eval.emission;
    Statement *sizes = emission_put(e, (Statement){.kind = STATEMENT_RESIZE, .span = span});
    Iterators it;
    Value x;
    if (!iterators_begin(f, s, span, n, iter, range, &it))
        return false;
    bool ok = expression_value(f, it.scope, body, &x);
    if (ok && (x.kind != VALUE_PLAIN || !dynamic_holds(x.type)))
        ok = dynamic_unsupported(f, body->span, "an array of Strings or records");
    uint32_t rank = ok ? n + x.n_dims : n;
    ok = ok && good_rank(f, rank, span);
    if (ok) {
        Value full = dynamic_shape(f->scratch, x.type, x.cls, rank);
        full.elem[0] = to.elem[0];
        to = full;
        emission_retype(e, to.elem[0], x.type, rank);
        ExprId at[MOST_RANK] = {{0}};
        memcpy(at, it.loops.index, n * sizeof *at);
        for (uint32_t k = 0; k < value_size(&x); k++) {
            subscripts_of(f, &x, k, at + n);
            put_element(f, &to, at, x.elem[k], span);
        }
        uint32_t *local = arena_make(f->mem, uint32_t);
        ExprId *size = arena_array(f->mem, ExprId, rank);
        *local = expr_local_of(f->sys->pool, to.elem[0]);
        for (uint32_t d = 0; d < rank; d++)
            size[d] = d < n ? dynamic_size(f, &range[n - 1 - d], 0)
                            : expr_int(f->sys->pool, x.dims[d - n]);
        sizes->to = local;
        sizes->value = size;
        sizes->n = rank;
    }
    loops_end(f, &it.loops);
    *out = to;
    return ok;
}

bool dynamic_fold_iterated(Front *f, Scope *s, Span span, DynamicFold fold, uint32_t n,
                           const SynIter *iter, const Value *range, const SynExpr *body, Value *out)
{
    struct Emission *e = f->eval.emission;
    ExprId acc = emission_local(e, name_of(f->names, fold_name(fold)), TYPE_REAL, 0);
    uint32_t *to = arena_make(f->mem, uint32_t);
    ExprId *begin = arena_make(f->mem, ExprId);
    *to = expr_local_of(f->sys->pool, acc);
    emission_put(
        e, (Statement){.kind = STATEMENT_ASSIGN, .n = 1, .to = to, .value = begin, .span = span});
    Iterators it;
    Value x;
    *begin = expr_int(f->sys->pool, 0);
    if (!iterators_begin(f, s, span, n, iter, range, &it))
        return false;
    bool ok = expression_value(f, it.scope, body, &x);
    if (ok && (!value_is_scalar(&x) || !is_number(&x))) {
        diag_error(f->diags, span, "T08", "'%s' of %s (MLS 10.3.4)", fold_name(fold),
                   type_text(f, &x));
        ok = false;
    }
    if (ok) {
        emission_retype(e, acc, x.type, 0);
        *begin = fold_none(f, fold, x.type);
        accumulate(f, acc, fold_step(f, fold, acc, x.elem[0]), span);
        *out = value_scalar(f->scratch, x.type, acc);
    }
    loops_end(f, &it.loops);
    return ok;
}
