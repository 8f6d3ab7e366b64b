#include "eliminate/prepare/singular_report.h"

#include "eliminate/prepare/differentiate.h"

#include <string.h>

enum { NAMES_SHOWN = 3, NOTES_SHOWN = 8 };

static const Var *variable(const System *s, VarId v)
{
    return &s->var.at[v.i];
}

/* ---- where it belongs ------------------------------------------------------------------------ */

static bool is_inside(const char *path, const char *name)
{
    size_t n = strlen(path);
    return strncmp(path, name, n) == 0 && (name[n] == 0 || strchr(".[", name[n]));
}

/* The component of the model that the instance or variable is inside of; NULL: none. */
static const ModelComponent *component_of(const System *s, const char *path)
{
    for (uint32_t k = 0; path && k < s->component.n; k++)
        if (is_inside(s->component.at[k].path, path))
            return &s->component.at[k];
    return NULL;
}

static bool is_in_model(const System *s, Span span)
{
    return s->file == 0 || span.file == s->file;
}

/* Of an equation that a component brings along; NULL: of one that stands in the model's file. */
static const ModelComponent *component_around(const System *s, const Eq *eq)
{
    return is_in_model(s, eq->span) || eq->of_connection ? NULL : component_of(s, eq->origin);
}

static const ModelComponent *component_of_eq(const System *s, EqId e)
{
    return component_around(s, &s->eq.at[e.i]);
}

Span singular_place_of_eq(const System *s, const Eq *e)
{
    const ModelComponent *c = component_around(s, e);
    return c ? c->span : e->span;
}

Span singular_place(const System *s, const Var *v)
{
    const ModelComponent *c = is_in_model(s, v->span) ? NULL : component_of(s, v->name.s);
    return c ? c->span : v->span;
}

/* The components whose equations or whose variables are in the part, in the order of the model;
 * bool per component. */
static uint32_t components_of(const System *s, const SingularPart *p, bool by_vars, bool *is_one)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < (by_vars ? p->n_vars : p->n_eqs); k++) {
        const ModelComponent *c = by_vars ? component_of(s, variable(s, p->var[k])->name.s)
                                          : component_of_eq(s, p->eq[k]);
        if (c && !is_one[c - s->component.at]) {
            is_one[c - s->component.at] = true;
            n++;
        }
    }
    return n;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* 'a', 'b' and 7 more */
static const char *names_of_vars(const System *s, const SingularPart *p)
{
    const char *text = p->n_vars ? "" : "nothing";
    for (uint32_t k = 0; k < p->n_vars && k < NAMES_SHOWN; k++)
        text =
            arena_printf(s->mem, "%s%s'%s'", text, k ? ", " : "", variable(s, p->var[k])->name.s);
    if (p->n_vars > NAMES_SHOWN)
        text = arena_printf(s->mem, "%s and %u more", text, p->n_vars - NAMES_SHOWN);
    return text;
}

/* 'a', 'b' and 'c' */
static const char *names_of_components(const System *s, const bool *is_one, uint32_t n)
{
    enum { SHOWN = 6 };
    const char *text = "";
    uint32_t done = 0;
    for (uint32_t k = 0; k < s->component.n && done < SHOWN; k++) {
        if (!is_one[k])
            continue;
        const char *between = done == 0 ? "" : done + 1 == n ? " and " : ", ";
        text = arena_printf(s->mem, "%s%s'%s'", text, between, s->component.at[k].path);
        done++;
    }
    return n > SHOWN ? arena_printf(s->mem, "%s and %u more", text, n - SHOWN) : text;
}

/* Is it part of a connector to which nothing is connected. */
static bool is_concerned(const System *s, const LooseEnd *l, const SingularPart *p, const Var *also)
{
    bool is = also && is_inside(l->path, also->name.s);
    for (uint32_t k = 0; k < p->n_vars && !is; k++)
        is = is_inside(l->path, variable(s, p->var[k])->name.s);
    return is;
}

static void report_loose(const System *s, const SingularPart *p, const Var *also,
                         const LooseEnd *but)
{
    for (uint32_t k = 0; k < s->loose.n; k++) {
        const LooseEnd *l = &s->loose.at[k];
        if (l != but && is_concerned(s, l, p, also))
            diag_note(s->diags, l->span, "nothing is connected to '%s'", l->path);
    }
}

/* An unconnected input that could be the missing variable. */
static const LooseEnd *loose_input(const System *s, const SingularPart *p, const Var *also)
{
    for (uint32_t k = 0; k < s->loose.n; k++)
        if (s->loose.at[k].is_input && is_concerned(s, &s->loose.at[k], p, also))
            return &s->loose.at[k];
    return NULL;
}

