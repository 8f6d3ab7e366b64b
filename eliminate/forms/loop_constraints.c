#include "eliminate/forms/loop_constraints.h"

#include "base/map.h"
#include "eliminate/block/linear_form.h"
#include "eliminate/forms/initial_system.h"
#include "eliminate/forms/loop_closure.h"
#include "eliminate/prepare/differentiate.h"

#include <string.h>

/* A matrix that is filled row by row. */
typedef struct Triplet {
    uint32_t row, col;
    ExprId x;
} Triplet;

typedef struct Triplets {
    Arena *mem;
    VEC(Triplet) at;
} Triplets;

static ExprColumns columns_of(const Triplets *t, uint32_t n_rows, uint32_t n_cols, Arena *mem)
{
    uint32_t *start = arena_array(mem, uint32_t, n_cols + 1);
    uint32_t *row = arena_array(mem, uint32_t, t->at.n + 1);
    ExprId *entry = arena_array(mem, ExprId, t->at.n + 1);
    for (uint32_t k = 0; k < t->at.n; k++)
        start[t->at.at[k].col + 1]++;
    for (uint32_t c = 0; c < n_cols; c++)
        start[c + 1] += start[c];
    uint32_t *fill = arena_array(t->mem, uint32_t, n_cols + 1);
    for (uint32_t k = 0; k < t->at.n; k++) {
        const Triplet *it = &t->at.at[k];
        uint32_t to = start[it->col] + fill[it->col]++;
        row[to] = it->row;
        entry[to] = it->x;
    }
    return (ExprColumns){n_rows, n_cols, start, row, entry};
}

typedef struct Constraints {
    Program *g;
    System *s;
    Arena *mem;
    Arena *row;          /* one constraint: a loop far out is closed over all joints below it */
    uint32_t *state_of;  /* per variable: the state it is the derivative of, else UINT32_MAX */
    bool *is_derivative; /* per variable */
    bool *is_missing;    /* per variable: a derivative that no equation of the program determines */
    Series derivatives;
    bool *is_moved; /* per state: a multiplier changes its derivative */
    bool *depends;  /* per node known at the beginning: on a multiplier */
} Constraints;

static void mark_dependent_nodes(Constraints *w, const bool *is_moved)
{
    const ExprPool *p = w->s->pool;
    uint32_t n = pool_size(p), n_vars = w->s->var.n; /* nodes of attempts have had more */
    for (uint32_t k = 0; k < n; k++) {
        ExprId x = {k};
        bool yes = expr_op(p, x) == OP_VAR && expr_var_of(p, x).i < n_vars &&
                   is_moved[expr_var_of(p, x).i];
        for (uint32_t i = expr_n_args(p, x); !yes && i-- > 0;)
            yes = w->depends[expr_arg(p, x, i).i];
        w->depends[k] = yes;
    }
}

/* Which nodes depend on a multiplier or a free acceleration, by themselves or by the unknowns of
 * blocks that are solved at run time. Operands come before users. */
static void find_dependence(Constraints *w, const LoopCut *cut)
{
    const Program *g = w->g;
    bool *is_moved = arena_array(w->mem, bool, w->s->var.n + 1);
    for (uint32_t k = 0; k < cut->n_constraints; k++)
        is_moved[cut->multiplier[k].i] = true;
    for (uint32_t k = 0; k < cut->n_massless; k++)
        is_moved[cut->massless[k].i] = true;
    w->depends = arena_array(w->mem, bool, pool_size(w->s->pool) + 1);
    for (bool again = true; again;) {
        again = false;
        mark_dependent_nodes(w, is_moved);
        for (uint32_t b = 0; b < g->n_blocks; b++) {
            const NonlinearBlock *block = &g->block[b];
            bool depends = false;
            for (uint32_t k = 0; k < block->n; k++)
                depends = depends || w->depends[block->residual[k].i];
            for (uint32_t k = 0; k < block->n && depends; k++) {
                again = again || !is_moved[block->unknown[k].i];
                is_moved[block->unknown[k].i] = true;
            }
        }
    }
}

