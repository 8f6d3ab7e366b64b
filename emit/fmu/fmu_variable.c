#include "emit/fmu/fmu_variable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Facts about the model from which the attributes follow. */
typedef struct Facts {
    const FmuModel *m;
    const RungModel *model;
    const bool *is_found;     /* per parameter: by the initial system   */
    const bool *closes_loops; /* per input                              */
    const bool *may_jump;     /* per state                              */
    const bool *is_fixed;     /* per variable of the System: a parameter that cannot be tuned */
    const bool *is_tuned;     /* likewise: it depends on one that can be  */
} Facts;

/* ------------------------------------------------------------------ tunable parameters */

/* Marks the variables that an expression is made of, and those that the bindings of parameters
 * among them are made of. */
static void fix_all(const System *s, ExprId x, bool *reached, bool *is_fixed, Arena *mem)
{
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, x);
    while (stack.n) {
        ExprId e = stack.at[--stack.n];
        if (!expr_exists(e) || reached[e.i])
            continue;
        reached[e.i] = true;
        for (uint32_t k = 0; k < expr_n_args(s->pool, e); k++)
            vec_push(mem, stack, expr_arg(s->pool, e, k));
        if (expr_op(s->pool, e) != OP_VAR)
            continue;
        VarId v = expr_var_of(s->pool, e);
        is_fixed[v.i] = true;
        if (s->var.at[v.i].kind == VAR_PARAMETER)
            vec_push(mem, stack, s->var.at[v.i].binding);
    }
}

const bool *fmu_fixed_parameters(const Program *g, Arena *mem)
{
    const System *s = g->sys;
    bool *fixed = arena_array(mem, bool, s->var.n + 1);
    bool *reached = arena_array(mem, bool, pool_size(s->pool) + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        if (s->var.at[k].type == TYPE_OBJECT)
            fix_all(s, s->var.at[k].binding, reached, fixed, mem);
    for (uint32_t k = 0; k < g->n_memory; k++) {
        const Memory *it = &g->memory[k];
        bool is_timed =
            it->kind == MEMORY_SAMPLE || it->kind == MEMORY_CLOCK || it->kind == MEMORY_DELAY;
        if (is_timed) {
            fix_all(s, it->start, reached, fixed, mem);
            fix_all(s, it->interval, reached, fixed, mem);
        }
    }
    return fixed;
}

/* Marks also the parameters whose bindings depend on those marked in `tuned`. */
static void follow_bindings(const System *s, const bool *is_kept, bool *tuned, Arena *mem)
{
    uint32_t n = pool_size(s->pool);
    bool *moves = arena_array(mem, bool, n + 1); /* per node */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < n; k++) { // operands come before users
            ExprId x = {k};
            moves[k] = system_is_marked(s, x, tuned);
            for (uint32_t a = 0; a < expr_n_args(s->pool, x) && !moves[k]; a++)
                moves[k] = moves[expr_arg(s->pool, x, a).i];
        }
        for (uint32_t k = 0; k < s->var.n; k++) {
            const Var *v = &s->var.at[k];
            bool follows = v->kind == VAR_PARAMETER && !tuned[k] && !is_kept[k] &&
                           expr_exists(v->binding) && moves[v->binding.i];
            if (follows)
                tuned[k] = changed = true;
        }
    }
}

VarId fmu_var_of_row(const FmuModel *m, uint32_t row)
{
    // parameters of the compiler's own have no row
    return row < m->model->n_variables
               ? system_find_var(m->sys, name_of(m->sys->names, rung_name(m->model, row)))
               : VAR_NONE;
}

/* A parameter that the importer may set before the start. */
static bool is_own(const RungModel *model, const bool *found, uint32_t k)
{
    const RungParameter *p = &model->parameter[k];
    return p->is_settable && !p->is_dependent && !found[k];
}