/* The message that the model has for v, or, if v is NULL, for a variable of the part. */
static bool note_unassigned(const System *s, const SingularPart *p, const Var *v, Span at)
{
    for (uint32_t k = 0; k < s->unassigned.n; k++) {
        const UnassignedMessage *m = &s->unassigned.at[k];
        bool is = v && v >= &s->var.at[m->first.i] && v < &s->var.at[m->first.i + m->n];
        for (uint32_t j = 0; !v && j < p->n_vars && !is; j++)
            is = p->var[j].i >= m->first.i && p->var[j].i < m->first.i + m->n;
        if (is) {
            diag_note(s->diags, at, "%s", m->text);
            return true;
        }
    }
    return false;
}

static bool same_place(Span a, Span b)
{
    return a.file == b.file && a.begin == b.begin && a.end == b.end;
}

/* "'a', 'b'": the instances whose equations of the part are written where equation k is; of many
 * the first, and how many more there are. */
static const char *owners_of(System *s, const SingularPart *p, uint32_t k)
{
    const char *all = "";
    uint32_t n = 0;
    for (uint32_t j = k; j < p->n_eqs; j++) {
        const Eq *e = &s->eq.at[p->eq[j].i];
        if (!same_place(e->span, s->eq.at[p->eq[k].i].span) || !e->origin || !*e->origin)
            continue;
        if (n++ < NAMES_SHOWN)
            all = arena_printf(s->mem, "%s%s'%s'", all, *all ? ", " : "", e->origin);
    }
    return n > NAMES_SHOWN ? arena_printf(s->mem, "%s and %u more", all, n - NAMES_SHOWN) : all;
}

/* Each place once. */
static void note_equations(System *s, const SingularPart *p, EqId odd, bool in_model)
{
    uint32_t shown = 0;
    for (uint32_t k = 0; k < p->n_eqs && shown < NOTES_SHOWN; k++) {
        const Eq *e = &s->eq.at[p->eq[k].i];
        bool is_new = !(in_model && same_place(e->span, s->eq.at[odd.i].span));
        for (uint32_t j = 0; j < k && is_new; j++)
            is_new = !same_place(s->eq.at[p->eq[j].i].span, e->span);
        if (p->eq[k].i == odd.i || is_in_model(s, e->span) != in_model || !is_new)
            continue;
        const char *of = in_model ? "" : owners_of(s, p, k);
        diag_note(s->diags, e->span, "this %s%s%s is one of them",
                  e->of_connection && in_model ? "connection" : "equation", *of ? " of " : "", of);
        shown++;
    }
}

/* ---- reports --------------------------------------------------------------------------------- */

/* An unknown determined twice inside library components is reported at one of these components. */
static void too_many_in_components(System *s, const SingularPart *p, EqId odd, const bool *is_one,
                                   uint32_t n)
{
    const ModelComponent *at = component_of_eq(s, odd);
    for (uint32_t k = 0; k < s->component.n && !component_of_eq(s, odd); k++)
        if (is_one[k])
            at = &s->component.at[k]; /* the last one */
    if (p->n_vars == 0)
        diag_error(s->diags, at->span, "S02",
                   "structurally singular: an equation of %s holds no unknown (%s)",
                   names_of_components(s, is_one, n), p->size);
    else
        diag_error(s->diags, at->span, "S02",
                   "structurally singular: %s determine%s the same unknowns: %u equation%s for %s "
                   "(%s)",
                   names_of_components(s, is_one, n), n == 1 ? "s" : "", p->n_eqs,
                   p->n_eqs == 1 ? "" : "s", names_of_vars(s, p), p->size);
    diag_note(s->diags, at->span,
              n == 1
                  ? "look at what '%s' is connected to: both of its ends may be at one place"
                  : "take '%s' or another of them out, or put a component between them that lets "
                    "them differ",
              at->path);
    for (uint32_t k = 0; k < s->component.n; k++)
        if (is_one[k] && &s->component.at[k] != at)
            diag_note(s->diags, s->component.at[k].span, "'%s' is one of them",
                      s->component.at[k].path);
}

/* A parameter or input in x; `before` if there is one already. */
static const Var *known_of(const System *s, ExprId x, const Var *before)
{
    if (!before && expr_op(s->pool, x) == OP_VAR) {
        const Var *v = variable(s, expr_var_of(s->pool, x));
        return v->kind == VAR_PARAMETER || v->kind == VAR_INPUT ? v : NULL;
    }
    for (uint32_t k = 0; !before && k < expr_n_args(s->pool, x); k++)
        before = known_of(s, expr_arg(s->pool, x, k), NULL);
    return before;
}

