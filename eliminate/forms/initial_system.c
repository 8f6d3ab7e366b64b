#include "eliminate/forms/initial_system.h"

#include "base/bug.h"
#include "eliminate/block/linear_form.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/singular_report.h"
#include "eliminate/prepare/string_check.h"
#include "ir/sample.h"

#include <string.h>

typedef struct Work {
    System *s; /* the model's */
    System *v; /* the view    */
    Aliases *aliases;
    const bool *is_state;
    bool loops_cut;
    Waiting waiting;
    Arena *scratch;
    InitialView *out;
    ExprId *value; /* aliases, free parameters and their dependents; per variable */
    Substitution values;
    Map seen; /* residuals of conditions so far */
    VEC(FreeParameter) free;
    VEC(FreeParameter) found; /* memory of relations */
    VEC(VarId) candidate;
    VEC(bool) is_late; /* likewise */
} Work;

/* MLS 8.6: without fixed = false a parameter keeps its value. */
static bool is_free_parameter(const Var *v)
{
    return v->kind == VAR_PARAMETER && v->attr.fixed == NO;
}

/* ---- free parameters ---- */

static void stand_ins(Work *w)
{
    System *s = w->s;
    uint32_t n = s->var.n;
    for (uint32_t k = 0; k < n; k++) {
        if (!is_free_parameter(&s->var.at[k]) || s->var.at[k].type == TYPE_STRING)
            continue;
        Var v = s->var.at[k];
        v.name = name_printf(s->names, "initial(%s)", v.name.s);
        v.is_initial = true;
        v.binding = EXPR_NONE;
        v.group = GROUP_NONE;
        FreeParameter f = {{k}, system_add_var(s, v)};
        vec_push(s->mem, w->free, f);
    }
}

/* MLS 8.6: pre(v) of a discrete variable at the start is unknown too if there are initial
 * equations, which may determine it; otherwise it is its start value. */
static void stand_ins_of_pre(Work *w)
{
    System *s = w->s;
    for (uint32_t k = 0; s->initial_eq.n > 0 && k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        if (m->kind != MEMORY_PRE || expr_op(s->pool, m->of) != OP_VAR)
            continue;
        const Var *of = var_at(s, expr_var_of(s->pool, m->of));
        if (of->kind != VAR_DISCRETE)
            continue;
        Var v = *var_at(s, m->var);
        v.name = name_printf(s->names, "initial(pre(%s))", of->name.s);
        v.is_initial = true;
        v.attr = of->attr;
        v.attr.start = m->start;
        v.span = of->span;
        FreeParameter f = {m->var, system_add_var(s, v)};
        vec_push(s->mem, w->free, f);
    }
}

/* MLS 3.7.4.4: the homotopy from the simplified problem to the actual one; it selects the solution,
 * and so the values of relations at the start. */
static void stand_ins_of_homotopy(Work *w)
{
    System *s = w->s;
    w->out->share = VAR_NONE;
    if (s->homotopy.n == 0)
        return;
    Var share = var_plain(name_of(s->names, "share of what is simplified"));
    share.kind = VAR_MEMORY;
    share.is_hidden = share.is_initial = true;
    w->out->share = system_add_var(s, share);
    for (uint32_t k = 0; k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        if (m->kind != MEMORY_RELATION && m->kind != MEMORY_FLOOR)
            continue;
        Var v = *var_at(s, m->var);
        v.name = name_printf(s->names, "initial(%s)", v.name.s);
        v.is_initial = true;
        FreeParameter f = {m->var, system_add_var(s, v)};
        vec_push(s->mem, w->found, f);
    }
}

typedef struct Uses {
    uint32_t n;
    VarId *var;
} Uses;

typedef VEC(VarId) Vars;

/* The parameters that the binding of each parameter reads, and those that read it. Free parameters
 * have no binding here. */
typedef struct Bindings {
    Uses *uses;             /* per variable */
    uint32_t *first, *user; /* those of k: user[first[k]] to user[first[k + 1] - 1] */
} Bindings;