/* Per variable of the System: a parameter that changes, or may be changed, during a run. */
static const bool *tuned_parameters(const FmuModel *m, const bool *found, const bool *fixed,
                                    Arena *mem)
{
    const System *s = m->sys;
    bool *tuned = arena_array(mem, bool, s->var.n + 1);
    bool *kept = arena_array(mem, bool, s->var.n + 1); /* computed by the initial system */
    for (uint32_t k = 0; k < m->model->n_parameters; k++) {
        VarId v = fmu_var_of_row(m, m->model->parameter[k].variable);
        if (var_exists(v)) {
            tuned[v.i] = is_own(m->model, found, k) && !fixed[v.i];
            kept[v.i] = found[k];
        }
    }
    follow_bindings(s, kept, tuned, mem);
    return tuned;
}

/* ------------------------------------------------------------------ attributes of variables */

static Facts facts_of(const FmuModel *m, Arena *mem)
{
    const RungModel *model = m->model;
    bool *found = arena_array(mem, bool, model->n_parameters + 1);
    bool *closes = arena_array(mem, bool, model->n_inputs + 1);
    bool *jumps = arena_array(mem, bool, model->n_states + 1);
    for (uint32_t k = 0; model->initial && k < model->initial->n; k++)
        if (model->initial->value[k].place == RUNG_IN_PARAMETERS)
            found[model->initial->value[k].index] = true;
    for (uint32_t k = 0; model->loops && k < model->loops->n_constraints; k++)
        closes[model->loops->multiplier[k]] = true;
    for (uint32_t k = 0; model->loops && k < model->loops->n_free; k++)
        closes[model->loops->free[k]] = true;
    for (uint32_t k = 0; model->event && k < model->event->n_actions; k++)
        if (model->event->action[k].kind == RUNG_REINIT)
            jumps[model->event->action[k].state] = true;
    // an event projects states back onto the constraints
    for (uint32_t k = 0; model->loops && k < model->n_states; k++)
        jumps[k] = true;
    const bool *fixed = fmu_fixed_parameters(m->program, mem);
    return (Facts){m, model, found, closes, jumps, fixed, tuned_parameters(m, found, fixed, mem)};
}

static void classify_parameter(const Facts *f, uint32_t row, const RungVariable *v,
                               FmuVariable *out)
{
    bool is_tuned = out->var && f->is_tuned[out->var - f->m->sys->var.at];
    out->variability = is_tuned ? FMU_TUNABLE : FMU_FIXED;
    bool own = v->place == RUNG_IN_PARAMETERS && !v->negated &&
               f->model->parameter[v->index].variable == row;
    if (!own || !f->model->parameter[v->index].is_settable) {
        out->initial = FMU_CALCULATED;
    } else if (f->model->parameter[v->index].is_dependent || f->is_found[v->index]) {
        out->causality = FMU_CALCULATED_PARAMETER;
        out->initial = FMU_CALCULATED;
        out->variability = f->is_found[v->index] ? FMU_FIXED : out->variability;
    } else {
        out->causality = FMU_PARAMETER;
        out->initial = FMU_EXACT;
    }
}

static void classify(const Facts *f, uint32_t row, const RungVariable *v, FmuVariable *out)
{
    const RungModel *m = f->model;
    bool is_real = out->type == RUNG_REAL;
    out->variability = is_real ? FMU_CONTINUOUS : FMU_DISCRETE;
    out->initial = FMU_CALCULATED;
    out->causality = out->attributes->is_output ? FMU_OUTPUT : FMU_LOCAL;
    switch ((RungKind)out->attributes->kind) {
    case RUNG_CONSTANT:
        out->variability = FMU_CONSTANT;
        out->initial = FMU_EXACT;
        out->causality = FMU_LOCAL;
        break;
    case RUNG_PARAMETER:
        out->causality = FMU_LOCAL;
        classify_parameter(f, row, v, out);
        break;
    case RUNG_INPUT:
        if (v->place == RUNG_IN_INPUTS && !v->negated && v->index < m->n_inputs &&
            m->input[v->index].variable == row && !f->closes_loops[v->index]) {
            out->causality = FMU_INPUT;
            out->initial = FMU_NO_INITIAL; // exact, by the standard
        }
        break;
    case RUNG_DISCRETE:
        out->variability = FMU_DISCRETE;
        break;
    case RUNG_STATE:
        if (v->place == RUNG_IN_STATES && m->state[v->index] == row) {
            out->initial = m->initial || m->loops ? FMU_CALCULATED : FMU_EXACT;
            out->may_jump = f->may_jump[v->index];
        }
        break;
    case RUNG_ALGEBRAIC:
        break;
    }
    bool has_start = out->initial == FMU_EXACT || out->causality == FMU_INPUT;
    out->start = has_start ? f->m->value[row] : NAN;
    // a value that only a run computes
    if (out->initial == FMU_EXACT && isnan(out->start)) {
        out->initial = FMU_CALCULATED;
        out->variability = out->variability == FMU_CONSTANT ? FMU_FIXED : out->variability;
    }
    if (out->causality == FMU_INPUT && isnan(out->start))
        out->start = 0;
}