/* d/dt of x as a linear form of the states' derivatives. */
static bool time_form(Constraints *w, Differentiator *d, Substitution *none, Span span, Name loop,
                      ExprId x, ExprId *dot, LinearForm *form)
{
    System *s = w->s;
    uint32_t n = s->var.n;
    *dot = differentiate(d, x);
    if (!expr_exists(*dot) || s->var.n != n) {
        diag_error(s->diags, span, "E04",
                   "the loop %s depends on '%s', which has no time derivative, so that it cannot "
                   "be cut; index reduction does without",
                   loop.s, !expr_exists(*dot) && d->failed.s ? d->failed.s : s->var.at[n].name.s);
        return false;
    }
    VarId *missing;
    if (unknowns_of(s, w->is_missing, *dot, 1, w->row, &missing) > 0) {
        diag_error(
            s->diags, span, "E04",
            "the loop %s depends on '%s', whose derivative follows from no equation, so that "
            "it cannot be cut; index reduction does without",
            loop.s, s->var.at[s->var.at[missing[0].i].der_of.i].name.s);
        return false;
    }
    *form = series_form(&w->derivatives, none, *dot, w->row);
    return true;
}

/* Of the states that multipliers move, those that move others: velocities, and no integrals. */
static uint32_t count_velocities(const Constraints *w)
{
    const Program *g = w->g;
    bool *is_state = arena_array(w->mem, bool, w->s->var.n + 1);
    bool *moves = arena_array(w->mem, bool, w->s->var.n + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        is_state[g->state[k].i] = true;
    for (uint32_t k = 0; k < g->n_states; k++) {
        VarId *found;
        if (w->is_moved[k])
            continue;
        uint32_t n = unknowns_of(w->s, is_state, g->derivative[k], UINT32_MAX - 1, w->row, &found);
        for (uint32_t i = 0; i < n; i++)
            moves[found[i].i] = true;
    }
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->n_states; k++)
        n += w->is_moved[k] && moves[g->state[k].i];
    return n;
}

/* The Euclidean norm of n expressions, as one more variable of the results. */
static VarId add_norm(Program *g, const char *name, const char *text, uint32_t n, const ExprId *x)
{
    System *s = g->sys;
    ExprId sum = expr_int(s->pool, 0);
    for (uint32_t k = 0; k < n; k++)
        sum = expr_add(s->pool, sum, expr_mul(s->pool, x[k], x[k]));
    Var v = var_plain(name_of(s->names, name));
    v.description = name_of(s->names, text);
    VarId id = system_add_var(s, v);
    ExprId *value = arena_array(s->mem, ExprId, s->var.n);
    memcpy(value, g->value, id.i * sizeof *value);
    value[id.i] = expr_fn(s->pool, FN_SQRT, sum);
    g->value = value;
    return id;
}

/* ---- names of joints ---- */

/* The joints of one loop. */
typedef struct JointNames {
    Name last, beside;
    VEC(char) all;
} JointNames;

static void append(Arena *mem, JointNames *to, const char *text)
{
    for (; *text; text++)
        vec_push(mem, to->all, *text);
}

static bool is_component(Name joint, Name connector)
{
    size_t n = strlen(joint.s);
    return strncmp(joint.s, connector.s, n) == 0 && connector.s[n] == '.';
}

/* A joint is a component that has one of the coordinates. Of those of a loop the one beside the cut
 * closes it; if rigid parts are there, the last. */