static Bindings bindings_of(const System *s, Arena *mem)
{
    uint32_t n = s->var.n;
    bool *is_parameter = arena_array(mem, bool, n + 1);
    for (uint32_t k = 0; k < n; k++)
        is_parameter[k] = s->var.at[k].kind == VAR_PARAMETER && !s->var.at[k].is_initial;
    Uses *uses = arena_array(mem, Uses, n + 1);
    uint32_t *first = arena_array(mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &s->var.at[k];
        if (is_parameter[k] && expr_exists(v->binding) && !is_free_parameter(v))
            uses[k].n = unknowns_of(s, is_parameter, v->binding, UINT32_MAX - 1, mem, &uses[k].var);
        for (uint32_t i = 0; i < uses[k].n; i++)
            first[uses[k].var[i].i + 1]++;
    }
    for (uint32_t k = 0; k < n; k++)
        first[k + 1] += first[k];
    uint32_t *user = arena_array(mem, uint32_t, first[n] + 1);
    uint32_t *next = arena_array(mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < uses[k].n; i++)
            user[first[uses[k].var[i].i] + next[uses[k].var[i].i]++] = k;
    }
    return (Bindings){uses, first, user};
}

/* Parameters bound to expressions of free ones: their values there, which hold the stand-ins. In
 * the order of dependence; there are no cycles (MLS 4.4.4). */
static void follow_free(Work *w)
{
    System *s = w->s;
    uint32_t n = s->var.n;
    Bindings b = bindings_of(s, w->scratch);
    const Uses *uses = b.uses;
    const uint32_t *first = b.first, *user = b.user;
    /* who is reached, then from the free ones on those whose operands are done */
    bool *reached = arena_array(w->scratch, bool, n);
    VEC(uint32_t) queue = {0};
    for (uint32_t k = 0; k < w->free.n; k++) {
        uint32_t p = w->free.at[k].parameter.i;
        w->value[p] = system_var_expr(s, w->free.at[k].unknown);
        reached[p] = true;
        vec_push(w->scratch, queue, p);
    }
    for (uint32_t q = 0; q < queue.n; q++) {
        for (uint32_t i = first[queue.at[q]]; i < first[queue.at[q] + 1]; i++) {
            if (!reached[user[i]])
                vec_push(w->scratch, queue, user[i]);
            reached[user[i]] = true;
        }
    }
    uint32_t *open = arena_array(w->scratch, uint32_t, n);
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < uses[k].n; i++)
            open[k] += reached[uses[k].var[i].i];
    }
    queue.n = w->free.n;
    for (uint32_t q = 0; q < queue.n; q++) {
        uint32_t p = queue.at[q];
        if (q >= w->free.n) {
            substitution_forget(&w->values);
            w->value[p] = expr_substitute(s->pool, &w->values, s->var.at[p].binding);
        }
        for (uint32_t i = first[p]; i < first[p + 1]; i++) {
            if (--open[user[i]] == 0)
                vec_push(w->scratch, queue, user[i]);
        }
    }
    substitution_forget(&w->values);
}

/* ---- memory ---- */

static ExprId resolved(System *s, Substitution *values, ExprId x)
{
    return expr_substitute(s->pool, values, expand_calls(s, NULL, x));
}

static ExprId here(Work *w, ExprId x)
{
    return resolved(w->s, &w->values, x);
}

static ExprId looked_at(ExprPool *p, const Memory *m, ExprId of)
{
    return expr_compare(p, m->is_strict ? OP_LT : OP_LE, of, expr_int(p, 0));
}

/* At the start of a run memory is replaced by its definition: relations by themselves, others by
 * their initial values. A memory is used only by memory with a higher number, so the memo of the
 * substitution stays valid. */
static void resolve_memory(Work *w)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    for (uint32_t k = 0; k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        if (expr_exists(w->value[m->var.i]))
            continue; /* has a stand-in */
        ExprId x = expr_int(p, m->kind == MEMORY_INITIAL);
        if (m->kind == MEMORY_RELATION)
            x = looked_at(p, m, here(w, m->of));
        else if (m->kind == MEMORY_FLOOR)
            x = expr_fn(p, FN_FLOOR, here(w, m->of));
        else if (m->kind == MEMORY_PRE)
            x = here(w, m->start);
        else if (m->kind == MEMORY_DELAY && !m->particle)
            x = here(w, m->of);
        else if (m->particle == PARTICLE_PLACE)
            x = expr_int(p, m->end);
        w->value[m->var.i] = x;
    }
}