static const FmuVariable nothing = {.type = RUNG_REAL,
                                    .start = NAN,
                                    .derivative_of = RUNG_NONE,
                                    .initial = FMU_CALCULATED,
                                    .variability = FMU_CONTINUOUS,
                                    .n = 1};

/* A name that nothing in the model has. */
static const char *free_name(const System *s, const char *name, uint32_t k, Arena *mem)
{
    for (const char *before = "";; before = arena_printf(mem, "%s_", before)) {
        const char *text = arena_printf(mem, "%s%s%u", before, name, k);
        if (system_find_var(s, name_of(s->names, text)).i == VAR_NONE.i)
            return text;
    }
}

/* ------------------------------------------------------------------ arrays */

/* The subscripts of an element: [2,3] in "a.b[2,3]" and in "der(a.b[2,3])". */
static uint32_t subscripts(const char *name, uint32_t dim[FMU_DIMS], const char **from)
{
    const char *open = strrchr(name, '['), *close = open ? strchr(open, ']') : NULL;
    uint32_t n = 0;
    *from = open;
    // brackets inside quotes belong to a name
    if (!close || strspn(close + 1, ")") != strlen(close + 1))
        return 0;
    for (const char *at = open; *at != ']' && n < FMU_DIMS; n++) {
        char *end;
        dim[n] = (uint32_t)strtoul(at + 1, &end, 10);
        if (end == at + 1 || (*end != ',' && *end != ']'))
            return 0;
        at = end;
    }
    return n;
}

static bool are_alike(const FmuVariable *a, const FmuVariable *b)
{
    return a->attributes == b->attributes && a->type == b->type && a->causality == b->causality &&
           a->variability == b->variability && a->initial == b->initial &&
           isnan(a->start) == isnan(b->start) && a->may_jump == b->may_jump &&
           a->var->group == b->var->group && a->var->enumeration == b->var->enumeration &&
           a->var->attr.unit.s == b->var->attr.unit.s &&
           a->var->attr.quantity.s == b->var->attr.quantity.s &&
           a->var->attr.min.i == b->var->attr.min.i && a->var->attr.max.i == b->var->attr.max.i &&
           a->var->attr.nominal.i == b->var->attr.nominal.i;
}

/* How many entries from k on are the elements of one array, all of them; 1 where they are not. */
static uint32_t elements_from(const FmuVariables *v, uint32_t k, FmuVariable *whole)
{
    const FmuVariable *first = &v->at.at[k];
    const char *from;
    uint32_t n = 1;
    *whole = *first;
    if (!first->var || !first->attributes || first->var->group == GROUP_NONE || first->var->index)
        return 1;
    while (k + n < v->at.n && v->at.at[k + n].var && v->at.at[k + n].attributes &&
           v->at.at[k + n].var->index == n && v->at.at[k + n].reference == first->reference + n &&
           are_alike(first, &v->at.at[k + n]))
        n++;
    whole->n_dims = subscripts(v->at.at[k + n - 1].name, whole->dim, &from);
    uint32_t product = whole->n_dims > 0;
    for (uint32_t d = 0; d < whole->n_dims; d++)
        product *= whole->dim[d];
    // another one of the same array that is not like these
    bool more =
        k + n < v->at.n && v->at.at[k + n].var && v->at.at[k + n].var->group == first->var->group;
    return product == n && !more ? n : 1;
}

