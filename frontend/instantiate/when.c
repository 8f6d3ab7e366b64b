#include "frontend/instantiate/when.h"

#include "base/hash.h"
#include "frontend/evaluate/expression.h"

#include <string.h>

/* ---- discrete variables ---------------------------------------------------------------------- */

static void mark_leaf(Front *f, const Instance *i, uint32_t first, uint32_t n)
{
    for (uint32_t k = first; k < first + n && var_exists(i->var); k++) {
        Var *v = var_at(f->sys, (VarId){i->var.i + k});
        if (v->kind == VAR_CONTINUOUS)
            v->kind = VAR_DISCRETE;
    }
}

static void mark_whole(Front *f, Instance *i)
{
    if (i->kind == INST_LEAF) {
        mark_leaf(f, i, 0, i->n);
    } else if (i->kind == INST_ARRAY) {
        for (uint32_t k = 0; k < i->n; k++)
            mark_whole(f, i->elem[k]);
    } else if (i->kind == INST_CLASS) {
        for (uint32_t k = 0; k < instance_n_parts(i); k++) {
            Instance *c = instance_part(i, k);
            if (c && c->parent == i)
                mark_whole(f, c);
        }
    }
}

static bool has_plain_subscripts(const SynPart *part)
{
    for (uint32_t k = 0; k < part->sub.n; k++)
        if (part->sub.at[k]->kind != SYN_INTEGER)
            return false;
    return true;
}

static void mark_cref(Front *f, Scope *s, const SynCref *cref, bool in_statement)
{
    /* subscripts may need the values of variables: then all elements are meant */
    SynPart *part = arena_array(f->scratch, SynPart, cref->n);
    SynCref bare = *cref;
    memcpy(part, cref->part, cref->n * sizeof *part);
    bare.part = part;
    bool plain = has_plain_subscripts(&part[cref->n - 1]);
    bool is_same = !plain; /* in each iteration of a loop around it */
    for (uint32_t k = 0; k + 1 < cref->n; k++) {
        if (in_statement && !has_plain_subscripts(&part[k]))
            part[k].sub = (SynExprs){0}; /* the loop around it is not run here */
        is_same = is_same && part[k].sub.n == 0;
    }
    uint64_t key = hash_pair(map_key_ptr(cref), map_key_ptr(f->lookup->marking));
    if (is_same && !map_add(&f->lookup->marked, key))
        return;
    if (!plain)
        part[cref->n - 1].sub = (SynExprs){0};
    Selection a;
    if (!instance_select(f, s, &bare, &a))
        return;
    for (uint32_t k = 0; k < a.n; k++) {
        if (a.place && a.at[k]->kind == INST_LEAF)
            mark_leaf(f, a.at[k], a.place[k], 1);
        else
            mark_whole(f, a.at[k]);
    }
}

static void mark_expr(Front *f, Scope *s, const SynExpr *x, bool in_statement)
{
    if (x->kind == SYN_CREF)
        mark_cref(f, s, x->cref, in_statement);
    for (uint32_t k = 0; x->kind == SYN_TUPLE && k < x->arg.n; k++)
        if (x->arg.at[k])
            mark_expr(f, s, x->arg.at[k], in_statement);
}

static bool has_when(const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        if (x->kind == SYN_EQ_WHEN || (x->kind == SYN_EQ_FOR && has_when(&x->body)))
            return true;
        for (uint32_t j = 0; x->kind == SYN_EQ_IF && j < x->n_branches; j++)
            if (has_when(&x->branch[j].body))
                return true;
    }
    return false;
}

static void mark_equations(Front *f, Scope *s, const SynEquations *all, bool inside)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        SynEquations one = {(SynEquation **)&all->at[k], 1};
        if (!inside && !has_when(&one))
            continue;
        ArenaMark mark = arena_mark(f->scratch);
        if (x->kind == SYN_EQ_EQUAL) {
            mark_expr(f, s, x->lhs, false);
        } else if (x->kind == SYN_EQ_FOR) {
            Iteration it;
            bool good = equation_iteration(f, s, x, &it);
            for (uint32_t j = 0; good && j < it.total; j++) {
                iteration_set(f, &it, j);
                mark_equations(f, it.scope, &x->body, inside);
            }
        } else if (x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN) {
            for (uint32_t j = 0; j < x->n_branches; j++)
                mark_equations(f, s, &x->branch[j].body, inside || x->kind == SYN_EQ_WHEN);
        }
        arena_rollback(f->scratch, mark);
    }
}

static void mark_statements(Front *f, Scope *s, const SynStatements *all, bool inside)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynStatement *st = all->at[k];
        ArenaMark mark = arena_mark(f->scratch);
        if (inside && st->target)
            mark_cref(f, s, st->target, true);
        for (uint32_t j = 0; inside && j < st->tuple.n; j++)
            if (st->tuple.at[j])
                mark_expr(f, s, st->tuple.at[j], true);
        for (uint32_t j = 0; j < st->n_branches; j++)
            mark_statements(f, s, &st->branch[j].body, inside || st->kind == SYN_ST_WHEN);
        mark_statements(f, s, &st->body, inside);
        arena_rollback(f->scratch, mark);
    }
}