/* An outer homotopy() holds the offsets of inner ones, which come first. */
static void resolve_homotopy(Work *w)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    for (uint32_t k = 0; k < s->homotopy.n; k++) {
        const Homotopy h = s->homotopy.at[k];
        ExprId off = expr_sub(p, here(w, h.simplified), here(w, h.actual));
        w->value[h.offset.i] = expr_mul(p, system_var_expr(s, w->out->share), off);
        substitution_forget(&w->values);
    }
}

/* ---- equations ---- */

static ExprId start_of(Work *w, VarId v)
{
    ExprId x = w->s->var.at[v.i].attr.start;
    return expr_exists(x) ? here(w, x) : expr_int(w->s->pool, 0);
}

/* Reported once: the start of a variable and that of its alias are one condition. */
static void add_condition(Work *w, ExprId lhs, ExprId rhs, const Eq *like)
{
    ExprPool *p = w->s->pool;
    ExprId r = expr_sub(p, lhs, rhs);
    if (expr_is_zero(p, r) == YES || map_get(&w->seen, r.i) != MAP_NONE)
        return;
    map_put(&w->seen, r.i, 1);
    map_put(&w->seen, expr_neg(p, r).i, 1);
    Eq e = *like;
    e.lhs = lhs;
    e.rhs = rhs;
    system_add_eq(w->v, e);
    w->out->n_conditions++;
}

static Eq written_at(const Var *v)
{
    return (Eq){.group = GROUP_NONE, .span = v->span, .origin = v->name.s};
}

/* The free parameters that x depends on, through bindings too: appended to found. */
static void free_of(System *s, const Bindings *b, const bool *is_parameter, ExprId x,
                    uint32_t *stamp, uint32_t now, Vars *found, Arena *mem)
{
    Vars open = {0};
    VarId *direct;
    uint32_t n = unknowns_of(s, is_parameter, x, UINT32_MAX - 1, mem, &direct);
    for (uint32_t i = 0; i < n; i++)
        vec_push(mem, open, direct[i]);
    while (open.n > 0) {
        VarId v = open.at[--open.n];
        if (stamp[v.i] == now)
            continue;
        stamp[v.i] = now;
        if (is_free_parameter(var_at(s, v)))
            vec_push(mem, *found, v);
        for (uint32_t i = 0; i < b->uses[v.i].n; i++)
            vec_push(mem, open, b->uses[v.i].var[i]);
    }
}

/* A condition without variables that move, or with memory, determines a free parameter before loops
 * are closed, if that is its only unknown. The other free parameters, and those bound to them, are
 * determined with the loops. */