/* States that are one array have derivatives that are one, in the same order, or neither is. */
static void part_unlike(FmuVariables *v, uint32_t n_states, const uint32_t *state,
                        const uint32_t *derivative, uint32_t *size)
{
    uint32_t *number = size + v->at.n; // per entry: which state, + 1
    for (uint32_t k = 0; k < n_states; k++)
        number[state[k]] = k + 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < n_states; k++) {
            uint32_t x = state[k], d = derivative[k];
            for (int side = 0; side < 2; side++) {
                uint32_t at = side ? d : x, n = size[at];
                bool fits = size[x] == size[d];
                for (uint32_t i = 0; i < n && fits; i++)
                    fits = k + i < n_states && state[k + i] == x + i && derivative[k + i] == d + i;
                if (n > 1 && !fits) {
                    size[at] = 1;
                    for (uint32_t i = 1; i < n; i++)
                        size[at + i] = 1;
                    changed = true;
                }
            }
        }
        // an element that is a state in an array that does not begin with one
        for (uint32_t k = 0; k < v->at.n; k += size[k] ? size[k] : 1) {
            uint32_t n = size[k];
            bool split = false;
            for (uint32_t i = 0; i < n && n > 1; i++)
                split = split || (number[k + i] != 0) != (number[k] != 0) ||
                        (v->at.at[k + i].derivative_of == RUNG_NONE) !=
                            (v->at.at[k].derivative_of == RUNG_NONE);
            for (uint32_t i = 0; i < n && split; i++)
                size[k + i] = 1;
            changed = changed || split;
        }
    }
}

static const char *array_name(const char *element, Arena *mem)
{
    uint32_t dim[FMU_DIMS];
    const char *from;
    subscripts(element, dim, &from);
    return arena_printf(mem, "%.*s%s", (int)(from - element), element, strchr(from, ']') + 1);
}

/* One entry in place of the elements of an array. Places of states and derivatives move. */
static void join_arrays(FmuVariables *v, uint32_t n_states, uint32_t *state, uint32_t *derivative,
                        Arena *mem)
{
    uint32_t n = v->at.n, to = 0;
    /* per entry: the elements of the array that begins here; 0 inside of one */
    uint32_t *size = arena_array(mem, uint32_t, 2 * (size_t)n + 1);
    uint32_t *moved = arena_array(mem, uint32_t, n + 1);
    FmuVariable whole;
    for (uint32_t k = 0; k < n; k += size[k])
        size[k] = elements_from(v, k, &whole);
    part_unlike(v, n_states, state, derivative, size);
    for (uint32_t k = 0; k < n;) {
        uint32_t elements = size[k] > 1 ? elements_from(v, k, &whole) : 1;
        FmuVariable it = v->at.at[k];
        if (elements > 1) {
            double *starts = arena_array(mem, double, elements);
            for (uint32_t i = 0; i < elements; i++)
                starts[i] = v->at.at[k + i].start;
            it = whole;
            it.n = elements;
            it.starts = starts;
            it.name = array_name(it.name, mem);
        }
        for (uint32_t i = 0; i < elements; i++)
            moved[k + i] = to;
        v->at.at[to++] = it;
        k += elements;
    }
    v->at.n = to;
    for (uint32_t k = 0; k < to; k++)
        if (v->at.at[k].derivative_of != RUNG_NONE)
            v->at.at[k].derivative_of = moved[v->at.at[k].derivative_of];
    for (uint32_t k = 0; k < n_states; k++) {
        state[k] = moved[state[k]];
        derivative[k] = moved[derivative[k]];
    }
}

/* ------------------------------------------------------------------ aliases */

/* The place of a variable's value in the model's arrays. */
typedef struct ValuePlace {
    uint32_t place, index, negated, entry;
} ValuePlace;

static int by_place(const void *a, const void *b)
{
    const ValuePlace *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    if (x->negated != y->negated)
        return x->negated < y->negated ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static bool are_one_place(const RungModel *model, uint32_t row, uint32_t other, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const RungVariable a = rung_variable(model, row + k), b = rung_variable(model, other + k);
        if (a.place != b.place || a.index != b.index || a.negated != b.negated)
            return false;
    }
    return true;
}

