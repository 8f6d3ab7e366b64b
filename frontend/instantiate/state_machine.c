#include "frontend/instantiate/state_machine.h"

#include "base/vec.h"
#include "ir/body.h"

#include <stdlib.h>
#include <string.h>

typedef struct State {
    Instance *inst;
    uint32_t leader; /* union-find of the states of a machine              */
    uint32_t around; /* 0, or 1 + the state that its machine is inside of  */
    bool is_initial;
    Span span;    /* of an equation that makes it a state */
    VarId active; /* with all states around it */
    VarId next;   /* of its machine, be that active or not: its own place among the others */
    VarId reset;
    VarId entered, ticks, since; /* if the model uses them, else VAR_NONE */
    ExprId in, in_reset;         /* some transition into it fires; one that resets */
    ExprId out;                  /* some transition from it fires */
    ExprId selected;
    bool has_out;
} State;

typedef struct Transition {
    uint32_t from, to;
    ExprId condition;
    bool immediate, reset, synchronize;
    long priority;
    Span span;
} Transition;

/* A variable that a state assigns by way of an outer output. */
typedef struct Share {
    VarId whole;
    uint32_t state;
    Span span;
} Share;

struct Machines {
    Map of_inst; /* Instance.id -> state */
    VEC(State) state;
    VEC(Transition) transition;
    uint32_t at; /* 0, or 1 + the state whose transition's condition is evaluated */
    bool at_immediate;
    Map owner;    /* Instance.id: has an inner variable that states share, or a machine */
    Map of_path;  /* Instance.path -> 1 + the state that it is in                       */
    Map whole_of; /* VarId.i of an element that is inner and outer -> its outer variable */
    VEC(Share) share;
    Map own;      /* (state, whole) -> VarId.i */
    Map of_own;   /* VarId.i -> the whole      */
    Map previous; /* VarId.i -> VarId.i of its value before, with resets */
    uint32_t rewriting;
};

static struct Machines *machines(const Front *f)
{
    return f->lookup->machines;
}

/* ---- which blocks are states ---------------------------------------------------------------- */

static bool has_name(const SynExpr *x)
{
    return x->kind == SYN_CALL && x->cref->n == 1 &&
           (strcmp(x->cref->part[0].name.s, "transition") == 0 ||
            strcmp(x->cref->part[0].name.s, "initialState") == 0);
}

static bool is_named(const SynEquation *x)
{
    return x->kind == SYN_EQ_CALL && has_name(x->call);
}

/* Is the call with such a name one of the built-in operator, not of a function of the model. */
static bool is_built_in(Front *f, Scope *s, const SynExpr *x)
{
    const Class *c = scope_class(f, s, x->cref);
    return c && class_kind(f, c) == CLASS_BUILTIN_FUNCTION;
}

/* The arguments of transition() (MLS 17.1). */
enum { FROM, TO, CONDITION, IMMEDIATE, RESET, SYNCHRONIZE, PRIORITY, N_INPUTS };
static const char *const input_name[N_INPUTS] = {"from",  "to",          "condition", "immediate",
                                                 "reset", "synchronize", "priority"};

static bool read_arguments(Front *f, const SynExpr *call, const SynExpr **x)
{
    bool is_initial = strcmp(call->cref->part[0].name.s, "initialState") == 0;
    uint32_t n = is_initial ? 1 : N_INPUTS, needed = is_initial ? 1 : CONDITION + 1;
    const char *name = call->cref->part[0].name.s;
    for (uint32_t k = 0; k < n; k++)
        x[k] = k < call->arg.n ? call->arg.at[k] : NULL;
    if (call->arg.n > n) {
        diag_error(f->diags, call->span, "T07", "'%s' takes up to %u arguments, these are %u", name,
                   n, call->arg.n);
        return false;
    }
    for (uint32_t k = 0; k < call->n_named; k++) {
        uint32_t i = 0;
        while (i < n && strcmp(is_initial ? "state" : input_name[i], call->named[k].name.s) != 0)
            i++;
        if (i == n || x[i]) {
            diag_error(f->diags, call->named[k].span, "T07",
                       i == n ? "'%s' has no input '%s'" : "'%s' has two values for '%s'", name,
                       call->named[k].name.s);
            return false;
        }
        x[i] = call->named[k].value;
    }
    for (uint32_t k = 0; k < needed; k++) {
        if (x[k])
            continue;
        diag_error(f->diags, call->span, "T07", "argument '%s' of '%s' is missing (MLS 17.1)",
                   is_initial ? "state" : input_name[k], name);
        return false;
    }
    return true;
}

