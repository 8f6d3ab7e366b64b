/* Functions that cannot be expanded, written down statement by statement. */
#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/resource.h"
#include "frontend/evaluate/unassigned.h"

#include <ctype.h>
#include <string.h>

enum { MAX_UNROLLED = 200 }; /* rounds of nested for-loops that are written one after the other */

/* Elements of a variable of an algorithm section, one after the other. */
typedef struct SectionElements {
    const ExprId *at;
    uint32_t n;
    Name name;
    BaseType type;
} SectionElements;

typedef struct Emission {
    Frame *fr;
    Body *body;
    StatementList *list;          /* the current one */
    Map local_of;                 /* address of a variable's element -> its local */
    VEC(SectionElements) section; /* they get their locals when they are assigned */
    uint32_t unrolled;            /* rounds of the for-loops around               */
    uint32_t breaks;              /* written so far                               */
    uint32_t loop_mark;           /* where the writes of the innermost loop begin */
    VEC(Write) left;              /* of branches that end in a break: `before` is the value there */
    bool has_returned;            /* then the outputs are in these:               */
    VEC(uint32_t) returned;
    uint32_t calls;      /* nested calls of functions around (Evaluator)                        */
    Map variable;        /* locals that are variables which are dynamic arrays                  */
    bool *is_dynamic;    /* per member: it is one from its declaration on                       */
    bool again;          /* one more is                                                         */
    const Value *wanted; /* per member: the shape that this output has for callers; or NULL     */
    Value *given;        /* per member: an output that is dynamic here, but not for callers     */
    Unassigned unassigned;
} Emission;

static ExprPool *pool_of(const Emission *e)
{
    return e->fr->f->sys->pool;
}

static uint32_t new_local(Emission *e, Name name, BaseType type)
{
    vec_push(e->fr->f->mem, e->body->local, ((BodyLocal){name, type, 0}));
    return e->body->local.n - 1;
}

static ExprId leaf(Emission *e, uint32_t local)
{
    return expr_local(pool_of(e), local);
}

static Statement *put(Emission *e, Statement st)
{
    Statement *at = arena_make(e->fr->f->mem, Statement);
    *at = st;
    vec_push(e->fr->f->mem, *e->list, at);
    return at;
}

/* ---- Dynamic arrays -------------------------------------------------------------------- */

bool emission_is_here(const Front *f)
{
    return f->eval.emission->calls == f->eval.calls;
}

ExprId emission_local(Emission *e, Name name, BaseType type, uint32_t rank)
{
    uint32_t k = new_local(e, name, type);
    e->body->local.at[k].rank = (uint8_t)rank;
    return leaf(e, k);
}

void emission_retype(Emission *e, ExprId local, BaseType type, uint32_t rank)
{
    BodyLocal *l = &e->body->local.at[expr_local_of(pool_of(e), local)];
    l->type = type;
    l->rank = (uint8_t)rank;
}

Statement *emission_put(Emission *e, Statement st)
{
    return put(e, st);
}

StatementList *emission_redirect(Emission *e, StatementList *list)
{
    StatementList *before = e->list;
    e->list = list;
    return before;
}

void emission_set(Emission *e, ExprId local, ExprId value, Span span)
{
    uint32_t *to = arena_make(e->fr->f->mem, uint32_t);
    ExprId *own = arena_make(e->fr->f->mem, ExprId);
    *to = expr_local_of(pool_of(e), local);
    *own = value;
    put(e, (Statement){.kind = STATEMENT_ASSIGN, .n = 1, .to = to, .value = own, .span = span});
}

void emission_move(Emission *e, ExprId to, ExprId from, Span span)
{
    uint32_t *both = arena_array(e->fr->f->mem, uint32_t, 2);
    both[0] = expr_local_of(pool_of(e), to);
    both[1] = expr_local_of(pool_of(e), from);
    put(e, (Statement){.kind = STATEMENT_MOVE, .to = both, .span = span});
}

ExprId emission_loop_begin(Emission *e, ExprId size, Span span, EmissionLoop *out)
{
    ExprPool *p = pool_of(e);
    Names *names = e->fr->f->names;
    ExprId one = expr_int(p, 1), last = size;
    out->counter = emission_local(e, name_of(names, "i"), TYPE_INTEGER, 0);
    out->span = span;
    if (!expr_is_num(p, size)) {
        last = emission_local(e, name_of(names, "last"), TYPE_INTEGER, 0);
        emission_set(e, last, size, span);
    }
    emission_set(e, out->counter, one, span);
    ExprId goes_on = expr_compare(p, OP_LE, out->counter, last);
    Statement *it = put(e, (Statement){.kind = STATEMENT_LOOP, .cond = goes_on, .span = span});
    out->outer = emission_redirect(e, &it->body);
    return out->counter;
}

void emission_loop_end(Emission *e, const EmissionLoop *l)
{
    ExprId next = expr_add(pool_of(e), l->counter, expr_int(pool_of(e), 1));
    emission_set(e, l->counter, next, l->span);
    e->list = l->outer;
}

/* The member becomes a dynamic array: the function is written down once more. False. */
static bool make_dynamic(Emission *e, uint32_t k, Span span)
{
    Frame *fr = e->fr;
    const Value *v = &fr->local[k].value;
    bool can = v->kind == VALUE_PLAIN && v->n_dims > 0 && v->n_dims <= MOST_RANK &&
               dynamic_holds(v->type) && !fr->m[k].is_input;
    e->again = e->again || can;
    unassigned_note_partial(fr, &e->unassigned, k);
    if (can)
        e->is_dynamic[k] = true;
    stuck(fr, span, "F33",
          "an array gets different sizes by a condition that depends on variables");
    return false;
}

Unassigned *emission_unassigned(const Front *f, Frame **fr)
{
    Emission *e = f->eval.emission;
    if (!e || !e->fr->c || !emission_is_here(f))
        return NULL;
    *fr = e->fr;
    return &e->unassigned;
}

void emission_again(Front *f)
{
    f->eval.emission->again = true;
    stuck(f->eval.emission->fr, f->eval.emission->fr->span, "T16",
          "a variable may be read before it has a value");
}

bool emission_make_dynamic(Frame *fr, uint32_t k, Span span)
{
    return make_dynamic(fr->emission, k, span);
}

bool emission_is_variable(const Emission *e, ExprId local)
{
    return map_get(&e->variable, expr_local_of(pool_of(e), local)) != MAP_NONE;
}

/* ---- Variables and their locals -------------------------------------------------------- */