/* Bounds that one does not have, or that are those of the other. */
static bool has_no_bounds_but(const FmuVariable *a, const FmuVariable *b)
{
    const Attributes *p = &a->var->attr, *q = &b->var->attr;
    return (!expr_exists(p->min) || p->min.i == q->min.i) &&
           (!expr_exists(p->max) || p->max.i == q->max.i) &&
           (!expr_exists(p->nominal) || p->nominal.i == q->nominal.i) &&
           (!p->quantity.s || p->quantity.s == q->quantity.s);
}

/* Is a only another name of b: a local variable at the same place, without start or bounds that b
 * lacks. */
static bool is_other_name(const RungModel *model, const FmuVariable *a, const FmuVariable *b)
{
    bool same_dims = a->n == b->n && a->n_dims == b->n_dims &&
                     !memcmp(a->dim, b->dim, a->n_dims * sizeof *a->dim);
    return same_dims && a->causality == FMU_LOCAL && a->initial == FMU_CALCULATED &&
           isnan(a->start) && a->type == b->type && a->variability == b->variability &&
           a->var->enumeration == b->var->enumeration &&
           !strcmp(a->attributes->unit, b->attributes->unit) && has_no_bounds_but(a, b) &&
           are_one_place(model, a->reference - 1, b->reference - 1, a->n);
}

/* Variables that stand for the same value get the reference of the first of them that is not local,
 * or of the first. States and their derivatives keep their references. */
static void find_aliases(const FmuModel *m, FmuVariables *v, bool is_state_or_derivative[],
                         uint32_t first_of[], Arena *mem)
{
    VEC(ValuePlace) all = {0};
    for (uint32_t k = 0; k < v->at.n; k++) {
        const FmuVariable *it = &v->at.at[k];
        first_of[k] = k;
        if (!it->var || !it->attributes || it->reference == 0 ||
            it->reference > m->model->n_variables)
            continue;
        const RungVariable row = rung_variable(m->model, it->reference - 1);
        // equal numbers are no aliases
        if (row.place != RUNG_IN_NUMBERS && row.place != RUNG_IS_TIME)
            vec_push(mem, all, ((ValuePlace){(uint32_t)row.place, row.index, row.negated, k}));
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_place);
    for (uint32_t k = 0, end; k < all.n; k = end) {
        uint32_t first = all.at[k].entry;
        bool is_chosen = false;
        for (end = k;
             end < all.n && all.at[end].place == all.at[k].place &&
             all.at[end].index == all.at[k].index && all.at[end].negated == all.at[k].negated;
             end++) {
            uint32_t e = all.at[end].entry;
            bool better = is_state_or_derivative[e] || v->at.at[e].causality != FMU_LOCAL;
            if (better && !is_chosen)
                first = e;
            is_chosen = is_chosen || better;
        }
        for (uint32_t i = k; i < end; i++) {
            uint32_t e = all.at[i].entry;
            if (e != first && !is_state_or_derivative[e] &&
                is_other_name(m->model, &v->at.at[e], &v->at.at[first]))
                first_of[e] = first;
        }
    }
}

/* FMI 2: the same reference. FMI 3: one entry with names. Places of states and derivatives move. */
static void join_aliases(const FmuModel *m, FmuVariables *v, int version, uint32_t *state,
                         uint32_t *derivative, Arena *mem)
{
    uint32_t n = v->at.n, n_states = m->model->n_states, to = 0;
    bool *keeps = arena_array(mem, bool, n + 1);
    uint32_t *first_of = arena_array(mem, uint32_t, n + 1);
    uint32_t *moved = arena_array(mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n_states; k++)
        keeps[state[k]] = keeps[derivative[k]] = true;
    find_aliases(m, v, keeps, first_of, mem);
    if (version == 2) {
        for (uint32_t k = 0; k < n; k++)
            v->at.at[k].reference = v->at.at[first_of[k]].reference;
        for (uint32_t k = 0; k < n; k++)
            v->n_shared += first_of[k] != k;
        return;
    }
    for (uint32_t k = n; k-- > 0;) {
        if (first_of[k] == k)
            continue;
        FmuVariable *alias = arena_array(mem, FmuVariable, 1);
        *alias = v->at.at[k];
        alias->alias = v->at.at[first_of[k]].alias;
        v->at.at[first_of[k]].alias = alias;
    }
    for (uint32_t k = 0; k < n; k++) {
        moved[k] = to;
        if (first_of[k] == k)
            v->at.at[to++] = v->at.at[k];
    }
    v->at.n = to;
    for (uint32_t k = 0; k < to; k++)
        if (v->at.at[k].derivative_of != RUNG_NONE)
            v->at.at[k].derivative_of = moved[v->at.at[k].derivative_of];
    for (uint32_t k = 0; k < n_states; k++) {
        state[k] = moved[state[k]];
        derivative[k] = moved[derivative[k]];
    }
}

