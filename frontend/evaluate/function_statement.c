/* Statements, run symbolically (MLS 11.2); algorithm sections; assertions (MLS 8.3.7). */
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function.h"
#include "frontend/evaluate/function_call.h"
#include "frontend/instantiate/section_start.h"
#include "frontend/instantiate/when.h"

#include <math.h>
#include <string.h>

enum { MAX_WHILE_ROUNDS = 200000 /* of one loop */ };

/* ---- Branches whose condition depends on variables ------------------------------------- */

Outcome take_back(Frame *fr, uint32_t mark)
{
    Arena *mem = fr->f->scratch;
    Outcome o = {arena_array(mem, Write, fr->write.n - mark), 0};
    for (uint32_t k = mark; k < fr->write.n; k++) {
        Write w = fr->write.at[k];
        if (w.whole) {
            w.whole_before = value_copy(mem, w.whole);
            if (fr->emission)
                emission_copied(fr, w.whole, &w.whole_before);
        } else {
            w.before = *w.at;
        }
        o.write[o.n++] = w;
    }
    while (fr->write.n > mark) {
        Write w = fr->write.at[--fr->write.n];
        if (w.whole)
            *w.whole = w.whole_before;
        else
            *w.at = w.before;
    }
    return o;
}

static bool has_value(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (has_value(&v->field[k]))
            return true;
    return v->kind == VALUE_PLAIN && value_size(v) > 0 && expr_exists(v->elem[0]);
}

static bool select_whole(Frame *fr, ExprId cond, const Value *yes, const Value *no, Value *out)
{
    if (!value_same_dims(yes, no)) {
        if (has_value(yes) && has_value(no)) {
            stuck(fr, fr->span, "F33",
                  arena_printf(fr->f->scratch,
                               "an array gets the sizes of %s or %s by a condition that depends on "
                               "variables",
                               type_text(fr->f, yes), type_text(fr->f, no)));
            return false;
        }
        *out = has_value(yes) ? *yes : *no;
        return true;
    }
    *out = value_copy(fr->f->scratch, yes);
    for (uint32_t k = 0; k < yes->n_fields; k++)
        if (!select_whole(fr, cond, &yes->field[k], &no->field[k], &out->field[k]))
            return false;
    uint32_t n = yes->kind == VALUE_PLAIN ? value_size(yes) : 0;
    for (uint32_t k = 0; k < n; k++)
        out->elem[k] = select_known(fr, cond, yes->elem[k], no->elem[k]);
    return true;
}

/* The frame is in the state of "not cond", recorded since mark; `o` is that of "cond". Both become
 * one. */
static bool merge(Frame *fr, ExprId cond, const Outcome *o, uint32_t mark)
{
    Map done = map_new(fr->f->scratch);
    uint32_t n = fr->write.n;
    for (uint32_t k = 0; k < o->n; k++) {
        const Write *w = &o->write[k];
        const void *key = w->whole ? (const void *)w->whole : (const void *)w->at;
        if (map_get(&done, map_key_ptr(key)) != MAP_NONE)
            continue;
        map_put(&done, map_key_ptr(key), 0);
        if (w->whole) {
            Value now;
            if (!select_whole(fr, cond, &w->whole_before, w->whole, &now))
                return false;
            log_whole(fr, w->whole);
            *w->whole = now;
        } else {
            ExprId now = select_known(fr, cond, w->before, *w->at);
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
            Value now;
            if (!select_whole(fr, cond, &w.whole_before, w.whole, &now))
                return false;
            *w.whole = now;
        } else {
            *w.at = select_known(fr, cond, w.before, *w.at);
        }
    }
    return true;
}

/* The path of conditions (Evaluator) on entering and leaving a branch. */
typedef struct Path {
    bool had, logging;
    ExprId path, local_path;
    uint32_t mark;
} Path;

static Path branch_enter(Frame *fr, ExprId cond)
{
    Evaluator *e = &fr->f->eval;
    ExprPool *pool = fr->f->sys->pool;
    Path p = {e->has_path, fr->logging, e->path, fr->path, fr->write.n};
    expression_path(fr->f, cond);
    fr->path = expr_and(pool, fr->path, cond);
    fr->logging = true;
    return p;
}