/* A local for each scalar of v, in the order of its elements. */
static void give_locals(Emission *e, Name name, Value *v)
{
    Front *f = e->fr->f;
    for (uint32_t k = 0; k < v->n_fields; k++)
        give_locals(e, name_printf(f->names, "%s.%s", name.s, v->field_name[k].s), &v->field[k]);
    if (v->kind == VALUE_DYNAMIC) {
        Value own = dynamic_new(f, name, v->type, v->cls, v->n_dims);
        uint32_t local = expr_local_of(pool_of(e), own.elem[0]);
        *v = own;
        map_put(&e->variable, local, 0);
        map_put(&e->local_of, map_key_ptr(v->elem), local);
    }
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        Name own = v->n_dims ? name_printf(f->names, "%s[%u]", name.s, k + 1) : name;
        map_put(&e->local_of, map_key_ptr(&v->elem[k]), new_local(e, own, v->type));
    }
}

/* The local of an element of a variable of the section, which is none but while a loop of it is
 * written down. */
static uint32_t section_local(Emission *e, const ExprId *at)
{
    for (uint32_t k = 0; k < e->section.n; k++) {
        const SectionElements *v = &e->section.at[k];
        if ((uintptr_t)at < (uintptr_t)v->at || (uintptr_t)at >= (uintptr_t)(v->at + v->n))
            continue;
        uint32_t local = new_local(e, v->name, v->type);
        map_put(&e->local_of, map_key_ptr(at), local);
        return local;
    }
    return MAP_NONE;
}

static uint32_t local_at(Emission *e, const ExprId *at)
{
    uint32_t k = map_get(&e->local_of, map_key_ptr(at));
    return k == MAP_NONE ? section_local(e, at) : k;
}

void emission_copied(Frame *fr, const Value *v, const Value *copy)
{
    Emission *e = fr->emission;
    for (uint32_t k = 0; k < v->n_fields; k++)
        emission_copied(fr, &v->field[k], &copy->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t local = local_at(e, &v->elem[k]);
        if (local != MAP_NONE)
            map_put(&e->local_of, map_key_ptr(&copy->elem[k]), local);
    }
}

/* A constant is remembered, and is in its local too. */
static bool is_constant(const Emission *e, ExprId x)
{
    return expr_is_num(pool_of(e), x) || expr_op(pool_of(e), x) == OP_STRING;
}

/* An element after a branch: its value if both branches give the same, else the variable itself. */
static ExprId either(Emission *e, const ExprId *at, ExprId a, ExprId b)
{
    uint32_t k = local_at(e, at);
    if (expr_exists(a) && expr_exists(b) && expr_same(a, b))
        return a;
    return leaf(e, k);
}

typedef struct Assignment {
    VEC(uint32_t) to;
    VEC(ExprId) value;
} Assignment;

static void put_assignment(Emission *e, const Assignment *a, Span span)
{
    Arena *mem = e->fr->f->mem;
    uint32_t n = a->to.n;
    if (n == 0)
        return;
    uint32_t *to = arena_array(mem, uint32_t, n);
    ExprId *value = arena_array(mem, ExprId, n);
    memcpy(to, a->to.at, n * sizeof *to);
    memcpy(value, a->value.at, n * sizeof *value);
    put(e, (Statement){.kind = STATEMENT_ASSIGN, .n = n, .to = to, .value = value, .span = span});
}

/* The element's value goes to its local. */
static void assign_element(Emission *e, Assignment *a, ExprId *at)
{
    Front *f = e->fr->f;
    uint32_t k = local_at(e, at);
    if (!expr_exists(*at) || expr_same(*at, leaf(e, k)))
        return;
    vec_push(f->scratch, a->to, k);
    vec_push(f->scratch, a->value, *at);
    if (!is_constant(e, *at))
        *at = leaf(e, k);
}

static void assign_all(Emission *e, Assignment *a, Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        assign_all(e, a, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        assign_element(e, a, &v->elem[k]);
}

static Name name_of_whole(const Emission *e, const Value *whole)
{
    for (uint32_t k = 0; k < e->fr->n; k++)
        if (&e->fr->local[k].value == whole)
            return e->fr->m[k].name;
    return name_of(e->fr->f->names, "array");
}

void emission_assigned(Frame *fr, uint32_t mark, Span span)
{
    Emission *e = fr->emission;
    Assignment a = {0};
    Map done = map_new(fr->f->scratch);
    for (uint32_t k = mark; k < fr->write.n; k++) {
        const Write *w = &fr->write.at[k];
        const void *key = w->whole ? (const void *)w->whole : (const void *)w->at;
        if (map_get(&done, map_key_ptr(key)) != MAP_NONE)
            continue;
        map_put(&done, map_key_ptr(key), 0);
        if (w->whole) {
            give_locals(e, name_of_whole(e, w->whole), w->whole);
            assign_all(e, &a, w->whole);
        } else if (local_at(e, w->at) != MAP_NONE) {
            assign_element(e, &a, w->at);
        }
    }
    put_assignment(e, &a, span);
}

/* ---- Leaving --------------------------------------------------------------------------- */

/* The nodes in v->elem that have locals. */
static uint32_t n_locals(const Value *v)
{
    return v->kind == VALUE_DYNAMIC ? 1 : v->kind == VALUE_PLAIN ? value_size(v) : 0;
}

static void outputs_now(Emission *e, const Value *v, Span span)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        outputs_now(e, &v->field[k], span);
    uint32_t n = n_locals(v);
    for (uint32_t k = 0; k < n; k++)
        vec_push(e->fr->f->scratch, e->returned, local_at(e, &v->elem[k]));
}

/* An output that is a dynamic array here goes to the scalars that callers know. */
static bool give_output(Emission *e, const Value *from, const Value *to, Span span)
{
    Arena *mem = e->fr->f->scratch;
    Assignment a = {0};
    ExprId *element = arena_array(mem, ExprId, value_size(to) + 1);
    if (!dynamic_elements(e->fr->f, from, to, span, element))
        return false;
    for (uint32_t k = 0; k < value_size(to); k++) {
        vec_push(mem, a.to, local_at(e, &to->elem[k]));
        vec_push(mem, a.value, element[k]);
    }
    put_assignment(e, &a, span);
    return true;
}

/* The value of output k for callers. */
static const Value *output_value(const Emission *e, uint32_t k)
{
    return e->given[k].kind != VALUE_NONE ? &e->given[k] : &e->fr->local[k].value;
}

/* The outputs whose sizes are not declared become dynamic arrays, if there are any. False. */
static bool make_outputs_dynamic(Emission *e)
{
    Frame *fr = e->fr;
    for (uint32_t k = 0; k < fr->n; k++) {
        bool is_open = false;
        for (uint32_t d = 0; d < fr->m[k].n_dims; d++)
            is_open = is_open || fr->m[k].dims[d]->kind == SYN_COLON;
        if (fr->m[k].is_output && is_open && !e->is_dynamic[k])
            make_dynamic(e, k, fr->span);
    }
    stuck(fr, fr->span, "F33", "a result has different sizes where it returns");
    return false;
}