static void name_joints(const Constraints *w, const LoopCut *cut, const ExprColumns *phi_x,
                        LoopConstraints *out)
{
    System *s = w->s;
    uint32_t *loop_of = arena_array(w->mem, uint32_t, cut->n_constraints + 1);
    JointNames *found = arena_array(w->mem, JointNames, cut->n_loops + 1);
    const Name none = name_of(s->names, "");
    for (uint32_t l = 0; l < cut->n_loops; l++) {
        found[l].last = found[l].beside = none;
        for (uint32_t k = cut->first[l]; k < cut->first[l + 1]; k++)
            loop_of[k] = l;
    }
    for (uint32_t c = 0; c < phi_x->n_cols; c++) {
        Name owner = name_of(s->names, loop_owner_of(s->var.at[w->g->state[c].i].name, w->mem));
        for (uint32_t k = phi_x->col_start[c]; k < phi_x->col_start[c + 1]; k++) {
            uint32_t l = loop_of[phi_x->row[k]];
            if (l >= cut->n_loops / cut->n_parts)
                continue;
            JointNames *f = &found[l];
            if (owner.s == f->last.s)
                continue;
            f->last = owner;
            append(w->mem, f, f->all.n ? ", " : "");
            append(w->mem, f, owner.s);
            if (is_component(owner, cut->side[2 * l]) || is_component(owner, cut->side[2 * l + 1]))
                f->beside = owner;
        }
    }
    Name *joint = arena_array(s->mem, Name, cut->n_loops + 1);
    Name *joints = arena_array(s->mem, Name, cut->n_loops + 1);
    for (uint32_t l = 0; l < cut->n_loops; l++) {
        /* a loop without a connection has no joint */
        bool connects = *cut->side[2 * l].s;
        joint[l] = *found[l].beside.s || !connects ? found[l].beside : found[l].last;
        joints[l] = found[l].all.n ? name_of_n(s->names, found[l].all.at, found[l].all.n)
                                   : name_of(s->names, "");
    }
    out->joint = joint;
    out->joints = joints;
}

/* Marks the nodes that x depends on with the loop's stamp. */
static void mark_nodes(const ExprPool *p, ExprId x, uint32_t stamp, Map *stamp_of, Arena *mem)
{
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, x);
    while (stack.n > 0) {
        ExprId y = stack.at[--stack.n];
        if (map_get(stamp_of, y.i) == stamp || expr_is_fixed(p, y))
            continue;
        map_put(stamp_of, y.i, stamp);
        for (uint32_t k = 0; k < expr_n_args(p, y); k++)
            vec_push(mem, stack, expr_arg(p, y, k));
    }
}

/* Per loop: the variables, no states, whose derivatives move its constraints by themselves: given
 * motions. */
static const Name *name_given(const Constraints *w, const LoopCut *cut, const ExprId *phi_t)
{
    System *s = w->s;
    const Program *g = w->g;
    Name *given = arena_array(s->mem, Name, cut->n_loops + 1);
    Map stamp_of = map_new(w->mem);
    VEC(VarId) moved = {0};
    for (uint32_t v = 0; v < s->var.n; v++) {
        VarId rate = s->var.at[v].der;
        if (var_exists(rate) && w->state_of[rate.i] == UINT32_MAX &&
            expr_exists(g->value[rate.i]) && !expr_is_fixed(s->pool, g->value[rate.i]))
            vec_push(w->mem, moved, ((VarId){v}));
    }
    for (uint32_t l = 0; l < cut->n_loops; l++) {
        VEC(char) all = {0};
        for (uint32_t k = cut->first[l]; k < cut->first[l + 1]; k++)
            mark_nodes(s->pool, phi_t[k], l, &stamp_of, w->mem);
        for (uint32_t k = 0; k < moved.n; k++) {
            const Var *v = &s->var.at[moved.at[k].i];
            if (map_get(&stamp_of, g->value[v->der.i].i) != l)
                continue;
            for (const char *text = all.n ? ", " : ""; *text; text++)
                vec_push(w->mem, all, *text);
            for (const char *text = v->name.s; *text; text++)
                vec_push(w->mem, all, *text);
        }
        given[l] = all.n ? name_of_n(s->names, all.at, all.n) : name_of(s->names, "");
    }
    return given;
}

static ExprId start_of(const System *s, VarId v)
{
    ExprId start = s->var.at[v.i].attr.start;
    return expr_exists(start) ? start : expr_int(s->pool, 0);
}