static bool *late_parameters(System *s, const bool *is_memory, const bool *moves, Arena *mem)
{
    uint32_t n = s->var.n, n_free = 0;
    bool *is_late = arena_array(mem, bool, n + 1);
    bool *is_parameter = arena_array(mem, bool, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &s->var.at[k];
        is_parameter[k] = v->kind == VAR_PARAMETER && !v->is_initial;
        is_late[k] = is_parameter[k] && is_free_parameter(v) && v->type != TYPE_STRING;
        n_free += is_late[k];
    }
    if (n_free == 0)
        return is_late;
    Bindings b = bindings_of(s, mem);
    uint32_t *stamp = arena_array(mem, uint32_t, n + 1), now = 0;
    VEC(Vars) condition = {0};
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        const Eq *e = &s->initial_eq.at[k];
        Vars in = {0};
        VarId *found;
        bool memory = unknowns_of(s, is_memory, e->lhs, UINT32_MAX - 1, mem, &found) +
                          unknowns_of(s, is_memory, e->rhs, UINT32_MAX - 1, mem, &found) >
                      0;
        if (!memory && unknowns_of(s, moves, e->lhs, UINT32_MAX - 1, mem, &found) +
                               unknowns_of(s, moves, e->rhs, UINT32_MAX - 1, mem, &found) >
                           0)
            continue;
        now++;
        free_of(s, &b, is_parameter, e->lhs, stamp, now, &in, mem);
        free_of(s, &b, is_parameter, e->rhs, stamp, now, &in, mem);
        vec_push(mem, condition, in);
    }
    for (uint32_t k = 0; k < n; k++) {
        if (!is_late[k] || !expr_exists(s->var.at[k].binding))
            continue;
        Vars in = {0};
        stamp[k] = ++now;
        vec_push(mem, in, (VarId){k});
        free_of(s, &b, is_parameter, s->var.at[k].binding, stamp, now, &in, mem);
        vec_push(mem, condition, in);
    }
    /* those of one unknown, then those that have become so */
    uint32_t *open = arena_array(mem, uint32_t, condition.n + 1);
    uint32_t *begin = arena_array(mem, uint32_t, n + 2);
    for (uint32_t c = 0; c < condition.n; c++) {
        open[c] = condition.at[c].n;
        for (uint32_t i = 0; i < open[c]; i++)
            begin[condition.at[c].at[i].i + 1]++;
    }
    for (uint32_t k = 0; k < n; k++)
        begin[k + 1] += begin[k];
    uint32_t *of = arena_array(mem, uint32_t, begin[n] + 1);
    uint32_t *next = arena_array(mem, uint32_t, n + 1);
    VEC(uint32_t) queue = {0};
    for (uint32_t c = 0; c < condition.n; c++) {
        for (uint32_t i = 0; i < open[c]; i++) {
            uint32_t v = condition.at[c].at[i].i;
            of[begin[v] + next[v]++] = c;
        }
        if (open[c] == 1)
            vec_push(mem, queue, c);
    }
    for (uint32_t q = 0; q < queue.n; q++) {
        const Vars *in = &condition.at[queue.at[q]];
        for (uint32_t i = 0; i < in->n; i++) {
            uint32_t v = in->at[i].i;
            if (!is_late[v])
                continue;
            is_late[v] = false;
            for (uint32_t j = begin[v]; j < begin[v + 1]; j++)
                if (--open[of[j]] == 1)
                    vec_push(mem, queue, of[j]);
        }
    }
    /* and parameters bound to late ones */
    Vars reached = {0};
    for (uint32_t k = 0; k < n; k++)
        if (is_late[k])
            vec_push(mem, reached, (VarId){k});
    for (uint32_t q = 0; q < reached.n; q++) {
        uint32_t v = reached.at[q].i;
        for (uint32_t i = b.first[v]; i < b.first[v + 1]; i++) {
            if (!is_late[b.user[i]])
                vec_push(mem, reached, (VarId){b.user[i]});
            is_late[b.user[i]] = true;
        }
    }
    return is_late;
}

Waiting initial_waiting(System *s, Substitution *aliases, const bool *is_state, Arena *mem)
{
    bool *is_memory = arena_array(mem, bool, s->var.n + 1);
    bool *moves = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        is_memory[k] = v->kind == VAR_DISCRETE;
        moves[k] = v->kind == VAR_CONTINUOUS && !v->is_initial;
    }
    for (uint32_t k = 0; k < s->memory.n; k++)
        is_memory[s->memory.at[k].var.i] = s->memory.at[k].kind == MEMORY_PRE;
    const bool *is_late = late_parameters(s, is_memory, moves, mem);
    return (Waiting){s, aliases, is_state, is_memory, moves, is_late, mem};
}

bool initial_waits(const Waiting *w, ExprId lhs, ExprId rhs)
{
    System *s = w->s;
    ExprId side[] = {lhs, rhs};
    uint32_t n = 0, n_late = 0;
    VarId *found;
    for (int k = 0; k < 2; k++) {
        if (unknowns_of(s, w->is_memory, side[k], UINT32_MAX - 1, w->mem, &found) > 0)
            return false;
        n_late += unknowns_of(s, w->is_late, side[k], UINT32_MAX - 1, w->mem, &found);
    }
    for (int k = 0; k < 2; k++) {
        ExprId x = expr_substitute(s->pool, w->aliases, side[k]);
        if (n_late == 0 && expr_op(s->pool, x) == OP_VAR &&
            w->is_state[expr_var_of(s->pool, x).i] && expr_is_fixed(s->pool, side[1 - k]))
            return false;
        n += unknowns_of(s, w->moves, side[k], UINT32_MAX - 1, w->mem, &found);
    }
    return n + n_late > 0;
}