/* Records the locals of the outputs, which must be the same at every return. */
static bool note_outputs(Emission *e)
{
    Frame *fr = e->fr;
    for (uint32_t k = 0; k < fr->n; k++)
        if (e->given[k].kind != VALUE_NONE &&
            !give_output(e, &fr->local[k].value, &e->given[k], fr->m[k].span))
            return false;
    uint32_t *before = e->returned.at;
    uint32_t n = e->returned.n;
    e->returned.at = NULL;
    e->returned.n = e->returned.cap = 0;
    for (uint32_t k = 0; k < fr->n; k++)
        if (fr->m[k].is_output)
            outputs_now(e, output_value(e, k), fr->span);
    bool same =
        !e->has_returned ||
        (n == e->returned.n && (n == 0 || memcmp(before, e->returned.at, n * sizeof *before) == 0));
    e->has_returned = true;
    return same || make_outputs_dynamic(e);
}

/* The values of variables at a break. Statements behind its branch begin with the values that hold
 * without the branch; the statements behind the loop begin with either. */
static void note_left(Emission *e)
{
    Frame *fr = e->fr;
    Arena *mem = fr->f->scratch;
    for (uint32_t k = e->loop_mark; k < fr->write.n; k++) {
        Write w = fr->write.at[k];
        if (w.whole) {
            w.whole_before = value_copy(mem, w.whole);
            emission_copied(fr, w.whole, &w.whole_before);
        } else {
            w.before = *w.at;
        }
        vec_push(mem, e->left, w);
    }
}

bool emission_leave(Frame *fr, Flow flow, Span span)
{
    Emission *e = fr->emission;
    bool is_break = flow == GO_BREAK;
    bool ok = is_break || note_outputs(e);
    e->breaks += is_break;
    if (is_break)
        note_left(e);
    put(e, (Statement){.kind = is_break ? STATEMENT_BREAK : STATEMENT_RETURN, .span = span});
    return ok;
}

/* ---- Branches -------------------------------------------------------------------------- */

/* `whole` gets different sizes. False: it becomes a dynamic array, or this is an error. */
static bool sizes_differ(Emission *e, const Value *whole, Span span)
{
    for (uint32_t k = 0; k < e->fr->n; k++)
        if (&e->fr->local[k].value == whole)
            return make_dynamic(e, k, span);
    stuck(e->fr, span, "F33",
          "an array gets different sizes by a condition that depends on variables");
    return false;
}

static bool known_shape(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (known_shape(&v->field[k]))
            return true;
    return v->kind == VALUE_PLAIN && value_size(v) > 0;
}