static void branch_leave(Frame *fr, Path p)
{
    fr->f->eval.has_path = p.had;
    fr->f->eval.path = p.path;
    fr->path = p.local_path;
    fr->logging = p.logging;
}

/* ---- Statements ------------------------------------------------------------------------ */

/* After a break or return under a condition, the statements behind it run under the negation of
 * that condition, which is recorded here. */
static void note_exit(Frame *fr, Flow flow, ExprId cond)
{
    ExprPool *p = fr->f->sys->pool;
    if (flow == GO_RETURN) {
        fr->returned = fr->may_return ? expr_or(p, fr->returned, cond) : cond;
        fr->may_return = true;
    } else if (flow == GO_BREAK) {
        fr->broken = fr->may_break ? expr_or(p, fr->broken, cond) : cond;
        fr->may_break = true;
    }
}

Flow run_if(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    Front *f = fr->f;
    ExprPool *p = f->sys->pool;
    ExprId cond;
    bool is_clock;
    for (; k < st->n_branches; k++) {
        const SynStBranch *b = &st->branch[k];
        if (!b->condition)
            return run_list(fr, s, &b->body);
        if (st->kind == SYN_ST_WHEN ? !when_fires(f, s, b->condition, &cond, &is_clock)
                                    : !expression_scalar(f, s, b->condition, TYPE_BOOLEAN, &cond))
            return GO_FAILED;
        if (st->kind == SYN_ST_WHEN && is_clock) {
            diag_error(f->diags, b->condition->span, "F05",
                       "a when-clause with a clock is not allowed in an algorithm (MLS 16.6)");
            return GO_FAILED;
        }
        Truth known = expression_truth(f, cond);
        if (known == YES)
            return run_list(fr, s, &b->body);
        // the variables of a when-clause that never fires keep their values (MLS 11.1.2)
        if (known == UNKNOWN || (st->kind == SYN_ST_WHEN && f->eval.section))
            break;
    }
    if (k == st->n_branches)
        return GO_ON;
    if (fr->emission)
        return emission_if(fr, s, st, k, cond);

    /* both ways, then one state out of two */
    Path yes = branch_enter(fr, cond);
    bool in_when = f->eval.in_when;
    f->eval.in_when = in_when || st->kind == SYN_ST_WHEN;
    Flow flow = run_list(fr, s, &st->branch[k].body);
    f->eval.in_when = in_when;
    Outcome o = take_back(fr, yes.mark);
    branch_leave(fr, yes);
    if (flow == GO_FAILED)
        return flow;
    note_exit(fr, flow, expr_and(p, fr->path, cond));

    ExprId otherwise = expr_not(p, cond);
    Path no = branch_enter(fr, otherwise);
    Flow flow2 = run_if(fr, s, st, k + 1);
    branch_leave(fr, no);
    if (flow2 == GO_FAILED)
        return flow2;
    note_exit(fr, flow2, expr_and(p, fr->path, otherwise));

    if (!merge(fr, cond, &o, no.mark))
        return GO_FAILED;
    if (!fr->logging)
        fr->write.n = no.mark;
    if (flow == flow2)
        return flow; /* both branches exit in the same way */
    return GO_ON;
}

/* The condition under which the frame still runs here; false when nothing restricts it. */
static bool still_running(Frame *fr, ExprId *cond)
{
    ExprPool *p = fr->f->sys->pool;
    if (!fr->may_return && !fr->may_break)
        return false;
    ExprId left = fr->may_return && fr->may_break ? expr_or(p, fr->returned, fr->broken)
                  : fr->may_return                ? fr->returned
                                                  : fr->broken;
    *cond = expr_not(p, left);
    return true;
}

/* A loop whose rounds depend on variables: the call of the function stays one; in a section the
 * loop becomes a function. */
static Flow loop_varies(Frame *fr, Span span, const char *why)
{
    fr->varies = !fr->c;
    if (fr->c)
        stuck(fr, span, "F31", why);
    return GO_FAILED;
}