static void list_fixed(const Facts *f, FmuVariables *v, Arena *mem)
{
    VEC(uint32_t) fixed = {0};
    for (uint32_t k = 0; k < v->at.n; k++)
        if (v->at.at[k].causality == FMU_PARAMETER && v->at.at[k].var &&
            f->is_fixed[v->at.at[k].var - f->m->sys->var.at])
            vec_push(mem, fixed, v->at.at[k].reference);
    v->fixed = fixed.at;
    v->n_fixed = fixed.n;
}

/* ------------------------------------------------------------------ Strings */

/* Characters that a description may hold (XML 1.0, 2.2). */
static bool is_xml(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' && !strchr("\t\n\r", *c))
            return false;
    return true;
}

/* The text of a parameter or constant, which no run changes; NULL where it is not known. */
static const char *text_of(const System *s, const Var *v)
{
    bool is_kept = v->type == TYPE_STRING && !v->is_hidden && !v->is_initial &&
                   (v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT);
    for (uint32_t steps = 0; is_kept && expr_exists(v->binding) && steps < s->var.n; steps++) {
        if (expr_op(s->pool, v->binding) == OP_STRING) {
            const char *text = expr_text_of(s->pool, v->binding).s;
            return is_xml(text) ? text : NULL;
        }
        if (expr_op(s->pool, v->binding) != OP_VAR)
            return NULL;
        v = &s->var.at[expr_var_of(s->pool, v->binding).i];
    }
    return NULL;
}

/* How many variables from number k on are the elements of one array of Strings, all of them, which
 * is `whole`; 1 where they are not. */
static uint32_t strings_from(const System *s, uint32_t k, FmuVariable *whole)
{
    const Var *first = &s->var.at[k];
    const char *from;
    uint32_t n = 1;
    if (first->group == GROUP_NONE || first->index)
        return 1;
    while (k + n < s->var.n && s->var.at[k + n].group == first->group &&
           s->var.at[k + n].index == n && text_of(s, &s->var.at[k + n]))
        n++;
    whole->n_dims = subscripts(s->var.at[k + n - 1].name.s, whole->dim, &from);
    uint32_t product = whole->n_dims > 0;
    for (uint32_t d = 0; d < whole->n_dims; d++)
        product *= whole->dim[d];
    bool more = k + n < s->var.n && s->var.at[k + n].group == first->group;
    return product == n && !more ? n : 1;
}

/* Strings are evaluated when the model is compiled: to an importer they are constants. */
static void put_strings(const FmuModel *m, FmuVariables *v, int version, Arena *mem)
{
    const System *s = m->sys;
    const char **text = arena_array(mem, const char *, s->var.n + 1);
    const char **text_name = arena_array(mem, const char *, s->var.n + 1);
    uint32_t n = 0;
    v->first_text = 1 + m->model->n_variables + m->model->n_states + rung_n_indicators(m->model);
    for (uint32_t k = 0, elements; k < s->var.n; k += elements) {
        FmuVariable it = nothing;
        elements = 1;
        if (!text_of(s, &s->var.at[k]))
            continue;
        elements = version == 3 ? strings_from(s, k, &it) : 1;
        it.var = &s->var.at[k];
        it.name = elements > 1 ? array_name(it.var->name.s, mem) : it.var->name.s;
        it.n = elements;
        it.reference = v->first_text + n;
        it.texts = text + n;
        it.is_string = true;
        it.variability = FMU_CONSTANT;
        it.initial = FMU_EXACT;
        for (uint32_t i = 0; i < elements; i++) {
            text_name[n] = s->var.at[k + i].name.s;
            text[n++] = text_of(s, &s->var.at[k + i]);
        }
        vec_push(mem, v->at, it);
    }
    v->text = text;
    v->text_name = text_name;
    v->n_texts = n;
}