static void forget(Emission *e, Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        forget(e, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        v->elem[k] = either(e, &v->elem[k], EXPR_NONE, EXPR_NONE);
}

/* The elements of `from` go to those of `to`, of equal shape, at the end of the list. */
static void copy_whole(Emission *e, StatementList *list, const Value *to, const Value *from,
                       Span span)
{
    StatementList *outer = e->list;
    e->list = list;
    uint32_t n = value_n_scalars(to);
    Arena *mem = e->fr->f->scratch;
    Assignment a = {0};
    for (uint32_t k = 0; k < to->n_fields; k++)
        copy_whole(e, list, &to->field[k], &from->field[k], span);
    for (uint32_t k = 0; to->kind == VALUE_PLAIN && k < n; k++) {
        vec_push(mem, a.to, local_at(e, &to->elem[k]));
        vec_push(mem, a.value, leaf(e, local_at(e, &from->elem[k])));
    }
    put_assignment(e, &a, span);
    e->list = outer;
}

static bool same_shape(const Value *a, const Value *b)
{
    if (!value_same_dims(a, b) || a->n_fields != b->n_fields)
        return false;
    for (uint32_t k = 0; k < a->n_fields; k++)
        if (!same_shape(&a->field[k], &b->field[k]))
            return false;
    return true;
}

/* An array that got another size in one of two branches, or both. */
static bool merge_whole(Emission *e, Statement *st, Value *at, const Value *yes, const Value *no)
{
    if (!known_shape(yes) || !known_shape(no)) {
        Value one = known_shape(yes) ? *yes : *no;
        log_whole(e->fr, at);
        *at = one;
        forget(e, at);
        return true;
    }
    if (!same_shape(yes, no))
        return sizes_differ(e, at, st->span);
    Value both = value_copy(e->fr->f->scratch, yes);
    give_locals(e, name_of_whole(e, at), &both);
    copy_whole(e, &st->body, &both, yes, st->span);
    copy_whole(e, &st->otherwise, &both, no, st->span);
    log_whole(e->fr, at);
    *at = both;
    forget(e, at);
    return true;
}

/* The frame is in the state that the second branch left, recorded since mark; `o` is that of the
 * first. Both become one. */
static bool merge(Emission *e, Statement *st, const Outcome *o, uint32_t mark)
{
    Frame *fr = e->fr;
    uint32_t n = fr->write.n;
    Map done = map_new(fr->f->scratch);
    for (uint32_t k = o->n; k-- > 0;) {
        const Write *w = &o->write[k];
        const void *key = w->whole ? (const void *)w->whole : (const void *)w->at;
        if (map_get(&done, map_key_ptr(key)) != MAP_NONE)
            continue;
        map_put(&done, map_key_ptr(key), 0);
        if (w->whole) {
            if (!merge_whole(e, st, w->whole, &w->whole_before, w->whole))
                return false;
        } else {
            ExprId now = either(e, w->at, w->before, *w->at);
            log_element(fr, w->at);
            *w->at = now;
        }
    }
    for (uint32_t k = mark; k < n; k++) {
        Write w = fr->write.at[k];
        const void *key = w.whole ? (const void *)w.whole : (const void *)w.at;
        if (map_get(&done, map_key_ptr(key)) != MAP_NONE)
            continue;
        map_put(&done, map_key_ptr(key), 0);
        if (w.whole) {
            Value now = *w.whole;
            if (!merge_whole(e, st, w.whole, &w.whole_before, &now))
                return false;
        } else {
            *w.at = either(e, w.at, w.before, *w.at);
        }
    }
    return true;
}

/* Repeats the writes of a branch that were undone. */
static void restore(Frame *fr, const Outcome *o)
{
    for (uint32_t k = 0; k < o->n; k++) {
        const Write *w = &o->write[k];
        if (w->whole) {
            log_whole(fr, w->whole);
            *w->whole = w->whole_before;
        } else {
            log_element(fr, w->at);
            *w->at = w->before;
        }
    }
}

Flow emission_if(Frame *fr, Scope *s, const SynStatement *st, uint32_t k, ExprId cond)
{
    Emission *e = fr->emission;
    StatementList *outer = e->list;
    Statement *it = put(
        e, (Statement){.kind = STATEMENT_IF, .cond = cond, .span = st->branch[k].condition->span});
    uint32_t mark = fr->write.n;
    e->list = &it->body;
    e->unassigned.depth++;
    Flow yes = run_list(fr, s, &st->branch[k].body);
    e->list = outer;
    if (yes == GO_FAILED)
        return yes;
    Outcome o = take_back(fr, mark);
    e->list = &it->otherwise;
    Flow no = run_if(fr, s, st, k + 1);
    e->unassigned.depth--;
    e->list = outer;
    if (no == GO_FAILED)
        return no;
    if (yes != GO_ON && no != GO_ON)
        return yes == GO_BREAK || no == GO_BREAK ? GO_BREAK : GO_RETURN;
    if (no != GO_ON) {
        take_back(fr, mark);
        restore(fr, &o);
    } else if (yes == GO_ON && !merge(e, it, &o, mark)) {
        return GO_FAILED;
    }
    return GO_ON;
}

/* ---- Loops ----------------------------------------------------------------------------- */

/* One round of a loop was run to find its writes and undone into `o`. The values of the written
 * variables are unknown at the start of the next round. True if they were unknown already. */
static bool forget_written(Emission *e, const Outcome *o, Span span, bool *ok)
{
    Frame *fr = e->fr;
    bool is_stable = true;
    for (uint32_t k = 0; *ok && k < o->n; k++) {
        const Write *w = &o->write[k];
        if (w->whole) {
            /* the first size that it gets is the one it has */
            if (known_shape(w->whole)) {
                *ok = sizes_differ(e, w->whole, span);
                return true;
            }
            Value now = value_copy(fr->f->scratch, &w->whole_before);
            give_locals(e, name_of_whole(e, w->whole), &now);
            forget(e, &now);
            log_whole(fr, w->whole);
            *w->whole = now;
            return false;
        }
        uint32_t local = local_at(e, w->at);
        if (local == MAP_NONE)
            continue;
        ExprId open = either(e, w->at, EXPR_NONE, EXPR_NONE);
        if (expr_same(*w->at, open))
            continue;
        log_element(fr, w->at);
        *w->at = open;
        is_stable = false;
    }
    return is_stable;
}

typedef struct Loop {
    const SynStatement *st;
    uint32_t iterator; /* of a for loop            */
    Scope *scope;      /*                          */
    Local *counter;    /* its value                */
    Bounds bounds;     /*                          */
    uint32_t at;       /* the local that counts    */
} Loop;

/* One round, with its condition, into the statement. */
static Flow write_round(Emission *e, const Loop *l, Statement *it)
{
    Frame *fr = e->fr;
    Front *f = fr->f;
    ExprPool *p = pool_of(e);
    ExprId one = expr_int(p, 1);
    e->list = &it->body;
    if (!l->counter) {
        ExprId cond;
        if (!expression_scalar(f, l->scope, l->st->value, TYPE_BOOLEAN, &cond))
            return GO_FAILED;
        it->cond = cond;
        if (it->body.n > 0) {
            /* looking at the condition takes statements itself */
            it->cond = one;
            Statement *leave = put(e, (Statement){.kind = STATEMENT_IF,
                                                  .cond = expr_not(p, cond),
                                                  .span = l->st->value->span});
            Statement *out = arena_make(f->mem, Statement);
            *out = (Statement){.kind = STATEMENT_BREAK, .span = l->st->value->span};
            vec_push(f->mem, leave->body, out);
        }
        return run_list(fr, l->scope, &l->st->body);
    }
    const Bounds *b = &l->bounds;
    ExprId i = leaf(e, l->at);
    ExprId up = expr_compare(p, OP_LE, i, b->last);
    ExprId down = expr_compare(p, OP_LE, b->last, i);
    it->cond = expr_select(p, expr_compare(p, OP_LT, expr_int(p, 0), b->step), up, down);
    Flow flow = run_round(fr, l->scope, l->st, l->iterator);
    if (flow == GO_ON) {
        Assignment a = {0};
        vec_push(f->scratch, a.to, l->at);
        vec_push(f->scratch, a.value, expr_add(p, i, b->step));
        put_assignment(e, &a, l->st->span);
    }
    return flow;
}

static Flow write_loop(Emission *e, const Loop *l)
{
    Frame *fr = e->fr;
    StatementList *outer = e->list;
    Statement *it = put(e, (Statement){.kind = STATEMENT_LOOP, .span = l->st->span});
    it->cond = expr_int(pool_of(e), 1);
    uint32_t breaks = e->breaks, outer_mark = e->loop_mark, n_left = e->left.n;
    const LoopAround around = {l->st, ++e->unassigned.depth, e->unassigned.around};
    e->unassigned.around = &around;
    bool ok = true;
    for (;;) {
        uint32_t mark = e->loop_mark = fr->write.n;
        e->left.n = n_left;
        it->body = (StatementList){0};
        Flow flow = write_round(e, l, it);
        e->list = outer;
        if (flow == GO_FAILED)
            return flow;
        Outcome o = take_back(fr, mark), left = {e->left.at + n_left, e->left.n - n_left};
        if (forget_written(e, &o, l->st->span, &ok) && forget_written(e, &left, l->st->span, &ok))
            break;
    }
    e->unassigned.around = around.outer;
    e->unassigned.depth--;
    e->breaks = breaks;
    e->left.n = n_left;
    e->loop_mark = outer_mark;
    return ok ? GO_ON : GO_FAILED;
}

Flow emission_while(Frame *fr, Scope *s, const SynStatement *st)
{
    ExprId cond;
    StatementList *outer = fr->emission->list;
    StatementList round = {0};
    fr->emission->list = &round;
    bool ok = expression_scalar(fr->f, s, st->value, TYPE_BOOLEAN, &cond);
    fr->emission->list = outer;
    if (!ok)
        return GO_FAILED;
    if (expression_truth(fr->f, cond) == NO)
        return GO_ON;
    return write_loop(fr->emission, &(Loop){.st = st, .scope = s});
}

/* A value that the loop keeps: a constant, or a local of its own. */
static ExprId kept_value(Emission *e, Assignment *a, const char *name, ExprId x, BaseType type)
{
    Front *f = e->fr->f;
    if (is_constant(e, x))
        return x;
    uint32_t k = new_local(e, name_of(f->names, name), type);
    vec_push(f->scratch, a->to, k);
    vec_push(f->scratch, a->value, x);
    return leaf(e, k);
}

/* `elements`: of a dynamic array, which the counter numbers, or NULL. */
static Flow counted_loop(Frame *fr, Scope *s, const SynStatement *st, uint32_t k, Bounds b,
                         const Value *elements)
{
    Emission *e = fr->emission;
    Front *f = fr->f;
    Assignment a = {0};
    Loop l = {.st = st, .iterator = k, .counter = arena_make(f->scratch, Local)};
    l.at = new_local(e, st->iter[k].name, b.type);
    vec_push(f->scratch, a.to, l.at);
    vec_push(f->scratch, a.value, b.first);
    l.bounds = b;
    l.bounds.step = kept_value(e, &a, "step", b.step, b.type);
    l.bounds.last = kept_value(e, &a, "last", b.last, b.type);
    put_assignment(e, &a, st->span);
    *l.counter = (Local){st->iter[k].name, value_scalar(f->scratch, b.type, leaf(e, l.at))};
    ExprId number = leaf(e, l.at);
    if (elements && !dynamic_element(f, elements, &number, &l.counter->value))
        return GO_FAILED;
    l.scope = scope_locals(f, s, l.counter, 1);
    return write_loop(e, &l);
}

/* The numbers of all elements of a vector. */
static Bounds all_of(Front *f, const Value *v)
{
    ExprId one = expr_int(f->sys->pool, 1);
    return (Bounds){.first = one, .step = one, .last = dynamic_size(f, v, 0), .type = TYPE_INTEGER};
}

/* for x in v, of a dynamic array v as it is in the beginning. */
static Flow element_loop(Frame *fr, Scope *s, const SynStatement *st, uint32_t k, const Value *v)
{
    Front *f = fr->f;
    Value own;
    if (!dynamic_copy(f, v, v->type, st->iter[k].span, &own))
        return GO_FAILED;
    return counted_loop(fr, s, st, k, all_of(f, &own), &own);
}

Flow emission_for(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    Emission *e = fr->emission;
    Bounds b;
    if (!range_bounds(fr, s, &st->iter[k], &b))
        return GO_FAILED;
    if (!b.known)
        return counted_loop(fr, s, st, k, b, NULL);
    Value elements;
    bool any;
    if (!dynamic_ranges(fr->f, s, 1, &st->iter[k], NULL, &st->body, &elements, &any))
        return GO_FAILED;
    if (any && !st->iter[k].range)
        return counted_loop(fr, s, st, k, all_of(fr->f, &elements), NULL);
    if (any)
        return element_loop(fr, s, st, k, &elements);
    Iteration range;
    if (!iteration_new(fr->f, s, 1, &st->iter[k], NULL, &st->body, &range))
        return GO_FAILED;
    bool many = (uint64_t)e->unrolled * range.total > MAX_UNROLLED;
    if (many && st->iter[k].range && st->iter[k].range->kind == SYN_RANGE)
        return counted_loop(fr, s, st, k, b, NULL);

    /* round after round; a break leaves all of them */
    const LoopAround around = {st, e->unassigned.depth, e->unassigned.around};
    e->unassigned.around = &around;
    StatementList *outer = e->list;
    Statement *block = put(e, (Statement){.kind = STATEMENT_BLOCK, .span = st->span});
    uint32_t breaks = e->breaks, outer_mark = e->loop_mark, n_left = e->left.n;
    uint32_t mark = e->loop_mark = fr->write.n;
    uint32_t unrolled = e->unrolled;
    e->unrolled *= range.total > 0 ? range.total : 1;
    e->list = &block->body;
    Flow flow = GO_ON;
    for (uint32_t i = 0; i < range.total && flow == GO_ON; i++) {
        iteration_set(fr->f, &range, i);
        flow = run_round(fr, range.scope, st, k);
    }
    e->unassigned.around = around.outer;
    e->unrolled = unrolled;
    e->list = outer;
    e->loop_mark = outer_mark;
    if (flow == GO_FAILED)
        return flow;
    bool is_left = e->breaks > breaks;
    e->breaks = breaks; /* those in the block are of no loop around it */
    if (!is_left) {
        /* nothing leaves it early: no block */
        outer->n--;
        for (uint32_t i = 0; i < block->body.n; i++)
            vec_push(fr->f->mem, *outer, block->body.at[i]);
        return flow;
    }
    uint32_t n_kept = fr->write.n - mark, n = n_kept + e->left.n - n_left;
    for (uint32_t i = 0; i < n; i++) {
        bool is_kept = i < n_kept;
        const Write w = is_kept ? fr->write.at[mark + i] : e->left.at[n_left + i - n_kept];
        if (w.whole) {
            sizes_differ(e, w.whole, st->span);
            return GO_FAILED;
        }
        if (local_at(e, w.at) == MAP_NONE)
            continue;
        if (!is_kept)
            log_element(fr, w.at);
        *w.at = either(e, w.at, EXPR_NONE, EXPR_NONE);
    }
    e->left.n = n_left;
    return GO_ON;
}

/* ---- Assertions and calls -------------------------------------------------------------- */

void emission_assert(Emission *e, ExprId cond, ExprId message, bool is_warning, Span span)
{
    put(e, (Statement){.kind = STATEMENT_ASSERT,
                       .cond = cond,
                       .message = message,
                       .is_warning = is_warning,
                       .span = span});
}

void emission_run(Emission *e, ExprId call, Span span)
{
    ExprId *value = arena_make(e->fr->f->mem, ExprId);
    *value = call;
    put(e, (Statement){.kind = STATEMENT_RUN, .n = 1, .value = value, .span = span});
}

/* ---- External functions (MLS 12.9) ------------------------------------------------------ */

static const char *own_directory(Front *f, const Class *c, const char *name)
{
    return arena_printf(f->mem, "%s/Resources/%s", resource_directory(f, class_syntax(c)), name);
}

/* The strings of an annotation: one, or several. */
static bool annotated(Emission *e, Scope *s, const SynMod *mod, const char *name, uint32_t *n,
                      const char ***out)
{
    Front *f = e->fr->f;
    const SynArg *a = mod ? syn_mod_find(mod, name) : NULL;
    *n = 0;
    *out = NULL;
    if (!a || !a->mod || !a->mod->value)
        return true;
    Value v;
    if (!expression_value(f, s, a->mod->value, &v))
        return false;
    uint32_t size = v.kind == VALUE_PLAIN && v.type == TYPE_STRING ? value_size(&v) : 0;
    *out = arena_array(f->mem, const char *, size + 1);
    for (uint32_t k = 0; k < size; k++)
        if (expr_op(pool_of(e), v.elem[k]) == OP_STRING)
            (*out)[(*n)++] = expr_text_of(pool_of(e), v.elem[k]).s;
    return true;
}

static bool read_annotations(Emission *e, const SynExternal *syn, External *x)
{
    Frame *fr = e->fr;
    Front *f = fr->f;
    Scope *s = class_scope(f, fr->c);
    uint32_t n;
    const char **text;
    if (!annotated(e, s, syn->annotation, "Include", &n, &text))
        return false;
    x->include = n ? text[0] : NULL;
    if (!annotated(e, s, syn->annotation, "IncludeDirectory", &n, &text))
        return false;
    x->include_dir =
        n ? resource_path(f, class_syntax(fr->c), text[0]) : own_directory(f, fr->c, "Include");
    if (!annotated(e, s, syn->annotation, "LibraryDirectory", &n, &text))
        return false;
    x->library_dir =
        n ? resource_path(f, class_syntax(fr->c), text[0]) : own_directory(f, fr->c, "Library");
    if (!annotated(e, s, syn->annotation, "Library", &x->n_libraries, &text))
        return false;
    x->library = text;
    return true;
}

static uint32_t member_at(const Frame *fr, Name name)
{
    uint32_t k = 0;
    while (k < fr->n && !name_same(fr->m[k].name, name))
        k++;
    return k;
}

static bool bad_external(Emission *e, Span span, const char *what)
{
    stuck(e->fr, span, "F32", what);
    return false;
}

static bool first_local(Emission *e, const Value *v, uint32_t *out)
{
    *out = value_size(v) ? local_at(e, &v->elem[0]) : 0;
    return true;
}

static const uint32_t *dims_copy(Arena *mem, const Value *v)
{
    uint32_t *dim = arena_array(mem, uint32_t, v->n_dims + 1);
    for (uint32_t d = 0; d < v->n_dims; d++)
        dim[d] = v->dims[d];
    return dim;
}

static bool scalar_kind(Emission *e, BaseType type, bool is_array, Span span, ExternalKind *out)
{
    switch (type) {
    case TYPE_REAL:
        *out = is_array ? EXTERNAL_REALS : EXTERNAL_REAL;
        return true;
    case TYPE_INTEGER:
    case TYPE_BOOLEAN:
    case TYPE_ENUMERATION:
        *out = is_array ? EXTERNAL_INTEGERS : EXTERNAL_INTEGER;
        return true;
    case TYPE_OBJECT:
        *out = EXTERNAL_OBJECT;
        return true;
    case TYPE_STRING:
        *out = is_array ? EXTERNAL_STRINGS : EXTERNAL_STRING;
        return true;
    case TYPE_CLOCK:
        break;
    }
    return bad_external(e, span, "a Clock as argument of an external function");
}

/* MLS 12.9.1.3: a record, or an array of them, as structs. Arrays in a record are not mapped. */
static bool record_argument(Emission *e, const Value *v, Span span, ExternalArg *out)
{
    Front *f = e->fr->f;
    ExternalArg *field = arena_array(f->mem, ExternalArg, v->n_fields + 1);
    for (uint32_t k = 0; k < v->n_fields; k++) {
        const Value *x = &v->field[k];
        if (x->n_dims != v->n_dims)
            return bad_external(e, span,
                                "a record with an array as argument of an external function "
                                "(MLS 12.9.1.3)");
        field[k] = (ExternalArg){.n = value_size(x), .is_output = out->is_output};
        if (x->kind == VALUE_RECORD) {
            if (!record_argument(e, x, span, &field[k]))
                return false;
            continue;
        }
        if (x->type == TYPE_OBJECT)
            return bad_external(e, span, "an external object in a record");
        first_local(e, x, &field[k].local);
        if (!scalar_kind(e, x->type, false, span, &field[k].kind))
            return false;
    }
    const char *name = class_name(f, v->cls), *dot = strrchr(name, '.');
    out->kind = EXTERNAL_RECORD;
    out->record = name_of(f->names, dot ? dot + 1 : name);
    out->n_fields = v->n_fields;
    out->field = field;
    return true;
}

static bool dynamic_argument(Emission *e, const Member *m, const Value *v, Span span,
                             ExternalArg *out)
{
    if (!m->is_input || v->type != TYPE_REAL || v->view)
        return bad_external(e, span,
                            "an array whose size is known in a run only as argument of an external "
                            "function, unless it is an input of Reals");
    *out = (ExternalArg){.kind = EXTERNAL_REALS, .n = 1, .is_dynamic = true};
    out->local = local_at(e, &v->elem[0]);
    return true;
}

/* The variable k of the function as an argument or result, or v, which is a part of it. */
static bool variable_argument(Emission *e, uint32_t k, const Value *v, Span span, ExternalArg *out)
{
    const Member *m = &e->fr->m[k];
    bool array = v->n_dims > 0, is_record = v->kind == VALUE_RECORD;
    if (v->kind == VALUE_DYNAMIC)
        return dynamic_argument(e, m, v, span, out);
    *out = (ExternalArg){.n = value_size(v),
                         .is_output = m->is_output || (!m->is_input && (array || is_record)),
                         .n_dims = v->n_dims,
                         .dim = dims_copy(e->fr->f->mem, v)};
    if (is_record)
        return record_argument(e, v, span, out);
    if (v->kind != VALUE_PLAIN)
        return bad_external(e, span, "a function as argument of an external function");
    first_local(e, v, &out->local);
    if (!scalar_kind(e, v->type, array, span, &out->kind))
        return false;
    if (out->is_output || array || v->type == TYPE_OBJECT)
        return true;
    out->value = v->elem[0];
    return true;
}

/* The variable that a reference without subscripts means, or its part; NULL if it is no such
 * reference. */
static const Value *referred(const Frame *fr, const SynCref *cref, uint32_t *k)
{
    *k = member_at(fr, cref->part[0].name);
    const Value *v = *k < fr->n ? &fr->local[*k].value : NULL;
    for (uint32_t i = 0; v && i < cref->n; i++) {
        if (i > 0)
            v = v->kind == VALUE_RECORD ? value_field(v, cref->part[i].name) : NULL;
        if (cref->part[i].sub.n)
            return NULL;
    }
    return v;
}

static bool external_argument(Emission *e, const SynExpr *x, ExternalArg *out)
{
    Frame *fr = e->fr;
    uint32_t k;
    const Value *variable = x->kind == SYN_CREF ? referred(fr, x->cref, &k) : NULL;
    if (variable)
        return variable_argument(e, k, variable, x->span, out);
    Value v;
    if (!expression_value(fr->f, fr->scope, x, &v))
        return false;
    if (!value_is_scalar(&v))
        return bad_external(e, x->span,
                            "an expression of arrays as argument of an external function");
    bool size =
        x->kind == SYN_CALL && x->cref->n == 1 && strcmp(x->cref->part[0].name.s, "size") == 0;
    *out = (ExternalArg){.kind = size                    ? EXTERNAL_SIZE
                                 : v.type == TYPE_REAL   ? EXTERNAL_REAL
                                 : v.type == TYPE_STRING ? EXTERNAL_STRING
                                                         : EXTERNAL_INTEGER,
                         .value = v.elem[0]};
    if (v.type == TYPE_OBJECT)
        return bad_external(e, x->span, "an external object that is computed");
    return true;
}

/* Without a call written down: all inputs, each array with its sizes; then the outputs, if they are
 * not one scalar, which is returned; then protected variables (MLS 12.9). */
static bool default_arguments(Emission *e, External *x)
{
    Frame *fr = e->fr;
    VEC(ExternalArg) arg = {0};
    uint32_t outputs = 0;
    uint32_t result = 0;
    for (uint32_t k = 0; k < fr->n; k++)
        if (fr->m[k].is_output) {
            outputs++;
            result = k;
        }
    x->has_result = outputs == 1 && fr->local[result].value.n_dims == 0;
    for (uint32_t k = 0; k < fr->n; k++) {
        ExternalArg a;
        const Value *v = &fr->local[k].value;
        if (!variable_argument(e, k, v, fr->m[k].span, &a))
            return false;
        if (x->has_result && k == result) {
            x->result = a;
            continue;
        }
        vec_push(fr->f->mem, arg, a);
        for (uint32_t d = 0; d < v->n_dims; d++) {
            ExternalArg size = {.kind = EXTERNAL_SIZE, .value = dynamic_size(fr->f, v, d)};
            vec_push(fr->f->mem, arg, size);
        }
    }
    x->arg = arg.at;
    x->n_args = arg.n;
    return true;
}

static bool written_arguments(Emission *e, const SynExternal *syn, External *x)
{
    Frame *fr = e->fr;
    ExternalArg *arg = arena_array(fr->f->mem, ExternalArg, syn->arg.n + 1);
    for (uint32_t k = 0; k < syn->arg.n; k++)
        if (!syn->arg.at[k] || !external_argument(e, syn->arg.at[k], &arg[k]))
            return false;
    x->arg = arg;
    x->n_args = syn->arg.n;
    x->has_result = syn->result != NULL;
    if (!x->has_result)
        return true;
    uint32_t k;
    const Value *result = referred(fr, syn->result, &k);
    if (!result || result->n_dims)
        return bad_external(e, syn->span, "a result of an external function that is no scalar");
    return variable_argument(e, k, result, syn->span, &x->result);
}

/* MLS 12.9.7: the destructor of the object that this function makes. */
static bool find_destructor(Emission *e, const Class *type, External *x)
{
    Front *f = e->fr->f;
    const Class *d = class_find(f, type, name_of(f->names, "destructor"));
    const SynClass *syn = d ? class_syntax(d) : NULL;
    uint32_t n;
    const char **text;
    if (!syn || !syn->external)
        return true;
    x->destructor = syn->external->function.s ? syn->external->function.s : syn->name.s;
    if (!annotated(e, class_scope(f, d), syn->external->annotation, "Include", &n, &text))
        return false;
    x->destructor_include = n ? text[0] : NULL;
    return true;
}

/* Arguments that FORTRAN 77 can take (MLS 12.9.1.2, 12.9.3): Strings are inputs only, scalars
 * only. */
static bool fortran_arguments(Emission *e, Span span, const External *x)
{
    for (uint32_t k = 0; k < x->n_args; k++) {
        const ExternalArg *a = &x->arg[k];
        if (a->kind == EXTERNAL_OBJECT)
            return bad_external(e, span, "an external object as argument of FORTRAN 77");
        if (a->kind == EXTERNAL_RECORD)
            return bad_external(e, span, "a record as argument of FORTRAN 77 (MLS 12.9.1.3)");
        if (a->is_dynamic)
            return bad_external(
                e, span, "an array whose size is known in a run only as argument of FORTRAN 77");
        if (a->kind == EXTERNAL_STRINGS || (a->kind == EXTERNAL_STRING && a->is_output))
            return bad_external(e, span, "Strings that FORTRAN 77 is to change");
    }
    if (x->has_result && x->result.kind != EXTERNAL_REAL && x->result.kind != EXTERNAL_INTEGER)
        return bad_external(e, span, "a result that no function of FORTRAN 77 has");
    return true;
}

/* "C", or one of its standards: "C99" (MLS 12.9). */
static bool is_c(const char *language)
{
    return language[0] == 'C' && strspn(language + 1, "0123456789") == strlen(language + 1);
}

/* The symbol of a Fortran routine: compilers on Unix write names small, with an underscore. */
static const char *fortran_symbol(Arena *mem, const char *name)
{
    char *symbol = arena_printf(mem, "%s_", name);
    for (char *c = symbol; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return symbol;
}

static bool write_external(Emission *e)
{
    Frame *fr = e->fr;
    Front *f = fr->f;
    const SynClass *c = class_syntax(fr->c);
    const SynExternal *syn = c->external;
    const char *language = syn->language ? syn->language : "C";
    External *x = arena_make(f->mem, External);
    x->is_fortran = strcmp(language, "FORTRAN 77") == 0;
    if (!x->is_fortran && !is_c(language))
        return bad_external(e, syn->span,
                            arena_printf(f->scratch, "it is external \"%s\"", language));
    x->function = syn->function.s ? syn->function.s : c->name.s;
    if (!(syn->function.s ? written_arguments(e, syn, x) : default_arguments(e, x)) ||
        !read_annotations(e, syn, x))
        return false;
    if (x->is_fortran) {
        x->function = fortran_symbol(f->mem, x->function);
        if (!fortran_arguments(e, syn->span, x))
            return false;
    }
    if (x->has_result && x->result.kind == EXTERNAL_OBJECT) {
        x->is_constructor = true;
        for (uint32_t k = 0; k < fr->n; k++)
            if (fr->m[k].is_output && !find_destructor(e, fr->m[k].type, x))
                return false;
    }
    e->body->external = x;
    return true;
}

/* ---- Loops of algorithm sections -------------------------------------------------------- */

static void list_elements(Emission *e, Name name, const Value *v)
{
    Front *f = e->fr->f;
    for (uint32_t k = 0; k < v->n_fields; k++)
        list_elements(e, name_printf(f->names, "%s.%s", name.s, v->field_name[k].s), &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    if (n > 0)
        vec_push(f->scratch, e->section, ((SectionElements){v->elem, n, name, v->type}));
}

Emission *emission_of_section(Frame *fr)
{
    Front *f = fr->f;
    Emission *e = arena_make(f->scratch, Emission);
    *e = (Emission){.fr = fr, .unrolled = 1, .local_of = map_new(f->scratch)};
    e->body = arena_make(f->mem, Body);
    e->list = &e->body->list;
    for (uint32_t k = 0; k < fr->n; k++)
        list_elements(e, fr->local[k].name, &fr->local[k].value);
    return e;
}

Body *emission_body(Emission *e)
{
    return e->body;
}

uint32_t emission_local_at(Emission *e, const ExprId *at)
{
    return local_at(e, at);
}

/* ---- The whole ------------------------------------------------------------------------- */

/* Inputs are locals from the beginning; but constants that decide, which are those of each call. */
static void open_input(Emission *e, Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        open_input(e, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0; /* a dynamic array is one already */
    for (uint32_t k = 0; k < n; k++)
        if (v->type == TYPE_REAL || !expr_exists(v->elem[k]) || !is_constant(e, v->elem[k]))
            v->elem[k] = leaf(e, local_at(e, &v->elem[k]));
}

static void list_locals(Emission *e, const Value *v, uint32_t *out, uint32_t *n)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        list_locals(e, &v->field[k], out, n);
    uint32_t size = n_locals(v);
    for (uint32_t k = 0; k < size; k++)
        out[(*n)++] = local_at(e, &v->elem[k]);
}

static uint32_t *locals_of(Emission *e, bool inputs)
{
    Frame *fr = e->fr;
    uint32_t n = 0;
    for (uint32_t k = 0; k < fr->n; k++)
        if (inputs ? fr->m[k].is_input : fr->m[k].is_output)
            n += value_n_scalars(output_value(e, k));
    uint32_t *out = arena_array(fr->f->mem, uint32_t, n + 1);
    n = 0;
    for (uint32_t k = 0; k < fr->n; k++)
        if (inputs ? fr->m[k].is_input : fr->m[k].is_output)
            list_locals(e, output_value(e, k), out, &n);
    return out;
}

/* Variable k becomes a dynamic array with the value of its declaration. */
static bool declare_dynamic(Emission *e, uint32_t k)
{
    Front *f = e->fr->f;
    Value *v = &e->fr->local[k].value;
    Value start = *v, own;
    const Member *m = &e->fr->m[k];
    if (!dynamic_holds(v->type))
        return dynamic_unsupported(f, m->span, "an array of Strings");
    *v = dynamic_shape(f->scratch, v->type, v->cls, v->n_dims);
    give_locals(e, m->name, v);
    if (!dynamic_copy(f, &start, v->type, m->span, &own))
        return false;
    emission_move(e, v->elem[0], own.elem[0], m->span);
    const Value *wanted = m->is_output && e->wanted ? &e->wanted[k] : NULL;
    if (!wanted || wanted->kind != VALUE_PLAIN)
        return true;
    e->given[k] = value_copy(f->scratch, wanted);
    give_locals(e, m->name, &e->given[k]);
    return true;
}

static bool write_algorithm(Emission *e)
{
    Frame *fr = e->fr;
    Front *f = fr->f;
    if (!frame_declare(fr))
        return false;
    unassigned_add_flags(fr, &e->unassigned);
    Assignment a = {0};
    for (uint32_t k = 0; k < fr->n; k++) {
        Value *v = &fr->local[k].value;
        if (fr->m[k].is_input)
            continue;
        e->is_dynamic[k] = e->is_dynamic[k] || v->kind == VALUE_DYNAMIC;
        if (e->is_dynamic[k]) {
            if (!declare_dynamic(e, k))
                return false;
            continue;
        }
        *v = value_copy(f->scratch, v);
        give_locals(e, fr->m[k].name, v);
        assign_all(e, &a, v);
    }
    put_assignment(e, &a, fr->span);
    bool external = class_syntax(fr->c)->external;
    return (external ? write_external(e) : run_sections(fr)) && note_outputs(e) &&
           unassigned_check(fr, &e->unassigned);
}

/* Writes the function down with the dynamic arrays that are known so far. */
static Body *write_once(Emission *e, const Class *c, const Value *arg, Span span, Value *result)
{
    Frame *fr = e->fr;
    Front *f = fr->f;
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    e->body = arena_make(f->mem, Body);
    e->list = &e->body->list;
    e->given = arena_array(f->scratch, Value, 2 * (size_t)n);
    Value *own = arena_array(f->scratch, Value, n);
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_input)
            continue;
        own[k] = value_copy(f->scratch, &arg[k]);
        give_locals(e, m[k].name, &own[k]);
        open_input(e, &own[k]);
    }
    give_functions(f, c, own);
    if (!frame_open(fr, f, c, own, span))
        return NULL;
    fr->emission = e;
    fr->logging = true;
    if (!write_algorithm(e))
        return NULL;
    e->body->input = locals_of(e, true);
    e->body->output = locals_of(e, false);
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_output)
            *result++ = value_copy(f->scratch, output_value(e, k));
    return e->body;
}