/* The block that x names, or NULL after an error. */
static Instance *block_of(Front *f, Scope *s, const SynExpr *x)
{
    Selection at;
    if (x->kind != SYN_CREF) {
        diag_error(f->diags, x->span, "F50", "a state is a block of the model (MLS 17.1)");
        return NULL;
    }
    if (!instance_select(f, s, x->cref, &at))
        return NULL;
    Instance *i = !at.is_absent && at.n == 1 && at.n_dims == 0 ? at.at[0] : NULL;
    if (i && i->kind == INST_CLASS && class_is(i->cls, SYN_R_BLOCK))
        return i;
    if (at.is_absent)
        diag_error(f->diags, x->span, "F50", "this state is absent: its condition is false");
    else if (!i || i->kind != INST_CLASS)
        diag_error(f->diags, x->span, "F50", "a state is one block of the model (MLS 17.1)");
    else
        diag_error(f->diags, x->span, "F50",
                   "'%s' is a %s, and only a block can be a state (MLS 17.1)", i->path,
                   syn_restriction_text(i->cls->syn->restriction));
    return NULL;
}

static uint32_t leader_of(struct Machines *m, uint32_t k)
{
    while (m->state.at[k].leader != k)
        k = m->state.at[k].leader = m->state.at[m->state.at[k].leader].leader;
    return k;
}

static uint32_t state_add(Front *f, Instance *i, Span span)
{
    struct Machines *m = machines(f);
    uint32_t k = map_get(&m->of_inst, i->id);
    if (k != MAP_NONE)
        return k;
    k = m->state.n;
    map_put(&m->of_inst, i->id, k);
    State new = {.inst = i,
                 .leader = k,
                 .span = span,
                 .active = VAR_NONE,
                 .next = VAR_NONE,
                 .reset = VAR_NONE,
                 .entered = VAR_NONE,
                 .ticks = VAR_NONE,
                 .since = VAR_NONE};
    vec_push(f->mem, m->state, new);
    return k;
}

static void note_call(Front *f, Scope *s, Instance *i, const SynExpr *call)
{
    struct Machines *m = machines(f);
    const SynExpr *x[N_INPUTS] = {NULL};
    if (!read_arguments(f, call, x))
        return;
    map_put(&m->owner, i->id, 1);
    Instance *from = block_of(f, s, x[FROM]);
    if (!from)
        return;
    uint32_t a = state_add(f, from, call->span);
    if (strcmp(call->cref->part[0].name.s, "initialState") == 0) {
        if (m->state.at[a].is_initial)
            diag_error(f->diags, call->span, "F50", "'%s' is marked twice as initial state",
                       from->path);
        m->state.at[a].is_initial = true;
        m->state.at[a].span = call->span;
        return;
    }
    Instance *to = block_of(f, s, x[TO]);
    if (!to)
        return;
    uint32_t b = state_add(f, to, call->span);
    a = leader_of(m, a);
    b = leader_of(m, b);
    m->state.at[a < b ? b : a].leader = a < b ? a : b;
}

static void collect(Front *f, Scope *s, Instance *i, const SynEquation *x)
{
    if (is_built_in(f, s, x->call))
        note_call(f, s, i, x->call);
}

/* The first such call in equations, or NULL. */
static const SynExpr *first_call(const SynEquations *all)
{
    const SynExpr *found = NULL;
    for (uint32_t k = 0; k < all->n && !found; k++) {
        const SynEquation *x = all->at[k];
        found = is_named(x) ? x->call : x->kind == SYN_EQ_FOR ? first_call(&x->body) : NULL;
        for (uint32_t j = 0;
             (x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN) && j < x->n_branches && !found; j++)
            found = first_call(&x->branch[j].body);
    }
    return found;
}

static void refuse_in_when(Front *f, Scope *s, Instance *i, const SynEquation *x)
{
    (void)i;
    const SynExpr *call = NULL;
    for (uint32_t k = 0; k < x->n_branches && !call; k++)
        call = first_call(&x->branch[k].body);
    if (is_built_in(f, s, call))
        diag_error(f->diags, call->span, "F50", "'%s' is not allowed in a when-equation (MLS 17.1)",
                   call->cref->part[0].name.s);
}

static void collect_in(Front *f, Instance *i)
{
    static const EquationWalk walk = {is_named, collect, refuse_in_when,
                                      "the condition of an if-equation with transitions"};
    equations_walk(f, i, &walk);
}

/* The innermost state around, 0 for none, else 1 + its number. */
static uint32_t state_machine_of(const Front *f, const Instance *i)
{
    const struct Machines *m = machines(f);
    for (; m && m->state.n && i; i = i->parent) {
        uint32_t k = map_get(&m->of_inst, i->id);
        if (k != MAP_NONE)
            return k + 1;
    }
    return 0;
}

bool state_machine_concerns(const Front *f, const Instance *i)
{
    const struct Machines *m = machines(f);
    return m && m->state.n && (map_get(&m->owner, i->id) != MAP_NONE || state_machine_of(f, i) > 0);
}

/* ---- variables ------------------------------------------------------------------------------ */

static ExprId var_expr(Front *f, VarId v)
{
    return system_var_expr(f->sys, v);
}

static ExprId previous_of(Front *f, VarId v)
{
    ExprId x = var_expr(f, v);
    return expr_of_clock(f->sys, INTRINSIC_PREVIOUS, 1, &x);
}