static Flow expand_while(Frame *fr, Scope *s, const SynStatement *st)
{
    Front *f = fr->f;
    for (uint32_t round = 0;; round++) {
        ExprId cond;
        if (!expression_scalar(f, s, st->value, TYPE_BOOLEAN, &cond))
            return GO_FAILED;
        Truth known = expression_truth(f, cond);
        if (known == NO)
            return GO_ON;
        if (round == MAX_WHILE_ROUNDS) {
            diag_error(f->diags, st->value->span, "F31",
                       "%s cannot be expanded: a while loop does not end", frame_text(fr));
            return GO_FAILED;
        }
        if (known == UNKNOWN)
            return loop_varies(fr, st->value->span,
                               "while loop whose condition depends on variables");
        Flow flow = run_list(fr, s, &st->body);
        if (flow != GO_ON)
            return flow;
        ExprId running;
        if (still_running(fr, &running))
            return loop_varies(fr, st->span,
                               "while loop left by a condition that depends on variables");
    }
}

/* Does a condition of the loop depend on variables, in any of its rounds? They are run to see it,
 * and taken back. */
static bool while_varies(Frame *fr, Scope *s, const SynStatement *st)
{
    Front *f = fr->f;
    System *sys = f->sys;
    Evaluator before = f->eval;
    Frame frame = *fr;
    uint32_t n_lost = f->lost.n, n_assertions = sys->assertion.n, n_actions = sys->action.n;
    bool hidden = diags_hide(f->diags, true);
    f->eval.dry = true;
    fr->probes = true;
    fr->varies = false;
    expand_while(fr, s, st);
    bool varies = fr->varies;
    take_back(fr, frame.write.n);
    frame.write = fr->write; /* it may have grown */
    *fr = frame;
    before.functions = f->eval.functions;
    f->eval = before;
    f->lost.n = n_lost;
    sys->assertion.n = n_assertions;
    sys->action.n = n_actions;
    diags_hide(f->diags, hidden);
    return varies;
}

static Flow run_while(Frame *fr, Scope *s, const SynStatement *st)
{
    if (fr->emission)
        return emission_while(fr, s, st);
    bool is_function = !fr->c && !fr->probes && while_varies(fr, s, st);
    return is_function ? loop_as_function(fr, s, st, 0) : expand_while(fr, s, st);
}

/* Runs the list where cond holds; elsewhere the state stays. */
static Flow run_where(Frame *fr, Scope *s, ExprId cond, const SynStatements *list)
{
    Path path = branch_enter(fr, cond);
    Flow flow = run_list(fr, s, list);
    Outcome o = take_back(fr, path.mark);
    branch_leave(fr, path);
    if (flow == GO_FAILED)
        return flow;
    note_exit(fr, flow, expr_and(fr->f->sys->pool, fr->path, cond));
    if (!merge(fr, cond, &o, path.mark))
        return GO_FAILED;
    if (!fr->logging)
        fr->write.n = path.mark;
    return GO_ON;
}