Body *function_write_down(Front *f, const Class *c, const Value *arg, Span span,
                          const Value *wanted, Value *result)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    bool *is_dynamic = arena_array(f->scratch, bool, 2 * (size_t)n); /* of flags, too */
    bool *has_flags = arena_array(f->scratch, bool, n);
    bool *is_partial = arena_array(f->scratch, bool, n);
    Value *shape = arena_array(f->scratch, Value, n);
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_output && wanted) {
            shape[k] = *wanted++;
            is_dynamic[k] = shape[k].kind == VALUE_DYNAMIC;
        }
    for (;;) {
        Frame fr = {.f = f};
        Emission e = {.fr = &fr,
                      .unrolled = 1,
                      .local_of = map_new(f->scratch),
                      .variable = map_new(f->scratch),
                      .calls = f->eval.calls,
                      .is_dynamic = is_dynamic,
                      .wanted = shape,
                      .unassigned = {.has_flags = has_flags, .is_partial = is_partial, .n = n}};
        e.unassigned.flags_of = arena_array(f->scratch, uint32_t, n);
        e.unassigned.read_at = map_new(f->scratch);
        struct Emission *outer = f->eval.emission;
        f->eval.emission = &e;
        Body *b = write_once(&e, c, arg, span, result);
        f->eval.emission = outer;
        if (b || !e.again)
            return b;
        f->eval.stuck = NULL;
    }
}