static ExprId now(Front *f)
{
    ExprId time = expr_time(f->sys->pool);
    return expr_of_clock(f->sys, INTRINSIC_SAMPLE, 1, &time);
}

static ExprId start_of(Front *f, VarId v)
{
    const Var *at = var_at(f->sys, v);
    return expr_exists(at->attr.start) ? at->attr.start
                                       : expr_int(f->sys->pool, at->type == TYPE_ENUMERATION);
}

static VarId hidden(Front *f, const char *what, const char *of, BaseType type, uint32_t state)
{
    VarId v = system_add_hidden(f->sys, arena_printf(f->mem, "%s(%s)", what, of));
    Var *at = var_at(f->sys, v);
    at->type = type;
    at->kind = type == TYPE_REAL ? VAR_CONTINUOUS : VAR_DISCRETE;
    at->state = state;
    return v;
}

/* One more with all that v is declared to be. */
static VarId hidden_like(Front *f, const char *what, VarId like, const char *of, uint32_t state)
{
    VarId v = hidden(f, what, of, var_at(f->sys, like)->type, state);
    Var *at = var_at(f->sys, v);
    const Var *model = var_at(f->sys, like);
    at->kind = model->kind == VAR_CONTINUOUS ? VAR_CONTINUOUS : VAR_DISCRETE;
    at->enumeration = model->enumeration;
    at->attr = model->attr;
    at->attr.fixed = UNKNOWN;
    at->span = model->span;
    return v;
}

static void write(Front *f, VarId v, ExprId x, uint32_t state, Span span)
{
    system_add_eq(
        f->sys,
        (Eq){.lhs = var_expr(f, v), .rhs = x, .group = GROUP_NONE, .span = span, .state = state});
}

static bool same_machine(struct Machines *m, uint32_t a, uint32_t b)
{
    return leader_of(m, a) == leader_of(m, b);
}

/* MLS 17.1: a machine has one initial state, and all its states are in the same state. */
static void check_machines(Front *f)
{
    struct Machines *m = machines(f);
    uint32_t n = m->state.n;
    const State **initial = arena_array(f->scratch, const State *, n + 1); /* per leader */
    for (uint32_t k = 0; k < n; k++) {
        const State *s = &m->state.at[k], *first = &m->state.at[leader_of(m, k)];
        const State **known = &initial[leader_of(m, k)];
        if (s->around != first->around)
            diag_error(f->diags, s->span, "F50",
                       "'%s' and '%s' are states of one machine, but not inside the same state "
                       "(MLS 17.1)",
                       first->inst->path, s->inst->path);
        if (s->is_initial && *known) {
            diag_error(f->diags, s->span, "F50",
                       "'%s' and '%s' are both initial states of one machine (MLS 17.1)",
                       (*known)->inst->path, s->inst->path);
            diag_note(f->diags, (*known)->span, "the first one is here");
        }
        if (s->is_initial)
            *known = s;
    }
    for (uint32_t k = 0; k < n; k++)
        if (leader_of(m, k) == k && !initial[k])
            diag_error(f->diags, m->state.at[k].span, "F50",
                       "no state of the machine of '%s' is its initial state: initialState(...) "
                       "(MLS 17.1)",
                       m->state.at[k].inst->path);
}

void state_machines_collect(Front *f, Instance *root)
{
    struct Machines *m = arena_make(f->mem, struct Machines);
    f->lookup->machines = m;
    m->of_inst = map_new(f->mem);
    m->owner = map_new(f->mem);
    m->of_path = map_new(f->mem);
    m->whole_of = map_new(f->mem);
    m->own = map_new(f->mem);
    m->of_own = map_new(f->mem);
    m->previous = map_new(f->mem);
    instances_visit(f, root, collect_in);
    for (uint32_t k = 0; k < m->state.n; k++)
        m->state.at[k].around = state_machine_of(f, m->state.at[k].inst->parent);
    check_machines(f);
    for (uint32_t k = 0; k < m->state.n; k++) {
        State *s = &m->state.at[k];
        s->next =
            hidden(f, s->around ? "selected" : "active", s->inst->path, TYPE_BOOLEAN, s->around);
        s->active = s->around ? hidden(f, "active", s->inst->path, TYPE_BOOLEAN, 0) : s->next;
        s->reset = hidden(f, "reset", s->inst->path, TYPE_BOOLEAN, 0);
        s->in = s->in_reset = s->out = expr_int(f->sys->pool, 0);
        MachineState known = {s->inst->path, var_expr(f, s->active), var_expr(f, s->reset)};
        vec_push(f->sys->mem, f->sys->state, known);
    }
}

/* ---- operators ------------------------------------------------------------------------------ */