static bool waits(const Work *w, ExprId lhs, ExprId rhs)
{
    return w->loops_cut && initial_waits(&w->waiting, lhs, rhs);
}

static void fixed_starts(Work *w)
{
    System *s = w->s;
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        /* a discrete variable has its start value in pre(v) (MLS 8.6) */
        if (v->kind != VAR_CONTINUOUS || v->attr.fixed != YES)
            continue;
        ExprId start = expr_exists(v->attr.start) ? v->attr.start : expr_int(s->pool, 0);
        if (waits(w, system_var_expr(s, (VarId){k}), start))
            continue;
        ExprId x = expr_exists(w->value[k]) ? w->value[k] : system_var_expr(s, (VarId){k});
        Eq like = written_at(v);
        add_condition(w, x, start_of(w, (VarId){k}), &like);
    }
}

static void initial_equations(Work *w)
{
    System *s = w->s;
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        const Eq *e = &s->initial_eq.at[k];
        if (!waits(w, e->lhs, e->rhs))
            add_condition(w, here(w, e->lhs), here(w, e->rhs), e);
    }
    for (uint32_t k = 0; k < w->free.n; k++) {
        VarId unknown = w->free.at[k].unknown;
        const Var *v = var_at(s, w->free.at[k].parameter);
        Eq like = written_at(var_at(s, unknown));
        if (expr_exists(v->binding))
            add_condition(w, system_var_expr(s, unknown), here(w, v->binding), &like);
        else if (v->kind == VAR_MEMORY && var_at(s, unknown)->attr.fixed == YES)
            add_condition(w, system_var_expr(s, unknown), start_of(w, unknown), &like);
    }
}

static void found_relations(Work *w)
{
    ExprPool *p = w->s->pool;
    for (uint32_t k = 0; k < w->found.n; k++) {
        VarId unknown = w->found.at[k].unknown;
        ExprId is = w->value[w->found.at[k].parameter.i];
        bool is_floor = var_at(w->s, unknown)->type == TYPE_INTEGER;
        Eq like = written_at(var_at(w->s, unknown));
        add_condition(w, system_var_expr(w->s, unknown),
                      is_floor ? is : expr_select(p, is, expr_int(p, 1), expr_int(p, 0)), &like);
    }
}

/* Variables with stateSelect = prefer that are no states, with a start value: such values are
 * better than the 0 of a state without one, as the mass and the inner energy of a fluid (MLS 8.6
 * leaves the choice of further conditions to the tool). */
static bool is_preferred(const Work *w, uint32_t k)
{
    const Var *x = &w->s->var.at[k];
    return x->kind == VAR_CONTINUOUS && !w->is_state[k] && x->attr.select == STATE_PREFER &&
           x->attr.fixed != YES && expr_exists(x->attr.start) && !var_exists(x->der_of) &&
           !expr_exists(w->value[k]);
}

/* Whether a state has no start value. */
static bool has_bare_state(const Work *w, uint32_t n_model_vars)
{
    for (uint32_t k = 0; k < n_model_vars; k++)
        if (w->is_state[k] && !expr_exists(w->s->var.at[k].attr.start))
            return true;
    return false;
}

/* The better a state, the rather it starts from its start value; one that the model gives is better
 * than the 0 that is meant without. A parameter keeps its start value only if nothing else can. */
static Label rank(const Work *w, VarId v)
{
    const Var *x = &w->s->var.at[v.i];
    if (x->is_initial)
        return LABEL_NONLINEAR;
    bool given = expr_exists(x->attr.start);
    if (is_preferred(w, v.i))
        return LABEL_PARAM;
    if (x->attr.select >= STATE_PREFER)
        return given ? LABEL_CONST : LABEL_OTHER;
    return given && x->attr.select == STATE_DEFAULT ? LABEL_PARAM : LABEL_OTHER;
}