/* x = 1 for a differentiated x is an equation for all times: often a start value was meant. */
static bool note_start(const System *s, const SingularPart *p)
{
    for (uint32_t k = 0; k < p->n_eqs; k++) {
        const Eq *e = &s->eq.at[p->eq[k].i];
        double value;
        if (expr_op(s->pool, e->lhs) != OP_VAR || !expr_constant(s->pool, e->rhs, &value))
            continue;
        const Var *v = variable(s, expr_var_of(s->pool, e->lhs));
        if (!var_exists(v->der))
            continue;
        diag_note(s->diags, e->span,
                  "this is an equation for all times; a value at the start is written "
                  "%s(start = %g, fixed = true)",
                  v->name.s, value);
        return true;
    }
    return false;
}

void report_too_many(System *s, const SingularPart *p, EqId odd)
{
    bool *is_one = arena_array(s->mem, bool, s->component.n + 1);
    uint32_t n = components_of(s, p, false, is_one);
    /* an equation that the modeller wrote is the likeliest mistake, a connection is not */
    for (uint32_t k = 0; k < p->n_eqs; k++) {
        const Eq *e = &s->eq.at[p->eq[k].i];
        const Eq *now = &s->eq.at[odd.i];
        bool is_own = is_in_model(s, e->span) && !e->of_connection;
        bool now_own = is_in_model(s, now->span) && !now->of_connection;
        if (is_own && !now_own)
            odd = p->eq[k];
    }
    const Eq *e = &s->eq.at[odd.i];
    const Var *known = p->n_vars ? NULL : known_of(s, e->rhs, known_of(s, e->lhs, NULL));
    if (n > 0 && !(is_in_model(s, e->span) && !e->of_connection)) {
        too_many_in_components(s, p, odd, is_one, n);
    } else if (known) {
        diag_error(s->diags, e->span, "S02",
                   "structurally singular: this equation holds no unknown: '%s' is a %s (%s)",
                   known->name.s, known->kind == VAR_INPUT ? "known input" : "parameter", p->size);
        diag_note(s->diags, known->span,
                  known->kind == VAR_INPUT
                      ? "what is not given from outside is declared without 'input'"
                      : "its value belongs here, or, with fixed = false, into an initial equation");
    } else if (p->n_vars == 0) {
        diag_error(s->diags, e->span, "S02",
                   "structurally singular: this equation holds no unknown (%s)", p->size);
    } else {
        diag_error(s->diags, e->span, "S02",
                   "structurally singular: %u equation%s determine%s only %s (%s)", p->n_eqs,
                   p->n_eqs == 1 ? "" : "s", p->n_eqs == 1 ? "s" : "", names_of_vars(s, p),
                   p->size);
        if (!note_start(s, p))
            diag_note(s->diags, e->span, "leave it out, or one of those below");
    }
    report_loose(s, p, NULL, NULL);
    note_equations(s, p, odd, true);
    note_equations(s, p, odd, false);
    // those of components are in the first line
    uint32_t shown = 0;
    for (uint32_t k = 0; k < p->n_vars && shown < NOTES_SHOWN; k++) {
        const Var *v = variable(s, p->var[k]);
        if (is_in_model(s, v->span) && ++shown)
            diag_note(s->diags, v->span, "they determine '%s'", v->name.s);
    }
}

/* Whether the derivative of v is in x. */
static bool holds_derivative(const System *s, ExprId x, const Var *v)
{
    const ExprPool *p = s->pool;
    if (expr_op(p, x) == OP_VAR) {
        const Var *it = variable(s, expr_var_of(p, x));
        return var_exists(it->der_of) && variable(s, it->der_of) == v;
    }
    bool any = expr_op(p, x) == OP_DER && expr_op(p, expr_arg(p, x, 0)) == OP_VAR &&
               variable(s, expr_var_of(p, expr_arg(p, x, 0))) == v;
    for (uint32_t k = 0; !any && k < expr_n_args(p, x); k++)
        any = holds_derivative(s, expr_arg(p, x, k), v);
    return any;
}

/* Equations of an initial section hold at the start alone. */
static void note_initial(const System *s, const Var *missing)
{
    if (var_exists(missing->der_of))
        missing = variable(s, missing->der_of);
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        const Eq *e = &s->initial_eq.at[k];
        if (!holds_derivative(s, e->lhs, missing) && !holds_derivative(s, e->rhs, missing))
            continue;
        diag_note(s->diags, e->span,
                  "this holds at the start only; equations for all times stand behind 'equation'");
        return;
    }
}