bool scope_active_state(Front *f, Scope *s, const SynCref *cref, ExprId *out)
{
    struct Machines *m = machines(f);
    Selection at;
    if (!m) {
        diag_error(f->diags, cref->span, "F50",
                   "which state is active varies during a simulation (MLS 17.1)");
        return false;
    }
    if (!instance_select(f, s, cref, &at))
        return false;
    uint32_t k = !at.is_absent && at.n == 1 ? map_get(&m->of_inst, at.at[0]->id) : MAP_NONE;
    if (k == MAP_NONE || at.n_dims) {
        diag_error(f->diags, cref->span, "F50", "this is no state of a state machine (MLS 17.1)");
        return false;
    }
    *out = var_expr(f, m->state.at[k].active);
    return true;
}

/* Makes the variables `entered` of state k and of the states around it, from which the time in a
 * state is counted (17.1). */
static void count_in(Front *f, uint32_t k)
{
    struct Machines *m = machines(f);
    for (uint32_t at = k + 1; at; at = m->state.at[at - 1].around) {
        State *s = &m->state.at[at - 1];
        if (var_exists(s->entered))
            return;
        s->entered = hidden(f, "entered", s->inst->path, TYPE_BOOLEAN, 0);
    }
}

bool scope_in_state(Front *f, Scope *s, bool is_time, Span span, ExprId *out)
{
    struct Machines *m = machines(f);
    ExprPool *p = f->sys->pool;
    Scope *at = s;
    while (at && !at->inst)
        at = at->outer;
    uint32_t k = m && m->at ? m->at : at ? state_machine_of(f, at->inst) : 0;
    if (!k) {
        diag_error(f->diags, span, "F50", "'%s' is used in no state machine (MLS 17.1)",
                   is_time ? "timeInState" : "ticksInState");
        return false;
    }
    State *in = &m->state.at[k - 1];
    count_in(f, k - 1);
    VarId *count = is_time ? &in->since : &in->ticks;
    if (!var_exists(*count))
        *count = hidden(f, is_time ? "entry" : "ticks", in->inst->path,
                        is_time ? TYPE_REAL : TYPE_INTEGER, 0);
    /* The condition of an immediate transition is evaluated before the active state is chosen: as
     * if the state stayed. */
    bool before = m->at && m->at_immediate;
    ExprId x = before ? previous_of(f, *count) : var_expr(f, *count);
    if (is_time)
        x = expr_sub(p, now(f), x);
    else if (before)
        x = expr_add(p, x, expr_int(p, 1));
    *out = x;
    return true;
}

/* ---- transitions ---------------------------------------------------------------------------- */

static bool read_flag(Front *f, Scope *s, const SynExpr *x, const char *name, bool *out)
{
    return !x || eval_boolean(f, s, x, arena_printf(f->scratch, "'%s' of a transition", name), out);
}

static void transition(Front *f, Scope *s, const SynExpr *call)
{
    struct Machines *m = machines(f);
    const SynExpr *x[N_INPUTS] = {NULL};
    /* errors were reported when states were collected */
    const Instance *from = read_arguments(f, call, x) ? block_of(f, s, x[FROM]) : NULL;
    const Instance *to = from ? block_of(f, s, x[TO]) : NULL;
    if (!to)
        return;
    Transition t = {.from = map_get(&m->of_inst, from->id),
                    .to = map_get(&m->of_inst, to->id),
                    .immediate = true,
                    .reset = true,
                    .priority = 1,
                    .span = call->span};
    if (t.from == MAP_NONE || t.to == MAP_NONE)
        return;
    if (!read_flag(f, s, x[IMMEDIATE], "immediate", &t.immediate) ||
        !read_flag(f, s, x[RESET], "reset", &t.reset) ||
        !read_flag(f, s, x[SYNCHRONIZE], "synchronize", &t.synchronize) ||
        (x[PRIORITY] &&
         !eval_integer(f, s, x[PRIORITY], "'priority' of a transition", &t.priority)))
        return;
    if (t.priority < 1) {
        diag_error(f->diags, x[PRIORITY]->span, "F50",
                   "the priority of a transition is at least 1, this is %ld (MLS 17.1)",
                   t.priority);
        return;
    }
    Value c;
    m->at = t.from + 1;
    m->at_immediate = t.immediate;
    bool good = eval(f, s, x[CONDITION], &c);
    m->at = 0;
    if (!good)
        return;
    if (c.kind != VALUE_PLAIN || c.type != TYPE_BOOLEAN || c.n_dims) {
        diag_error(f->diags, x[CONDITION]->span, "T31",
                   "the condition of a transition must be a Boolean");
        return;
    }
    t.condition = c.elem[0];
    vec_push(f->mem, m->transition, t);
}

bool state_machine_equation(Front *f, Scope *s, const SynExpr *call)
{
    if (!has_name(call))
        return false;
    bool is_initial = strcmp(call->cref->part[0].name.s, "initialState") == 0;
    if (!is_built_in(f, s, call))
        return false;
    if (f->eval.in_initial)
        diag_error(f->diags, call->span, "F50",
                   "'%s' is not allowed in an initial equation (MLS 17.1)",
                   call->cref->part[0].name.s);
    else if (!f->eval.in_when && !is_initial)
        transition(f, s, call);
    return true;
}

static int by_priority(const void *a, const void *b)
{
    const Transition *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
}