static void add_candidate(Work *w, VarId v, bool is_late)
{
    Eq e = written_at(var_at(w->s, v));
    e.lhs = system_var_expr(w->s, v);
    e.rhs = start_of(w, v);
    system_add_eq(w->v, e);
    vec_push(w->s->mem, w->candidate, v);
    vec_push(w->s->mem, w->is_late, is_late);
    w->out->n_candidates++;
}

static void add_candidates(Work *w, uint32_t n_model_vars)
{
    for (uint32_t k = 0; k < n_model_vars; k++) {
        if (w->is_state[k])
            add_candidate(w, (VarId){k}, false);
    }
    const bool is_open = has_bare_state(w, n_model_vars);
    for (uint32_t k = 0; k < n_model_vars; k++) {
        if (is_open && is_preferred(w, k)) {
            add_candidate(w, (VarId){k}, false);
            w->out->n_preferred++;
        }
    }
    for (uint32_t k = 0; k < w->free.n; k++)
        add_candidate(w, w->free.at[k].unknown,
                      w->loops_cut && w->waiting.is_late[w->free.at[k].parameter.i]);
}

/* Whether each condition is the start of a state that has none yet. */
static bool asks_nothing(const Work *w)
{
    const System *v = w->v;
    const ExprPool *p = v->pool;
    if (w->free.n > 0)
        return false;
    bool *has = arena_array(w->scratch, bool, v->var.n);
    for (uint32_t k = w->out->n_model; k < v->eq.n; k++) {
        const Eq *e = &v->eq.at[k];
        if (expr_op(p, e->lhs) != OP_VAR)
            return false;
        VarId x = expr_var_of(p, e->lhs);
        if (!w->is_state[x.i] || has[x.i] || !expr_is_fixed(p, e->rhs))
            return false;
        has[x.i] = true;
        /* an alias may start elsewhere than the state itself */
        const Var *it = &v->var.at[x.i];
        ExprId start = expr_exists(it->attr.start) ? it->attr.start : expr_int(v->pool, 0);
        if (!expr_same(start, e->rhs))
            return false;
    }
    return true;
}

/* Both Systems can be passed to further passes. */
static System *view_of(System *s)
{
    System *v = system_view(s);
    for (uint32_t k = 0; k < v->var.n; k++)
        if (v->var.at[k].is_initial)
            v->var.at[k].kind = VAR_CONTINUOUS;
    return v;
}

static void remember_share(System *v, VarId share)
{
    Memory m = {.kind = MEMORY_HOMOTOPY,
                .var = share,
                .of = EXPR_NONE,
                .start = EXPR_NONE,
                .interval = EXPR_NONE,
                .span = SPAN_NONE};
    var_at(v, share)->kind = VAR_MEMORY;
    var_at(v, share)->index = v->memory.n;
    vec_push(v->mem, v->memory, m);
}

static Eq at_start(System *s, Substitution *values, Eq e)
{
    e.lhs = expr_substitute(s->pool, values, e.lhs);
    e.rhs = expr_substitute(s->pool, values, e.rhs);
    return e;
}

static void model_equations(Work *w)
{
    System *s = w->s;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        Eq e = s->eq.at[k];
        bool changes = w->free.n > 0 || s->memory.n > 0 || s->homotopy.n > 0;
        system_add_eq(w->v, changes ? at_start(s, &w->values, e) : e);
    }
    w->out->n_model = s->eq.n;
}

/* A coefficient of parameters that is zero for their values, as in a branch that parameters
 * exclude, y = if abs(T1 - T2) < eps then K*u else K*x; does not determine u. It stays an edge,
 * since the parameters may get other values. */
static void label_zeros(const System *v, const bool *unknown, Structure *t, Arena *scratch)
{
    Arena *tmp = arena_new();
    Sample sample = sample_new(v, scratch);
    Series series = series_new(v, unknown, scratch);
    Substitution none = {0};
    for (uint32_t e = 0; e < t->g.n_rows; e++) {
        ArenaMark mark = arena_mark(tmp);
        ExprId residual = expr_sub(v->pool, v->eq.at[e].lhs, v->eq.at[e].rhs);
        LinearForm form = series_form(&series, &none, residual, tmp);
        for (uint32_t k = 0; k < form.n; k++) {
            ExprId c = form.coeff[k];
            if (!expr_exists(c) || expr_variability(v->pool, c) != VARIES_PARAMETER)
                continue;
            uint32_t edge = incidence_find(&t->g, e, t->column[form.var[k].i]);
            if (edge != INC_NONE && sample_value(&sample, c) == 0)
                t->g.label[edge] = LABEL_ZERO;
        }
        arena_rollback(tmp, mark);
    }
    arena_free(tmp);
}