void report_too_few(System *s, const SingularPart *p, VarId odd)
{
    const Var *missing = variable(s, odd);
    const LooseEnd *input = loose_input(s, p, missing);
    if (input) {
        diag_error(s->diags, input->span, "S03",
                   "structurally singular: the input '%s' has no value, nothing is connected to it "
                   "(%s)",
                   input->path, p->size);
        diag_note(s->diags, input->span, "connect it to an output, or bind it to an expression");
        report_loose(s, p, missing, input);
        return;
    }
    const Var *base = var_exists(missing->der_of) ? variable(s, missing->der_of) : missing;
    if (base->kind == VAR_INPUT) {
        diag_error(s->diags, singular_place(s, base), "S03",
                   "the derivative of the input '%s' is not known: only its values are given (%s)",
                   base->name.s, p->size);
        diag_note(
            s->diags, base->span,
            "make its derivative the input: input Real rate; Real %s(start = 0, fixed = true); "
            "equation der(%s) = rate;",
            base->name.s, base->name.s);
        return;
    }
    diag_error(s->diags, singular_place(s, missing), "S03",
               "structurally singular: no equation determines '%s' (%s)", missing->name.s, p->size);
    note_initial(s, missing);
    if (!note_unassigned(s, p, missing, singular_place(s, missing)))
        note_unassigned(s, p, NULL, singular_place(s, missing));
    report_loose(s, p, missing, NULL);
    if (!is_in_model(s, missing->span))
        diag_note(s->diags, missing->span, "'%s' is declared here", missing->name.s);
    uint32_t shown = 0;
    for (int in_model = 1; in_model >= 0; in_model--)
        for (uint32_t k = 0; k < p->n_vars && shown < NOTES_SHOWN; k++) {
            const Var *v = variable(s, p->var[k]);
            if (v == missing || is_in_model(s, v->span) != (in_model == 1))
                continue;
            diag_note(s->diags, v->span, "one more equation is needed for it or for '%s'",
                      v->name.s);
            shown++;
        }
}

/* Do the equations still hold if all potentials among the variables are raised alike. */
static bool holds_differences(System *s, const SingularPart *p, Arena *scratch)
{
    ExprId *up = arena_array(scratch, ExprId, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        up[k] = EXPR_NONE;
    bool any = false;
    for (uint32_t k = 0; k < p->n_vars; k++)
        if (variable(s, p->var[k])->is_potential) {
            up[p->var[k].i] = expr_int(s->pool, 1);
            any = true;
        }
    Differentiator d = differentiator_along(s, s->var.n, up, EXPR_NONE, scratch);
    for (uint32_t k = 0; any && k < p->n_eqs; k++) {
        const Eq *e = &s->eq.at[p->eq[k].i];
        ExprId change = differentiate(&d, expr_sub(s->pool, e->lhs, e->rhs));
        any = expr_exists(change) && expr_is_zero(s->pool, change) == YES;
    }
    return any;
}

void report_no_level(System *s, const SingularPart *p, Arena *scratch)
{
    bool *is_one = arena_array(s->mem, bool, s->component.n + 1);
    uint32_t n = components_of(s, p, true, is_one);
    const Var *first = variable(s, p->var[0]);
    bool level = n > 0 && holds_differences(s, p, scratch);
    if (level)
        for (uint32_t k = p->n_vars; k-- > 0;)
            first = variable(s, p->var[k])->is_potential ? variable(s, p->var[k]) : first;
    const ModelComponent *of = component_of(s, first->name.s);
    Span at = level && of ? of->span : singular_place(s, first);
    if (level)
        diag_error(s->diags, at, "S02",
                   "structurally singular: nothing sets the level of '%s' in %s, whose equations "
                   "hold differences alone: %u equations for %u unknowns",
                   first->name.s, names_of_components(s, is_one, n), p->n_eqs, p->n_vars);
    else if (n > 0)
        diag_error(s->diags, at, "S02",
                   "structurally singular once aliases and constants are removed: %u equations for "
                   "%u unknowns of %s",
                   p->n_eqs, p->n_vars, names_of_components(s, is_one, n));
    else
        diag_error(s->diags, at, "S02",
                   "structurally singular once aliases and constants are removed: %u equations for "
                   "%u unknowns here",
                   p->n_eqs, p->n_vars);
    note_unassigned(s, p, NULL, at);
    if (level)
        diag_note(s->diags, at,
                  "connect a component that sets it: a ground, a fixed flange, a reservoir");
    for (uint32_t k = 0; k < s->component.n; k++)
        if (is_one[k] && s->component.at[k].span.begin != at.begin)
            diag_note(s->diags, s->component.at[k].span, "'%s' is one of them",
                      s->component.at[k].path);
    report_loose(s, p, NULL, NULL);
    for (uint32_t k = 0; k < p->n_vars && k < NOTES_SHOWN; k++) {
        const Var *v = variable(s, p->var[k]);
        if (n == 0 || is_in_model(s, v->span))
            diag_note(s->diags, v->span, "nothing determines '%s'", v->name.s);
    }
}