bool range_bounds(Frame *fr, Scope *s, const SynIter *iter, Bounds *out)
{
    Front *f = fr->f;
    const SynExpr *x = iter->range;
    *out = (Bounds){.known = true};
    if (!x || x->kind != SYN_RANGE)
        return true;
    ExprId part[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
    out->type = TYPE_INTEGER;
    for (uint32_t k = 0; k < x->arg.n; k++) {
        Value v;
        ExprId known;
        if (!expression_value(f, s, x->arg.at[k], &v))
            return false;
        if (!value_is_scalar(&v) || (v.type != TYPE_INTEGER && v.type != TYPE_REAL))
            return true; /* reported where it is evaluated */
        if (v.type == TYPE_REAL)
            out->type = TYPE_REAL;
        part[k] = v.elem[0];
        out->known = out->known && structural_value(f, part[k], &known);
    }
    out->first = part[0];
    out->step = x->arg.n == 3 ? part[1] : expr_int(f->sys->pool, 1);
    out->last = part[x->arg.n - 1];
    return true;
}

/* Several iterators are nested loops (MLS 11.2.2.3). */
static Flow run_for(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    Front *f = fr->f;
    if (fr->emission)
        return emission_for(fr, s, st, k);
    Bounds bounds;
    if (!range_bounds(fr, s, &st->iter[k], &bounds))
        return GO_FAILED;
    if (!bounds.known && !fr->c && !fr->probes)
        return loop_as_function(fr, s, st, k);
    if (!bounds.known)
        return loop_varies(fr, st->iter[k].span, "for loop over a range that depends on variables");
    Iteration it;
    if (!iteration_new(f, s, 1, &st->iter[k], NULL, &st->body, &it))
        return GO_FAILED;
    for (uint32_t i = 0; i < it.total; i++) {
        iteration_set(f, &it, i);
        ExprId running;
        Flow flow;
        if (k + 1 == st->n_iter && still_running(fr, &running))
            flow = run_where(fr, it.scope, running, &st->body);
        else
            flow = run_round(fr, it.scope, st, k);
        if (flow != GO_ON)
            return flow;
    }
    return GO_ON;
}

/* A loop, or the one of the iterator k, which a break in it leaves (MLS 11.2.4). */
static Flow run_loop(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    bool may = fr->may_break;
    ExprId broken = fr->broken;
    fr->may_break = false;
    Flow flow = st->kind == SYN_ST_FOR ? run_for(fr, s, st, k) : run_while(fr, s, st);
    fr->may_break = may;
    fr->broken = broken;
    return flow == GO_BREAK ? GO_ON : flow;
}

/* Several iterators are loops in one another (MLS 11.2.2.3). */
Flow run_round(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    return k + 1 == st->n_iter ? run_list(fr, s, &st->body) : run_loop(fr, s, st, k + 1);
}

/* Exact numbers that an iteration keeps making longer are rounded as the program would. */
static Value round_long_numbers(Front *f, const Value *v)
{
    enum { MAX_BITS = 2000 };
    ExprPool *p = f->sys->pool;
    Value out = *v;
    bool copied = false;
    for (uint32_t k = 0; k < v->n_fields; k++) {
        if (!copied) {
            out.field = arena_array(f->scratch, Value, v->n_fields);
            copied = true;
        }
        out.field[k] = round_long_numbers(f, &v->field[k]);
    }
    uint32_t n = v->kind == VALUE_PLAIN && v->type == TYPE_REAL ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        double x;
        if (!expr_exists(v->elem[k]) || !expr_is_num(p, v->elem[k]))
            continue;
        mpq_srcptr q = expr_rational(p, v->elem[k]);
        if (mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2) < MAX_BITS ||
            !expr_constant(p, v->elem[k], &x) || !isfinite(x))
            continue;
        if (!copied) {
            out.elem = arena_array(f->scratch, ExprId, n);
            memcpy(out.elem, v->elem, n * sizeof *v->elem);
            copied = true;
        }
        out.elem[k] = expr_double(p, x);
    }
    return out;
}

static Flow assigned(Frame *fr, uint32_t mark, const SynStatement *st)
{
    if (fr->emission)
        emission_assigned(fr, mark, st->span);
    return GO_ON;
}

static Flow run_one(Frame *fr, Scope *s, const SynStatement *st)
{
    Front *f = fr->f;
    switch (st->kind) {
    case SYN_ST_ASSIGN: {
        Value v;
        if (!expression_in_pieces(f, s, st->value, &v))
            return GO_FAILED;
        v = round_long_numbers(f, &v);
        uint32_t mark = fr->write.n;
        return frame_assign(fr, s, st->target, &v) ? assigned(fr, mark, st) : GO_FAILED;
    }
    case SYN_ST_TUPLE: {
        if (st->value->kind != SYN_CALL) {
            diag_error(f->diags, st->span, "T07", "only a function has several results");
            return GO_FAILED;
        }
        uint32_t n = st->tuple.n;
        Value *v = arena_array(f->scratch, Value, n);
        if (!expression_call(f, s, st->value, n, v))
            return GO_FAILED;
        uint32_t mark = fr->write.n;
        for (uint32_t k = 0; k < n; k++) {
            const SynExpr *x = st->tuple.at[k];
            if (!x)
                continue;
            if (x->kind != SYN_CREF) {
                diag_error(f->diags, x->span, "T18", "this cannot be assigned");
                return GO_FAILED;
            }
            if (!frame_assign(fr, s, x->cref, &v[k]))
                return GO_FAILED;
        }
        return assigned(fr, mark, st);
    }
    case SYN_ST_CALL: {
        const SynCref *called = st->value->cref;
        if (called->n == 1 && strcmp(called->part[0].name.s, "assert") == 0)
            return function_assert_call(f, s, st->value) ? GO_ON : GO_FAILED;
        if (when_is_action(st->value))
            return when_action(f, s, st->value) ? GO_ON : GO_FAILED;
        Value none; /* no results, but it runs */
        return expression_call(f, s, st->value, 0, &none) ? GO_ON : GO_FAILED;
    }
    case SYN_ST_BREAK:
    case SYN_ST_RETURN: {
        Flow flow = st->kind == SYN_ST_BREAK ? GO_BREAK : GO_RETURN;
        return fr->emission && !emission_leave(fr, flow, st->span) ? GO_FAILED : flow;
    }
    case SYN_ST_WHEN:
        if (fr->c)
            break;
        return run_if(fr, s, st, 0);
    case SYN_ST_IF:
        return run_if(fr, s, st, 0);
    case SYN_ST_FOR:
    case SYN_ST_WHILE:
        return run_loop(fr, s, st, 0);
    }
    diag_error(f->diags, st->span, "F30", "'when' is not supported in %s", frame_text(fr));
    return GO_FAILED;
}