void initial_view(System *s, Aliases *aliases, const bool *is_state, bool loops_cut, Arena *scratch,
                  InitialView *out)
{
    uint32_t n_model_vars = s->var.n;
    *out = (InitialView){0};
    Work w = {.s = s, .aliases = aliases, .loops_cut = loops_cut, .scratch = scratch, .out = out};
    w.seen = map_new(scratch);
    stand_ins(&w);
    stand_ins_of_pre(&w);
    stand_ins_of_homotopy(&w);
    /* stand-ins are no states */
    bool *is_state_of_all = arena_array(scratch, bool, s->var.n + 1);
    memcpy(is_state_of_all, is_state, n_model_vars * sizeof *is_state_of_all);
    w.is_state = is_state_of_all;
    w.value = arena_array(scratch, ExprId, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        w.value[k] = alias_value(s, aliases, (VarId){k});
    w.values = (Substitution){.value = w.value, .n = s->var.n, .mem = scratch};
    if (w.free.n > 0)
        follow_free(&w);
    resolve_memory(&w);
    resolve_homotopy(&w);
    if (loops_cut)
        w.waiting = initial_waiting(s, &w.values, w.is_state, scratch);
    w.v = out->sys = view_of(s);
    if (var_exists(out->share))
        remember_share(w.v, out->share);
    model_equations(&w);
    fixed_starts(&w);
    initial_equations(&w);
    out->is_trivial = asks_nothing(&w) && s->homotopy.n == 0;
    found_relations(&w);
    add_candidates(&w, n_model_vars);
    for (uint32_t k = 0; k < w.found.n; k++)
        vec_push(s->mem, w.free, w.found.at[k]);
    out->candidate = w.candidate.at;
    out->is_late = w.is_late.at;
    out->n_free = w.free.n;
    out->free = w.free.at;
    out->values = w.values;

    System *v = w.v;
    bool *unknown = arena_array(scratch, bool, v->var.n);
    for (uint32_t k = 0; k < v->var.n; k++)
        unknown[k] = var_is_unknown(&v->var.at[k]) && !expr_exists(w.value[k]);
    out->structure = structure_of(v, unknown, v->own);
    bool *none = arena_array(scratch, bool, v->var.n + 1);
    Incidence *g = &out->structure.g;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t first_candidate = out->n_model + out->n_conditions;
        Label l = e < first_candidate ? LABEL_ONE : rank(&w, out->candidate[e - first_candidate]);
        for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++) {
            VarId x = out->structure.var[g->col[i]];
            bool is_last_choice = var_at(v, x)->type == TYPE_STRING &&
                                  !string_is_assigned(v, &v->eq.at[e], x, none, scratch);
            g->label[i] = (uint8_t)(is_last_choice ? LABEL_NONLINEAR : l);
        }
    }
    label_zeros(v, unknown, &out->structure, scratch);
}

/* ---- after matching ---- */