/* An initial equation that gives a state its value holds while the loops are closed, as fixed =
 * true does: crank.phi = 0.5. */
static void hold_initial_values(System *s, const Program *g, const Waiting *waiting, bool *held,
                                Arena *scratch)
{
    Substitution *aliases = waiting->aliases;
    ExprPool *p = s->pool;
    uint32_t *row = arena_array(scratch, uint32_t, s->var.n + 1); /* 1 + the state that it is */
    for (uint32_t k = 0; k < g->n_states; k++)
        row[g->state[k].i] = k + 1;
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        const Eq *e = &s->initial_eq.at[k];
        if (initial_waits(waiting, e->lhs, e->rhs))
            continue;
        for (int side = 0; side < 2; side++) {
            ExprId x = expr_substitute(p, aliases, side ? e->rhs : e->lhs);
            ExprId value = side ? e->lhs : e->rhs;
            if (expr_op(p, x) != OP_VAR || !expr_is_fixed(p, value))
                continue;
            uint32_t state = row[expr_var_of(p, x).i];
            if (state > 0)
                held[state - 1] = true;
        }
    }
}

typedef struct Conditions {
    System *s;
    Substitution values;
    Waiting waiting;
    const bool *is_multiplier;
    Arena *mem;
    VEC(ExprId) zero;
    VEC(Span) span;
    VEC(const char *) origin;
    VEC(bool) by_forces;
} Conditions;

static void add_condition(Conditions *w, ExprId lhs, ExprId rhs, Span span, const char *origin)
{
    System *s = w->s;
    VarId *found;
    if (!initial_waits(&w->waiting, lhs, rhs))
        return;
    ExprId x =
        expr_substitute(s->pool, &w->values, expand_calls(s, NULL, expr_sub(s->pool, lhs, rhs)));
    if (expr_is_zero(s->pool, x) == YES)
        return;
    bool by_forces = unknowns_of(s, w->is_multiplier, x, UINT32_MAX - 1, w->mem, &found) > 0;
    vec_push(s->mem, w->zero, x);
    vec_push(s->mem, w->span, span);
    vec_push(s->mem, w->origin, origin ? origin : "");
    vec_push(s->mem, w->by_forces, by_forces);
}

/* Initial equations and fixed start values that wait for the loops to be closed. */
static void find_conditions(const LoopCut *cut, const Program *g, const ExprId *rate,
                            Substitution *aliases, Arena *scratch, LoopConstraints *out)
{
    System *s = g->sys;
    uint32_t n = s->var.n;
    ExprId *value = arena_array(scratch, ExprId, n + 1);
    bool *is_multiplier = arena_array(scratch, bool, n + 1);
    for (uint32_t k = 0; k < n; k++)
        value[k] = expr_exists(g->value[k]) ? g->value[k] : rate[k];
    bool *is_state = arena_array(scratch, bool, n + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        is_state[g->state[k].i] = true;
    for (uint32_t k = 0; k < cut->n_constraints; k++)
        is_multiplier[cut->multiplier[k].i] = true;
    for (uint32_t k = 0; k < cut->n_massless; k++)
        is_multiplier[cut->massless[k].i] = true;
    Conditions w = {.s = s,
                    .values = {.value = value, .n = n, .mem = scratch},
                    .waiting = initial_waiting(s, aliases, is_state, scratch),
                    .is_multiplier = is_multiplier,
                    .mem = scratch};
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        const Eq *e = &s->initial_eq.at[k];
        add_condition(&w, e->lhs, e->rhs, e->span, e->origin);
    }
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &s->var.at[k];
        if (v->kind != VAR_CONTINUOUS || v->attr.fixed != YES || v->is_initial)
            continue;
        add_condition(&w, system_var_expr(s, (VarId){k}), start_of(s, (VarId){k}), v->span,
                      v->name.s);
    }
    VEC(VarId) late = {0};
    for (uint32_t k = 0; k < n; k++)
        if (w.waiting.is_late[k] && s->var.at[k].attr.fixed == NO)
            vec_push(s->mem, late, (VarId){k});
    out->n_late = late.n;
    out->late = late.at;
    out->n_conditions = w.zero.n;
    out->condition = w.zero.at;
    out->condition_span = w.span.at;
    out->condition_origin = w.origin.at;
    out->condition_by_forces = w.by_forces.at;
}