/* ---- shared variables ----------------------------------------------------------------------- */

typedef struct Leaves {
    const Instance **at;
    uint32_t n, cap;
} Leaves;

static void leaves_of(Front *f, const Instance *i, Leaves *out)
{
    if (!i || i->kind == INST_ABSENT || i->kind == INST_FAILED)
        return;
    if (i->kind == INST_LEAF)
        vec_push(f->scratch, *out, i);
    for (uint32_t k = 0; i->kind == INST_ARRAY && k < i->n; k++)
        leaves_of(f, i->elem[k], out);
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        const Instance *part = instance_part(i, k);
        if (part && part->parent == i) /* an outer component may be an enclosing one */
            leaves_of(f, part, out);
    }
}

static VarId whole(const struct Machines *m, VarId v)
{
    for (uint32_t at = v.i; at != MAP_NONE; at = map_get(&m->whole_of, at))
        v.i = at;
    return v;
}

static void share(Front *f, uint32_t state, const Instance *leaf, Span span)
{
    struct Machines *m = machines(f);
    for (uint32_t k = 0; k < leaf->n; k++) {
        VarId v = {leaf->var.i + k};
        if (var_is_unknown(var_at(f->sys, v)))
            vec_push(f->mem, m->share, ((Share){.whole = v, .state = state, .span = span}));
    }
}

/* Outer outputs of instance i in a state. */
static void shares_in(Front *f, Instance *i)
{
    struct Machines *m = machines(f);
    uint32_t state = state_machine_of(f, i);
    for (uint32_t k = 0; state && k < i->cls->component.n; k++) {
        Element *e = i->cls->component.at[k];
        if (!e->is_outer || e->is_class || !e->component)
            continue;
        ArenaMark mark = arena_mark(f->scratch);
        Leaves outer = {0}, own = {0};
        leaves_of(f, instance_local(f, i, e), &outer);
        if (e->is_inner)
            leaves_of(f, i->child[k], &own);
        bool is_output = e->component->prefix.causality == SYN_OUTPUT ||
                         (e->type && e->type->prefix.causality == SYN_OUTPUT);
        for (uint32_t j = 0; j < outer.n; j++) {
            const Instance *a = outer.at[j], *b = j < own.n ? own.at[j] : NULL;
            for (uint32_t n = 0; b && n < b->n && n < a->n && b->var.i != a->var.i; n++)
                map_put(&m->whole_of, b->var.i + n, a->var.i + n);
            if (is_output && a->variability > VARIES_PARAMETER)
                share(f, state, a, e->component->name_span);
            if (a->parent)
                map_put(&m->owner, a->parent->id, 1);
        }
        arena_rollback(f->scratch, mark);
    }
}

static int by_variable(const void *a, const void *b)
{
    const Share *x = a, *y = b;
    if (x->whole.i != y->whole.i)
        return x->whole.i < y->whole.i ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state);
}

/* Whether state k is active at the first tick. */
static bool begins_active(const struct Machines *m, uint32_t k)
{
    for (uint32_t at = k; at; at = m->state.at[at - 1].around)
        if (!m->state.at[at - 1].is_initial)
            return false;
    return true;
}

/* MLS 17: one assignment to a variable at a tick. In each state, and at the top, all that share it
 * are in states of one machine. */
static bool is_exclusive(Front *f, const char *name, const uint32_t *state, const Span *span,
                         uint32_t n)
{
    struct Machines *m = machines(f);
    Map machine = map_new(f->scratch); /* state around -> a state of the machine */
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t at = state[k]; at; at = m->state.at[at - 1].around) {
            uint32_t around = m->state.at[at - 1].around;
            uint32_t other = map_get(&machine, around);
            if (other == MAP_NONE) {
                map_put(&machine, around, at - 1);
            } else if (!same_machine(m, other, at - 1)) {
                diag_error(f->diags, span[k], "F50",
                           "'%s' is assigned in '%s' and in '%s', which are active at the same "
                           "time (MLS 17)",
                           name, m->state.at[other].inst->path, m->state.at[at - 1].inst->path);
                return false;
            }
        }
    return true;
}

/* v = if active(a) then v of a elseif ... else last(v) */
static void merge(Front *f, VarId v, const uint32_t *state, const VarId *of, uint32_t n,
                  uint32_t around, Span span)
{
    ExprPool *p = f->sys->pool;
    ExprId x = previous_of(f, v);
    if (around)
        x = expr_select(p, var_expr(f, machines(f)->state.at[around - 1].reset), start_of(f, v), x);
    for (uint32_t k = n; k-- > 0;)
        x = expr_select(p, var_expr(f, machines(f)->state.at[state[k] - 1].active),
                        var_expr(f, of[k]), x);
    write(f, v, x, around, span);
}