/* Per memory of s: its relation holds an unknown of a loop in one of whose equations it stands. */
static bool *find_mixed(System *s, InitialView *v, const Blocks *blocks, Arena *scratch)
{
    const Structure *t = &v->structure;
    bool *is_mixed = arena_array(scratch, bool, s->memory.n + 1);
    uint32_t *block_of = arena_array(scratch, uint32_t, t->n + 1); /* from 1 on; 0: none */
    for (uint32_t b = 0; b < blocks->n; b++)
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++)
            block_of[blocks->var[k]] = b + 1;
    bool *is_unknown = arena_array(scratch, bool, s->var.n + 1);
    bool *is_memory = arena_array(scratch, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        is_unknown[k] = t->column[k] != INC_NONE;
    /* the unknowns of each relation; none if one of them is not solved for here */
    Uses *uses = arena_array(scratch, Uses, s->memory.n + 1);
    for (uint32_t k = 0; k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        if (m->kind != MEMORY_RELATION || !expr_exists(m->of))
            continue;
        ExprId of = resolved(s, &v->values, m->of);
        uses[k].n = unknowns_of(s, is_unknown, of, UINT32_MAX - 1, scratch, &uses[k].var);
        bool all = true;
        for (uint32_t i = 0; i < uses[k].n; i++)
            all = all && block_of[t->column[uses[k].var[i].i]] > 0;
        uses[k].n = all ? uses[k].n : 0;
        is_memory[m->var.i] = uses[k].n > 0;
    }
    for (uint32_t b = 0; b < blocks->n; b++) {
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++) {
            if (blocks->eq[k] >= v->n_model)
                continue;
            const Eq *e = &s->eq.at[blocks->eq[k]];
            ExprId side[] = {e->lhs, e->rhs};
            for (int i = 0; i < 2; i++) {
                VarId *found;
                uint32_t n = unknowns_of(s, is_memory, side[i], UINT32_MAX - 1, scratch, &found);
                for (uint32_t j = 0; j < n; j++) {
                    uint32_t m = var_at(s, found[j])->index;
                    for (uint32_t u = 0; u < uses[m].n; u++)
                        is_mixed[m] = is_mixed[m] || block_of[t->column[uses[m].var[u].i]] == b + 1;
                }
            }
        }
    }
    return is_mixed;
}

void initial_remember(System *s, InitialView *v, const Blocks *blocks, Arena *scratch)
{
    ExprPool *p = s->pool;
    System *view = v->sys;
    if (s->memory.n == 0)
        return;
    const bool *is_mixed = find_mixed(s, v, blocks, scratch);
    ExprId *value = arena_array(scratch, ExprId, v->values.n + 1);
    memcpy(value, v->values.value, v->values.n * sizeof *value);
    v->values.value = value;
    substitution_forget(&v->values);
    /* a memory is used only by memory with a higher number, so the memo of the substitution stays
     * valid */
    for (uint32_t k = 0; k < s->memory.n; k++) {
        Memory m = s->memory.at[k];
        if (!is_mixed[k])
            continue;
        m.of = resolved(s, &v->values, m.of);
        ExprId taken = system_var_expr(s, m.var), zero = expr_int(p, 0);
        ExprId looks = expr_compare(p, OP_LT, taken, zero);
        value[m.var.i] =
            expr_select(p, looks, looked_at(p, &m, m.of), expr_compare(p, OP_LT, zero, taken));
        var_at(view, m.var)->index = view->memory.n;
        vec_push(view->mem, view->memory, m);
    }
    for (uint32_t k = 0; view->memory.n > 0 && k < v->n_model; k++)
        view->eq.at[k] = at_start(s, &v->values, s->eq.at[k]);
}

/* Digits that a condition may lose on the way through the others. */
static Assertion agreement(System *s, const Eq *e)
{
    ExprPool *p = s->pool;
    ExprId size = expr_add(p, expr_int(p, 1),
                           expr_add(p, expr_fn(p, FN_ABS, e->lhs), expr_fn(p, FN_ABS, e->rhs)));
    ExprId most = expr_mul(p, expr_ratio(p, 1, 1000000), size);
    ExprId off = expr_fn(p, FN_ABS, expr_sub(p, e->lhs, e->rhs));
    const char *of = e->origin && *e->origin ? e->origin : "the model";
    return (Assertion){
        .cond = expr_compare(p, OP_LE, off, most),
        .message = expr_string(p, name_printf(s->names,
                                              "the initial conditions contradict each other: this "
                                              "one (%s) does not hold with the others: leave it "
                                              "or one of them out",
                                              of)),
        .span = singular_place_of_eq(s, e)};
}

void initial_assert_others(InitialView *v, const bool *taken)
{
    System *s = v->sys;
    for (uint32_t k = v->n_model; k < v->n_model + v->n_conditions; k++) {
        if (taken[k])
            continue;
        Assertion a = agreement(s, &s->eq.at[k]);
        vec_push(s->mem, s->assertion, a);
    }
}