static bool find_constraints(const LoopCut *cut, Aliases *all, Program *g, Arena *scratch,
                             Arena *row)
{
    System *s = g->sys;
    ExprPool *p = s->pool;
    uint32_t m = cut->n_constraints;
    uint32_t n = g->n_states;
    Constraints w = {.g = g, .s = s, .mem = scratch, .row = row};
    w.state_of = arena_array(scratch, uint32_t, s->var.n + 1);
    w.is_derivative = arena_array(scratch, bool, s->var.n + 1);
    w.is_moved = arena_array(s->mem, bool, n + 1);
    bool *held = arena_array(s->mem, bool, n + 1);
    bool *is_state = arena_array(scratch, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        w.state_of[k] = UINT32_MAX;
    find_dependence(&w, cut);
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &s->var.at[g->state[k].i];
        w.state_of[v->der.i] = k;
        w.is_derivative[v->der.i] = true;
        w.is_moved[k] = w.depends[g->derivative[k].i];
        is_state[g->state[k].i] = true;
    }
    w.is_missing = arena_array(scratch, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        w.is_missing[k] = var_exists(s->var.at[k].der_of) && !is_state[k] && !w.is_derivative[k];
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t k = 0; k < g->block[b].n; k++)
            w.is_missing[g->block[b].unknown[k].i] = false;
    ExprId *alias = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        alias[k] = alias_value(s, all, (VarId){k});
    Substitution aliases = {.value = alias, .n = s->var.n, .mem = scratch};
    Waiting waiting = initial_waiting(s, &aliases, is_state, scratch);
    for (uint32_t k = 0; k < n; k++) {
        VarId v = g->state[k];
        held[k] = var_at(s, v)->attr.fixed == YES &&
                  !initial_waits(&waiting, system_var_expr(s, v), start_of(s, v));
    }
    hold_initial_values(s, g, &waiting, held, scratch);
    w.derivatives = series_new(s, w.is_derivative, scratch);
    w.derivatives.cancels = true;
    ExprId *phi = arena_array(s->mem, ExprId, m + 1);
    ExprId *phi_dot = arena_array(s->mem, ExprId, m + 1);
    ExprId *phi_t = arena_array(s->mem, ExprId, m + 1);
    ExprId *rest = arena_array(s->mem, ExprId, m + 1);
    ExprId *second = arena_array(scratch, ExprId, m + 1);
    Triplets by_x = {.mem = scratch};
    Triplets by_v = {.mem = scratch};

    Substitution values = {.value = g->value, .n = s->var.n, .mem = scratch};
    /* derivatives of states: by their values; those that forces move vanish in `still` */
    ExprId *rate = arena_array(scratch, ExprId, s->var.n + 1);
    ExprId *still = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++) {
        uint32_t i = w.state_of[k];
        rate[k] = i == UINT32_MAX ? EXPR_NONE : g->derivative[i];
        still[k] = i != UINT32_MAX && w.is_moved[i] ? expr_int(p, 0) : rate[k];
    }
    Substitution rates = {.value = rate, .n = s->var.n, .mem = scratch};
    Substitution stills = {.value = still, .n = s->var.n, .mem = scratch};
    Substitution none = {0};
    LoopClosure closure = loop_closure_new(s, g->value, scratch);
    Differentiator d = differentiator_time(s, scratch);

    for (uint32_t l = 0; l < cut->n_loops; l++) {
        for (uint32_t k = cut->first[l]; k < cut->first[l + 1]; k++) {
            LinearForm form;
            ExprId dot;
            ArenaMark mark = arena_mark(row);
            phi[k] = loop_closure_of(&closure, &cut->common[l], cut->phi[k]);
            if (!time_form(&w, &d, &none, cut->span[l], cut->name[l], phi[k], &dot, &form))
                return false;
            phi_t[k] = form.rest;
            for (uint32_t i = 0; i < form.n; i++) {
                uint32_t state = w.state_of[form.var[i].i];
                if (w.is_moved[state]) {
                    diag_error(s->diags, cut->span[l], "E04",
                               "the loop %s is closed by '%s', which forces move at once; only "
                               "constraints of positions can be cut",
                               cut->name[l].s, s->var.at[g->state[state].i].name.s);
                    return false;
                }
                Triplet t = {k, state, form.coeff[i]};
                vec_push(scratch, by_x.at, t);
            }
            phi_dot[k] = expr_substitute(p, &rates, dot);
            if (!time_form(&w, &d, &none, cut->span[l], cut->name[l], phi_dot[k], &dot, &form))
                return false;
            for (uint32_t i = 0; i < form.n; i++) {
                uint32_t state = w.state_of[form.var[i].i];
                Triplet t = {k, state, form.coeff[i]};
                if (w.is_moved[state])
                    vec_push(scratch, by_v.at, t);
            }
            rest[k] = expr_substitute(p, &stills, dot);
            second[k] = expr_substitute(p, &rates, dot);
            arena_rollback(row, mark);
        }
    }
    uint32_t m0 = m / cut->n_parts, n_massless = cut->n_massless / cut->n_parts;
    VarId norm[] = {
        add_norm(g, "norm(phi)", "Violation of the loops' constraints", m0, phi),
        add_norm(g, "norm(der(phi))", "Violation of their first derivatives", m0, phi_dot),
        add_norm(g, "norm(der(der(phi)))", "Violation of their second derivatives", m0, second),
        {0}};
    ExprId *balance = arena_array(s->mem, ExprId, cut->n_massless + 1);
    for (uint32_t k = 0; k < cut->n_massless; k++)
        balance[k] = expr_substitute(p, &values, expand_calls(s, NULL, cut->balance[k]));
    if (cut->n_massless)
        norm[3] = add_norm(g, "norm(balance)", "What forces on parts without mass lack of balance",
                           n_massless, balance);
    LoopConstraints *out = arena_make(s->mem, LoopConstraints);
    *out = (LoopConstraints){.n_loops = cut->n_loops,
                             .n_constraints = m,
                             .n_velocities = count_velocities(&w),
                             .name = cut->name,
                             .span = cut->span,
                             .first = cut->first,
                             .multiplier = cut->multiplier,
                             .n_massless = cut->n_massless,
                             .massless = cut->massless,
                             .balance = balance,
                             .phi = phi,
                             .phi_dot = phi_dot,
                             .phi_t = phi_t,
                             .phi_rest = rest,
                             .phi_x = columns_of(&by_x, m, n, s->mem),
                             .phi_v = columns_of(&by_v, m, n, s->mem),
                             .held = held,
                             .moved = w.is_moved,
                             .n_parts = cut->n_parts,
                             .part_size = cut->part_size,
                             .n_norm = cut->n_massless ? 4 : 3};
    memcpy(out->norm, norm, sizeof norm);
    name_joints(&w, cut, &out->phi_x, out);
    out->given = name_given(&w, cut, phi_t);
    find_conditions(cut, g, rate, &aliases, scratch, out);
    g->loops = out;
    if (cut->n_parts > 1 && out->n_conditions) {
        diag_error(s->diags, out->condition_span[0], "S12",
                   "no derivatives by parameters: this holds at the start together with closed "
                   "kinematic loops that are cut; start values that the loops leave free have "
                   "derivatives");
        return false;
    }
    return true;
}

bool loop_constraints_find(const LoopCut *cut, Aliases *aliases, Program *g, Arena *scratch)
{
    Arena *row = arena_new();
    bool ok = find_constraints(cut, aliases, g, scratch, row);
    arena_free(row);
    return ok;
}