/* One variable of all states that share it; state is sorted. */
static void merge_share(Front *f, Share *at, uint32_t n)
{
    struct Machines *m = machines(f);
    ArenaMark mark = arena_mark(f->scratch);
    VarId v = at[0].whole;
    uint32_t *state = arena_array(f->scratch, uint32_t, n);
    Span *span = arena_array(f->scratch, Span, n);
    VarId *own = arena_array(f->scratch, VarId, n);
    uint32_t count = 0;
    Map passes = map_new(f->scratch); /* states around others that share it pass it on */
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t s = m->state.at[at[k].state - 1].around; s; s = m->state.at[s - 1].around)
            map_add(&passes, s);
    bool begins = false;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t s = at[k].state;
        if ((count && state[count - 1] == s) || map_get(&passes, s) != MAP_NONE)
            continue;
        own[count] = hidden_like(f, var_at(f->sys, v)->name.s, v, m->state.at[s - 1].inst->path, s);
        map_put(&m->own, map_key_pair(s, v.i), own[count].i);
        map_put(&m->of_own, own[count].i, v.i);
        span[count] = at[k].span;
        begins = begins || begins_active(m, s);
        state[count++] = s;
    }
    const Var *var = var_at(f->sys, v);
    if (is_exclusive(f, var->name.s, state, span, count) && !begins &&
        !expr_exists(var->attr.start))
        diag_error(f->diags, var->span, "F50",
                   "'%s' is not assigned in an initial state, so it needs a start value "
                   "(MLS 17.3.5)",
                   var->name.s);
    merge(f, v, state, own, count, var->state, at[0].span);
    arena_rollback(f->scratch, mark);
}

bool state_machine_merge(Front *f, const VarId *giver, uint32_t n, Span span, VarId *out)
{
    struct Machines *m = machines(f);
    if (!m || !m->state.n || n < 2)
        return false;
    uint32_t *state = arena_array(f->scratch, uint32_t, n);
    Span *at = arena_array(f->scratch, Span, n);
    Map seen = map_new(f->scratch);
    for (uint32_t k = 0; k < n; k++) {
        const Instance *leaf = f->lookup->leaf_of_var.at[giver[k].i];
        state[k] = leaf ? state_machine_of(f, leaf) : 0;
        if (!state[k] || !map_add(&seen, state[k]))
            return false;
        at[k] = span;
    }
    uint32_t around = m->state.at[state[0] - 1].around;
    const char *name = var_at(f->sys, giver[0])->name.s;
    *out = hidden_like(f, "merged", giver[0], name, around);
    if (is_exclusive(f, name, state, at, n))
        merge(f, *out, state, giver, n, around, span);
    return true;
}

/* ---- equations ------------------------------------------------------------------------------ */

/* previous(v) as a variable: where the state of v is reset it is the start value (17.3.2). */
static ExprId previous_in(Front *f, VarId v)
{
    struct Machines *m = machines(f);
    uint32_t state = var_at(f->sys, v)->state;
    if (!state)
        return previous_of(f, v);
    uint32_t known = map_get(&m->previous, v.i);
    if (known == MAP_NONE) {
        VarId before = hidden_like(f, "previous", v, var_at(f->sys, v)->name.s, 0);
        known = before.i;
        map_put(&m->previous, v.i, known);
        ExprId reset = var_expr(f, m->state.at[state - 1].reset);
        write(f, before, expr_select(f->sys->pool, reset, start_of(f, v), previous_of(f, v)), 0,
              var_at(f->sys, v)->span);
    }
    return var_expr(f, (VarId){known});
}

/* Replaces a node for use in state `rewriting`. */
static ExprId become(void *data, ExprId x)
{
    Front *f = data;
    struct Machines *m = machines(f);
    const ExprPool *p = f->sys->pool;
    if (expr_op(p, x) == OP_VAR) {
        VarId v = expr_var_of(p, x);
        if (m->rewriting)
            v = whole(m, v);
        uint32_t own = map_get(&m->own, map_key_pair(m->rewriting, v.i));
        return var_expr(f, own == MAP_NONE ? v : (VarId){own});
    }
    if (expr_op(p, x) != OP_PROJ)
        return x;
    ExprId call = expr_arg(p, x, 0);
    Intrinsic i = f->sys->function->at[expr_func_of(p, call).i].intrinsic;
    bool is_previous = i == INTRINSIC_PREVIOUS || (i == INTRINSIC_BEFORE && m->rewriting);
    if (!is_previous || expr_op(p, expr_arg(p, call, 0)) != OP_VAR)
        return x;
    VarId v = expr_var_of(p, expr_arg(p, call, 0));
    uint32_t of = map_get(&m->of_own, v.i);
    return previous_in(f, of == MAP_NONE ? v : (VarId){of});
}

static ExprId rewrite(Front *f, uint32_t state, ExprId x)
{
    machines(f)->rewriting = state;
    return expr_exists(x) ? expr_map(f->sys->pool, f->scratch, x, become, f) : x;
}