/* Rolls scratch back after each statement, unless the frame needs it: loops run long. */
static Flow run_statement(Frame *fr, Scope *s, const SynStatement *st)
{
    if (fr->logging)
        return run_one(fr, s, st);
    ArenaMark mark = arena_mark(fr->f->scratch);
    bool kept = fr->keeps;
    fr->keeps = false;
    uint32_t room = fr->write.cap;
    Flow flow = run_one(fr, s, st);
    bool exits = fr->may_return || fr->may_break;
    if (!fr->keeps && fr->write.cap == room && !exits && flow != GO_FAILED)
        arena_rollback(fr->f->scratch, mark);
    fr->keeps |= kept;
    return flow;
}

Flow run_list(Frame *fr, Scope *s, const SynStatements *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        ExprId before = EXPR_NONE;
        ExprId running = EXPR_NONE;
        still_running(fr, &before);
        Flow flow = run_statement(fr, s, list->at[k]);
        if (flow != GO_ON)
            return flow;
        if (still_running(fr, &running) && !expr_same(before, running) && k + 1 < list->n) {
            /* a conditional exit: the rest runs where it did not happen */
            SynStatements rest = {list->at + k + 1, list->n - k - 1};
            return run_where(fr, s, running, &rest);
        }
    }
    return GO_ON;
}

/* ---- Algorithm sections ---------------------------------------------------------------- */

/* A reference that is assigned, and the number of its variable. */
typedef struct Target {
    const SynCref *cref;
    uint32_t variable;
} Target;

/* The first reference that assigns each variable, and all of them. */
typedef struct Targets {
    VEC(const SynCref *) first;
    VEC(Target) all;
} Targets;

/* The loops around a statement, innermost first. */
typedef struct Loops {
    const SynStatement *loop;
    const struct Loops *outer;
} Loops;

static void add_target(Front *f, Targets *list, const Loops *around, const SynCref *target)
{
    Name name = target->part[0].name;
    for (; around; around = around->outer)
        for (uint32_t k = 0; k < around->loop->n_iter; k++)
            if (name_same(around->loop->iter[k].name, name))
                return; /* body_rules.c reports it */
    uint32_t k = 0;
    while (k < list->first.n && !name_same(list->first.at[k]->part[0].name, name))
        k++;
    vec_push(f->scratch, list->all, ((Target){target, k}));
    if (k == list->first.n)
        vec_push(f->scratch, list->first, target);
}

static void collect_targets(Front *f, Targets *list, const Loops *around, const SynStatements *body)
{
    for (uint32_t k = 0; k < body->n; k++) {
        const SynStatement *st = body->at[k];
        const Loops own = {st, around};
        if (st->target)
            add_target(f, list, around, st->target);
        for (uint32_t i = 0; i < st->tuple.n; i++)
            if (st->tuple.at[i] && st->tuple.at[i]->kind == SYN_CREF)
                add_target(f, list, around, st->tuple.at[i]->cref);
        for (uint32_t b = 0; b < st->n_branches; b++)
            collect_targets(f, list, around, &st->branch[b].body);
        collect_targets(f, list, st->kind == SYN_ST_FOR ? &own : around, &st->body);
    }
}

/* The references of a section that begin with one name. */
typedef struct Uses {
    Front *f;
    Name name;
    VEC(const SynCref *) at;
} Uses;