/* Strings that change at events, in the order of RungModel.string. */
static void put_varying_strings(const FmuModel *m, FmuVariables *v, Arena *mem)
{
    const System *s = m->sys;
    for (uint32_t k = 0; k < m->model->n_strings; k++) {
        FmuVariable it = nothing;
        VarId of = system_find_var(s, name_of(s->names, m->model->string[k].name));
        it.var = var_exists(of) ? &s->var.at[of.i] : NULL;
        it.name = m->model->string[k].name;
        it.is_string = true;
        it.reference = v->first_text + v->n_texts + k;
        it.causality = m->model->string[k].is_output ? FMU_OUTPUT : FMU_LOCAL;
        it.variability = FMU_DISCRETE;
        vec_push(mem, v->at, it);
    }
}

FmuVariables fmu_variables(const FmuModel *m, int version, Arena *mem)
{
    const RungModel *model = m->model;
    const System *s = m->sys;
    Facts f = facts_of(m, mem);
    FmuVariables out = {0};
    FmuVariable time = nothing;
    time.name = "time";
    time.causality = FMU_INDEPENDENT;
    time.initial = FMU_NO_INITIAL;
    vec_push(mem, out.at, time);
    uint32_t *row_of = arena_array(mem, uint32_t, s->var.n + 1);
    for (uint32_t k = 0; k < model->n_variables; k++) {
        const RungVariable v = rung_variable(model, k);
        VarId id = fmu_var_of_row(m, k);
        FmuVariable it = nothing;
        it.name = v.name;
        it.var = id.i == VAR_NONE.i ? NULL : &s->var.at[id.i];
        it.attributes = v.attributes;
        it.type = (RungType)v.attributes->type;
        it.reference = 1 + k;
        if (it.var)
            row_of[id.i] = 1 + k;
        classify(&f, k, &v, &it);
        vec_push(mem, out.at, it);
    }
    uint32_t *state = arena_array(mem, uint32_t, model->n_states + 1);
    uint32_t *derivative = arena_array(mem, uint32_t, model->n_states + 1);
    for (uint32_t k = 0; k < model->n_states; k++) {
        state[k] = 1 + model->state[k];
        const Var *x = out.at.at[state[k]].var;
        VarId der = x ? x->der : VAR_NONE;
        uint32_t place = der.i == VAR_NONE.i ? 0 : row_of[der.i];
        // a variable that is the derivative of another state already cannot be this one's as well
        bool fits = place && out.at.at[place].derivative_of == RUNG_NONE;
        if (!fits) {
            FmuVariable it = nothing;
            it.name = place || der.i == VAR_NONE.i ? free_name(s, "derivative_", k + 1, mem)
                                                   : s->var.at[der.i].name.s;
            it.var = der.i == VAR_NONE.i ? NULL : &s->var.at[der.i];
            place = out.at.n;
            vec_push(mem, out.at, it);
        }
        out.at.at[place].reference = fits ? out.at.at[place].reference : 1 + model->n_variables + k;
        out.at.at[place].derivative_of = state[k];
        derivative[k] = place;
    }
    out.state = state;
    out.derivative = derivative;
    uint32_t *reference = arena_array(mem, uint32_t, model->n_states + 1);
    for (uint32_t k = 0; k < model->n_states; k++)
        reference[k] = out.at.at[derivative[k]].reference;
    out.reference = reference;
    list_fixed(&f, &out, mem);
    out.tuned = f.is_tuned;
    if (version == 3)
        join_arrays(&out, model->n_states, state, derivative, mem);
    join_aliases(m, &out, version, state, derivative, mem);
    put_strings(m, &out, version, mem);
    put_varying_strings(m, &out, mem);
    for (uint32_t k = 0; k < rung_n_indicators(model) && version == 3; k++) {
        FmuVariable it = nothing;
        it.name = free_name(s, "event_indicator_", k + 1, mem);
        it.reference = 1 + model->n_variables + model->n_states + k;
        vec_push(mem, out.at, it);
        out.n_indicators++;
    }
    return out;
}