void state_machine_guard(Front *f, const Instance *i, uint32_t assertion, uint32_t action)
{
    uint32_t state = state_machine_of(f, i);
    ExprPool *p = f->sys->pool;
    if (!state)
        return;
    ExprId active = var_expr(f, machines(f)->state.at[state - 1].active);
    for (uint32_t k = assertion; k < f->sys->assertion.n; k++) {
        ExprId *cond = &f->sys->assertion.at[k].cond;
        *cond = expr_or(p, expr_not(p, active), *cond);
    }
    for (uint32_t k = action; k < f->sys->action.n; k++) {
        ExprId *fires = &f->sys->action.at[k].fires;
        *fires = expr_and(p, active, *fires);
    }
}

/* Records the state that instance i belongs to, and its shared variables. */
static void note_instance(Front *f, Instance *i)
{
    struct Machines *m = machines(f);
    uint32_t state = state_machine_of(f, i);
    if (!state)
        return;
    map_put(&m->of_path, map_key_ptr(i->path), state);
    shares_in(f, i);
}

/* Equations as they are in the states where they are written. */
static void enter_states(Front *f)
{
    struct Machines *m = machines(f);
    System *s = f->sys;
    uint32_t n = s->eq.n;
    for (uint32_t k = 0; k < n; k++) {
        Eq e = s->eq.at[k]; /* they become more */
        uint32_t known = e.origin ? map_get(&m->of_path, map_key_ptr(e.origin)) : MAP_NONE;
        if (known != MAP_NONE)
            e.state = known;
        ExprId lhs = rewrite(f, e.state, e.lhs), rhs = rewrite(f, e.state, e.rhs);
        s->eq.at[k].lhs = lhs;
        s->eq.at[k].rhs = rhs;
        s->eq.at[k].state = e.state;
    }
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        ExprId cond = rewrite(f, 0, s->assertion.at[k].cond);
        s->assertion.at[k].cond = cond;
    }
}

/* An element that is inner and outer equals, inside a state, the outer one. */
static void pass_on(Front *f)
{
    struct Machines *m = machines(f);
    for (uint32_t k = 0; k < f->lookup->leaf_of_var.n; k++) {
        const Instance *leaf = f->lookup->leaf_of_var.at[k];
        if (!leaf || map_get(&m->whole_of, k) == MAP_NONE || !var_is_unknown(&f->sys->var.at[k]))
            continue;
        VarId v = {k};
        write(f, v, var_expr(f, whole(m, v)), f->sys->var.at[k].state, instance_span(leaf));
    }
}

/* The condition that every state machine inside state k is in a final state, i.e. a state without
 * outgoing transitions (17.3.1): at this clock tick, or at the previous one. */
static ExprId is_final_in(Front *f, uint32_t k, bool before, const uint32_t *inside,
                          const uint32_t *next_inside)
{
    struct Machines *m = machines(f);
    ExprPool *p = f->sys->pool;
    ExprId all = expr_int(p, 1);
    ArenaMark mark = arena_mark(f->scratch);
    Map machine = map_new(f->scratch); /* its leader -> place in final */
    VEC(ExprId) final = {0};
    for (uint32_t j = inside[k]; j != UINT32_MAX; j = next_inside[j]) {
        const State *s = &m->state.at[j];
        uint32_t of = map_number(&machine, leader_of(m, j), final.n);
        if (of == final.n)
            vec_push(f->scratch, final, expr_int(p, 0));
        ExprId is = before ? previous_of(f, s->next) : var_expr(f, s->next);
        if (!s->has_out)
            final.at[of] = expr_or(p, final.at[of], is);
    }
    for (uint32_t j = 0; j < final.n; j++)
        all = expr_and(p, all, final.at[j]);
    arena_rollback(f->scratch, mark);
    return all;
}

/* The condition that the machine of s restarts: the state around it is reset or, without one, the
 * first tick. */
static ExprId restarts(Front *f, const State *s)
{
    return s->around ? var_expr(f, machines(f)->state.at[s->around - 1].reset)
                     : expr_of_clock(f->sys, INTRINSIC_FIRST_TICK, 0, &(ExprId){0});
}

/* The firing conditions of the transitions from one state: one of lower priority fires only if no
 * other does. As in MLS 17.3.4 the conditions are evaluated at each tick, also while the machine is
 * not active. */
static void fire(Front *f, Transition *t, uint32_t n, const uint32_t *inside,
                 const uint32_t *next_inside)
{
    struct Machines *m = machines(f);
    ExprPool *p = f->sys->pool;
    State *from = &m->state.at[t->from];
    ExprId may = expr_and(p, from->selected, expr_not(p, restarts(f, from)));
    for (uint32_t k = 0; k < n; k++) {
        if (k && t[k].priority == t[k - 1].priority) {
            diag_error(f->diags, t[k].span, "F50",
                       "two transitions from '%s' have priority %ld (MLS 17.1)", from->inst->path,
                       t[k].priority);
            diag_note(f->diags, t[k - 1].span, "the other one is here");
        }
        ExprId holds = rewrite(f, from->around, t[k].condition);
        if (t[k].synchronize)
            holds =
                expr_and(p, holds, is_final_in(f, t->from, t[k].immediate, inside, next_inside));
        const char *name = arena_printf(f->mem, "%s, %u", from->inst->path, k + 1);
        if (!t[k].immediate) {
            VarId c = hidden(f, "condition", name, TYPE_BOOLEAN, 0);
            write(f, c, holds, 0, t[k].span);
            holds = previous_of(f, c);
        }
        VarId fires = hidden(f, "fires", name, TYPE_BOOLEAN, 0);
        write(f, fires, expr_and(p, may, holds), 0, t[k].span);
        ExprId x = var_expr(f, fires);
        may = expr_and(p, may, expr_not(p, x));
        State *to = &m->state.at[t[k].to];
        from->out = expr_or(p, from->out, x);
        to->in = expr_or(p, to->in, x);
        if (t[k].reset)
            to->in_reset = expr_or(p, to->in_reset, x);
    }
}