static bool collect_use(void *ctx, const SynCref *cref)
{
    Uses *u = ctx;
    if (cref->n > 1 && name_same(cref->part[0].name, u->name))
        vec_push(u->f->scratch, u->at, cref);
    return true;
}

/* The value of a variable before the algorithm (MLS 11.1.2): its start value, pre(v), or
 * previous(v). */
static Value value_before(Front *f, const Value *v)
{
    ExprPool *p = f->sys->pool;
    Value out = value_copy(f->scratch, v);
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = value_before(f, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        if (expr_op(p, v->elem[k]) != OP_VAR)
            continue;
        const Var *var = var_at(f->sys, expr_var_of(p, v->elem[k]));
        if (var->kind == VAR_DISCRETE)
            out.elem[k] = expr_wrap(p, OP_PRE, v->elem[k]);
        else {
            ExprId start = expr_exists(var->attr.start) ? var->attr.start : expr_int(p, 0);
            bool may_be_clocked = !f->eval.in_initial && var_is_unknown(var);
            out.elem[k] = may_be_clocked ? section_before(f, v->elem[k], start) : start;
        }
    }
    return out;
}

/* A copy in mem of the written elements; EXPR_NONE for the rest. */
static Value written_part(Front *f, const Map *written, const Value *v)
{
    Value out = value_copy(f->mem, v);
    if (map_get(written, map_key_ptr(v)) != MAP_NONE)
        return out;
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = written_part(f, written, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (map_get(written, map_key_ptr(&v->elem[k])) == MAP_NONE)
            out.elem[k] = EXPR_NONE;
    return out;
}

/* A copy in mem of the parts that the section assigns somewhere, reached or not. */
static Value owned_part(Front *f, const Map *owned, const Value *v)
{
    Value out = value_copy(f->mem, v);
    bool is_owned = map_get(owned, map_key_ptr(v)) != MAP_NONE;
    for (uint32_t k = 0; !is_owned && k < v->n_fields; k++)
        out.field[k] = owned_part(f, owned, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; !is_owned && k < n; k++)
        out.elem[k] = EXPR_NONE;
    return out;
}

static Map owned_parts(Front *f, const Targets *target, const Local *local)
{
    Map owned = map_new(f->scratch);
    for (uint32_t k = 0; k < target->all.n; k++) {
        const SynCref *cref = target->all.at[k].cref;
        const Value *v = &local[target->all.at[k].variable].value;
        for (uint32_t i = 1; v && i < cref->n; i++)
            v = v->kind == VALUE_RECORD ? value_field(v, cref->part[i].name) : NULL;
        if (v)
            map_put(&owned, map_key_ptr(v), 0);
    }
    return owned;
}

bool eval_algorithm(Front *f, Scope *s, const SynStatements *body, Assigned **out, uint32_t *n)
{
    Evaluation e = evaluation_begin(f);
    Targets target = {0};
    collect_targets(f, &target, NULL, body);
    Frame fr = {.f = f, .n = target.first.n, .path = expr_int(f->sys->pool, 1), .logging = true};
    Member *m = arena_array(f->scratch, Member, target.first.n);
    Assigned *assigned = arena_array(f->mem, Assigned, target.first.n);
    fr.m = m;
    fr.local = arena_array(f->scratch, Local, target.first.n);
    bool ok = true;
    for (uint32_t k = 0; ok && k < target.first.n; k++) {
        Name name = target.first.at[k]->part[0].name;
        Uses use = {.f = f, .name = name};
        if (target.first.at[k]->n > 1)
            visit_statements(body, collect_use, &use);
        Value v;
        ok = scope_assigned_value(f, s, &target.first.at[k]->part[0], use.at.n, use.at.at, &v);
        if (!ok)
            break;
        assigned[k].name = m[k].name = name;
        assigned[k].variable = value_copy(f->mem, &v);
        fr.local[k] = (Local){name, value_before(f, &v)};
    }
    Map owned = map_new(f->scratch);
    if (ok)
        owned = owned_parts(f, &target, fr.local);
    for (uint32_t k = 0; ok && k < fr.n; k++)
        assigned[k].before = owned_part(f, &owned, &fr.local[k].value);
    if (ok) {
        fr.scope = scope_locals(f, s, fr.local, fr.n);
        f->eval.section = fr.local;
        ok = run_list(&fr, fr.scope, body) != GO_FAILED;
    }
    Map written = map_new(f->scratch);
    for (uint32_t k = 0; k < fr.write.n; k++) {
        const Write *w = &fr.write.at[k];
        map_put(&written, w->whole ? map_key_ptr(w->whole) : map_key_ptr(w->at), 0);
    }
    for (uint32_t k = 0; ok && k < target.first.n; k++)
        assigned[k].value = written_part(f, &written, &fr.local[k].value);
    *out = assigned;
    *n = target.first.n;
    evaluation_end(f, &e);
    return ok;
}

/* ---- Assertions ------------------------------------------------------------------------ */

bool function_assert(Front *f, ExprId cond, ExprId message, bool is_warning, Span span)
{
    ExprPool *p = f->sys->pool;
    if (f->eval.has_path)
        cond = expr_or(p, expr_not(p, f->eval.path), cond);
    if (f->eval.emission) {
        emission_assert(f->eval.emission, cond, message, is_warning, span);
        return true;
    }
    if (f->eval.dry)
        return true; /* only shapes are computed: no error for a failing assertion */
    double value;
    if (expr_constant(p, cond, &value) && value == 0) {
        const char *text = expr_op(p, message) == OP_STRING ? expr_text_of(p, message).s : "";
        Span user = diags_outermost(f->diags); /* of a component of the model */
        bool is_elsewhere = user.file && user.file != span.file;
        (is_warning ? diag_warning : diag_error)(f->diags, is_elsewhere ? user : span, "F35",
                                                 "assertion fails: %s", text);
        if (is_elsewhere)
            diag_note(f->diags, span, "the assertion is here");
        return is_warning;
    }
    if (expr_variability(p, cond) == VARIES_NEVER)
        return true;
    Map *asserted = function_asserted(f);
    uint32_t at = map_get(asserted, cond.i);
    if (at < f->sys->assertion.n && expr_same(f->sys->assertion.at[at].cond, cond))
        return true;
    map_put(asserted, cond.i, f->sys->assertion.n);
    Assertion a = {.cond = cond, .message = message, .is_warning = is_warning, .span = span};
    vec_push(f->sys->mem, f->sys->assertion, a);
    return true;
}

bool function_assert_call(Front *f, Scope *s, const SynExpr *x)
{
    static const char *const formals[] = {"condition", "message", "level"};
    const SynExpr *arg[3] = {NULL, NULL, NULL};
    for (uint32_t k = 0; k < x->arg.n && k < 3; k++)
        arg[k] = x->arg.at[k];
    for (uint32_t k = 0; k < x->n_named; k++)
        for (uint32_t i = 0; i < 3; i++)
            if (strcmp(x->named[k].name.s, formals[i]) == 0)
                arg[i] = x->named[k].value;
    if (!arg[0] || !arg[1] || x->arg.n > 3) {
        diag_error(f->diags, x->span, "T07", "assert takes a condition, a message and a level");
        return false;
    }
    ExprId cond;
    ExprId message;
    if (!expression_scalar(f, s, arg[0], TYPE_BOOLEAN, &cond))
        return false;
    if (expression_truth(f, cond) == YES)
        return true;
    bool in_message = f->eval.in_message;
    f->eval.in_message = true;
    bool ok = expression_scalar(f, s, arg[1], TYPE_STRING, &message);
    f->eval.in_message = in_message;
    if (!ok)
        return false;
    bool is_warning = false;
    if (arg[2]) {
        /* AssertionLevel.warning is its first literal (MLS 8.3.7) */
        Value level;
        if (!expression_value(f, s, arg[2], &level))
            return false;
        if (!value_is_scalar(&level) || level.type != TYPE_ENUMERATION ||
            !expr_is_fixed(f->sys->pool, level.elem[0])) {
            diag_error(f->diags, arg[2]->span, "T07",
                       "the level of an assertion is an AssertionLevel that does not vary "
                       "(MLS 8.3.7)");
            return false;
        }
        if (!expr_is_num(f->sys->pool, level.elem[0]) &&
            !eval_structural(f, s, arg[2], "the level of an assertion", &level))
            return false;
        is_warning = expr_is(f->sys->pool, level.elem[0], 1);
    }
    return function_assert(f, cond, message, is_warning, x->span);
}