void when_mark_in(Front *f, Instance *i)
{
    f->lookup->marking = i;
    for (uint32_t k = 0; k < i->cls->linear.n; k++) {
        const Class *c = i->cls->linear.at[k];
        for (uint32_t j = 0; c->syn && j < c->syn->n_sections; j++) {
            const SynSection *section = &c->syn->section[j];
            if (section->algorithm)
                mark_statements(f, instance_scope(f, i, c), &section->statements, false);
            else
                mark_equations(f, instance_scope(f, i, c), &section->equations, false);
        }
    }
}

/* ---- when it fires --------------------------------------------------------------------------- */

static bool called(const SynExpr *call, const char *name)
{
    return call->kind == SYN_CALL && call->cref->n == 1 &&
           strcmp(call->cref->part[0].name.s, name) == 0;
}

/* Is element k of n the call initial() itself: any other expression of the same value is a
 * condition like others (MLS 8.6). */
static bool is_initial(const SynExpr *x, uint32_t k, uint32_t n)
{
    if (x->kind == SYN_ARRAY && x->n_iter == 0 && x->arg.n == n)
        x = x->arg.at[k];
    return called(x, "initial");
}

/* initial() is true at an instant, so it needs no edge; nothing else fires then (MLS 8.6). */
static ExprId rises(ExprPool *p, ExprId x, bool is_initial)
{
    if (is_initial)
        return x;
    ExprId edge = expr_and(p, x, expr_not(p, expr_wrap(p, OP_PRE, x)));
    return expr_and(p, edge, expr_not(p, expr_initial(p)));
}

bool when_fires(Front *f, Scope *s, const SynExpr *x, ExprId *out, bool *is_clock)
{
    ExprPool *p = f->sys->pool;
    Value v;
    if (!expression_value(f, s, x, &v))
        return false;
    *is_clock = v.kind == VALUE_PLAIN && v.type == TYPE_CLOCK && v.n_dims == 0;
    *out = expr_int(p, 1);
    if (*is_clock) {
        *out = v.elem[0];
        return true;
    }
    if (v.kind != VALUE_PLAIN || v.type != TYPE_BOOLEAN || v.n_dims > 1) {
        diag_error(f->diags, x->span, "T31",
                   "the condition of 'when' must be a Boolean or a vector of them, this is %s",
                   type_text(f, &v));
        return false;
    }
    *out = expr_int(p, 0);
    for (uint32_t k = 0; k < value_size(&v); k++)
        *out = expr_or(p, *out, rises(p, v.elem[k], is_initial(x, k, value_size(&v))));
    return true;
}

/* ---- actions --------------------------------------------------------------------------------- */

bool when_is_action(const SynExpr *call)
{
    return called(call, "terminate") || called(call, "reinit");
}

bool when_action(Front *f, Scope *s, const SynExpr *call)
{
    ExprPool *p = f->sys->pool;
    bool is_reinit = called(call, "reinit");
    Action a = {.kind = is_reinit ? ACTION_REINIT : ACTION_TERMINATE,
                .fires = f->eval.has_path ? f->eval.path : expr_int(p, 1),
                .var = VAR_NONE,
                .value = EXPR_NONE,
                .span = call->span};
    if (call->arg.n != (is_reinit ? 2u : 1u) || call->n_named) {
        diag_error(f->diags, call->span, "T07", "'%s' takes %s", call->cref->part[0].name.s,
                   is_reinit ? "a variable and its new value" : "a message");
        return false;
    }
    if (f->eval.emission) {
        diag_error(f->diags, call->span, "F31",
                   "'%s' is not supported in a loop whose rounds depend on variables",
                   call->cref->part[0].name.s);
        return false;
    }
    if (is_reinit && !f->eval.in_when) {
        diag_error(f->diags, call->span, "F05",
                   "'reinit' is allowed in a when-clause only (MLS 8.3.6)");
        return false;
    }
    if (!is_reinit) {
        bool in_message = f->eval.in_message;
        f->eval.in_message = true;
        bool ok = expression_scalar(f, s, call->arg.at[0], TYPE_STRING, &a.value);
        f->eval.in_message = in_message;
        if (ok)
            vec_push(f->sys->mem, f->sys->action, a);
        return ok;
    }
    Value var;
    Value value;
    if (!expression_value(f, s, call->arg.at[0], &var) ||
        !expression_value(f, s, call->arg.at[1], &value))
        return false;
    bool is_number =
        value.kind == VALUE_PLAIN && (value.type == TYPE_REAL || value.type == TYPE_INTEGER);
    if (var.kind != VALUE_PLAIN || !is_number || var.type != TYPE_REAL ||
        !value_same_dims(&var, &value)) {
        diag_error(f->diags, call->span, "T30", "'reinit' of %s to %s", type_text(f, &var),
                   type_text(f, &value));
        return false;
    }
    for (uint32_t k = 0; k < value_size(&var); k++) {
        if (expr_op(p, var.elem[k]) != OP_VAR) {
            diag_error(f->diags, call->arg.at[0]->span, "T18", "'reinit' needs a variable");
            return false;
        }
        VarKind kind = var_at(f->sys, expr_var_of(p, var.elem[k]))->kind;
        if (kind != VAR_CONTINUOUS) {
            diag_error(f->diags, call->arg.at[0]->span, "T18",
                       "'reinit' is for states, this is %s (MLS 8.3.6)",
                       kind == VAR_DISCRETE ? "discrete" : "a parameter or an input");
            return false;
        }
        a.var = expr_var_of(p, var.elem[k]);
        a.value = value.elem[k];
        vec_push(f->sys->mem, f->sys->action, a);
    }
    return true;
}