/* MLS 17.3.4, with a Boolean for each state instead of the number of the active one. */
static void state_equations(Front *f, uint32_t k)
{
    struct Machines *m = machines(f);
    ExprPool *p = f->sys->pool;
    State *s = &m->state.at[k];
    ExprId restart = restarts(f, s);
    ExprId next = var_expr(f, s->next), active = var_expr(f, s->active);
    ExprId stays = expr_and(p, s->selected, expr_not(p, s->out));
    write(f, s->next, expr_select(p, restart, expr_int(p, s->is_initial), expr_or(p, stays, s->in)),
          s->around, s->span);
    if (s->around)
        write(f, s->active, expr_and(p, next, var_expr(f, m->state.at[s->around - 1].active)), 0,
              s->span);
    /* reset with the machine, but not active since then (17.3.2) */
    VarId pending = hidden(f, "pending", s->inst->path, TYPE_BOOLEAN, s->around);
    ExprId due = expr_or(p, restart, previous_of(f, pending));
    write(f, pending, expr_and(p, due, expr_not(p, next)), s->around, s->span);
    write(f, s->reset, expr_and(p, active, expr_or(p, due, s->in_reset)), 0, s->span);
    if (!var_exists(s->entered))
        return;
    ExprId anew = expr_or(p, expr_not(p, previous_of(f, s->active)), expr_or(p, restart, s->in));
    if (s->around)
        anew = expr_or(p, anew, var_expr(f, m->state.at[s->around - 1].entered));
    write(f, s->entered, expr_and(p, active, anew), 0, s->span);
    ExprId entered = var_expr(f, s->entered), one = expr_int(p, 1), zero = expr_int(p, 0);
    if (var_exists(s->ticks))
        write(f, s->ticks,
              expr_select(p, active,
                          expr_select(p, entered, one, expr_add(p, previous_of(f, s->ticks), one)),
                          zero),
              0, s->span);
    if (var_exists(s->since))
        write(f, s->since, expr_select(p, entered, now(f), previous_of(f, s->since)), 0, s->span);
}

void state_machines_equations(Front *f, Instance *root)
{
    struct Machines *m = machines(f);
    uint32_t n = m->state.n;
    if (!n)
        return;
    for (uint32_t k = 0; k < f->lookup->leaf_of_var.n; k++) {
        const Instance *leaf = f->lookup->leaf_of_var.at[k];
        if (leaf)
            f->sys->var.at[k].state = state_machine_of(f, leaf);
    }
    instances_visit(f, root, note_instance);
    for (uint32_t k = 0; k < m->share.n; k++)
        m->share.at[k].whole = whole(m, m->share.at[k].whole);
    if (m->share.n)
        qsort(m->share.at, m->share.n, sizeof *m->share.at, by_variable);
    for (uint32_t k = 0, end; k < m->share.n; k = end) {
        for (end = k + 1; end < m->share.n && m->share.at[end].whole.i == m->share.at[k].whole.i;)
            end++;
        merge_share(f, m->share.at + k, end - k);
    }
    enter_states(f);
    pass_on(f);
    uint32_t *inside = arena_array(f->mem, uint32_t, n);
    uint32_t *next_inside = arena_array(f->mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        inside[k] = UINT32_MAX;
    for (uint32_t k = n; k-- > 0;) {
        uint32_t around = m->state.at[k].around;
        next_inside[k] = around ? inside[around - 1] : UINT32_MAX;
        if (around)
            inside[around - 1] = k;
    }
    for (uint32_t k = 0; k < m->transition.n; k++)
        m->state.at[m->transition.at[k].from].has_out = true;
    for (uint32_t k = 0; k < n; k++)
        m->state.at[k].selected = previous_of(f, m->state.at[k].next);
    if (m->transition.n)
        qsort(m->transition.at, m->transition.n, sizeof *m->transition.at, by_priority);
    for (uint32_t k = 0, end; k < m->transition.n; k = end) {
        for (end = k + 1;
             end < m->transition.n && m->transition.at[end].from == m->transition.at[k].from;)
            end++;
        fire(f, m->transition.at + k, end - k, inside, next_inside);
    }
    for (uint32_t k = 0; k < n; k++)
        state_equations(f, k);
}
