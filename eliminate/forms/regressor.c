#include "eliminate/forms/regressor.h"

#include "base/bug.h"

enum {
    NONE = UINT32_MAX,
    ANGLE_DEPTH = 200,
    LEVELS = 3, /* of urgency */
    CONDITION_POINTS = 32,
};

/* ---- the order in which unknowns follow from equations ---- */

typedef struct Assigned {
    VarId var;
    ExprId value;
} Assigned;

typedef struct Sequence {
    System *s;
    const Structure *t;
    Arena *scratch;
    uint32_t *n_open;            /* per equation: unknowns that are not known yet                 */
    bool *is_done;               /* per equation: an unknown followed from it                     */
    bool *is_known;              /* per column                                                    */
    bool *is_rate;               /* per column: the derivative of a state                         */
    const bool *is_given;        /* per variable, or NULL: taken as known                         */
    bool *varies;                /* per variable: depends on a parameter                          */
    bool *is_asked;              /* per variable, all false in between                            */
    bool *is_parameter;          /* per variable */
    bool *moves;                 /* per variable: depends on a derivative of a state              */
    bool strict;                 /* only by equations that depend on no parameter                 */
    VEC(uint32_t) ready[LEVELS]; /* equations with one open unknown, by urgency */
    VEC(Assigned) value;
    VEC(VarId) input;
} Sequence;

static uint32_t open_column(const Sequence *q, uint32_t e)
{
    const Incidence *g = &q->t->g;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        if (!q->is_known[g->col[k]])
            return g->col[k];
    bug("an equation without an open unknown");
}

/* Whether x holds any of the variables that are marked. */
static bool holds(const Sequence *q, const bool *marked, ExprId x)
{
    VarId *found;
    ArenaMark m = arena_mark(q->scratch);
    uint32_t n = unknowns_of(q->s, marked, x, 0, q->scratch, &found);
    arena_rollback(q->scratch, m);
    return n > 0;
}

/* Equations without forces first, then laws of inertia, which give forces from accelerations; other
 * forces last, since forces follow from the bodies: f = m*a before f = k*s or f + g = 0, so that m
 * stays in few rows. */
static void push_ready(Sequence *q, uint32_t e)
{
    const Eq *eq = &q->s->eq.at[e];
    bool moves = holds(q, q->moves, eq->lhs) || holds(q, q->moves, eq->rhs);
    bool is_law =
        moves && (holds(q, q->is_parameter, eq->lhs) || holds(q, q->is_parameter, eq->rhs));
    bool is_flow = q->s->var.at[q->t->var[open_column(q, e)].i].is_flow;
    uint32_t level = !is_flow ? 0 : is_law ? 1 : 2;
    vec_push(q->scratch, q->ready[level], e);
}

static bool pop_ready(Sequence *q, uint32_t levels, uint32_t *e)
{
    for (uint32_t k = 0; k < levels; k++)
        if (q->ready[k].n) {
            *e = q->ready[k].at[--q->ready[k].n];
            return true;
        }
    return false;
}

static void know(Sequence *q, uint32_t col)
{
    const Incidence *g = &q->t->g;
    q->is_known[col] = true;
    for (uint32_t k = g->col_begin[col]; k < g->col_begin[col + 1]; k++) {
        uint32_t e = g->row[k];
        if (--q->n_open[e] == 1 && !q->is_done[e])
            push_ready(q, e);
    }
}

/* Whether x holds conditions: it may vanish in one of their branches. */
static bool has_choice(const ExprPool *p, ExprId x, int depth)
{
    Op op = expr_op(p, x);
    if (op == OP_SELECT || op_is_logical(op) || depth == ANGLE_DEPTH)
        return true;
    for (uint32_t k = 0; k < expr_n_args(p, x); k++)
        if (has_choice(p, expr_arg(p, x, k), depth + 1))
            return true;
    return false;
}

/* The value of the only unknown of the equation, EXPR_NONE if it takes a division by parameters or
 * is not linear. */
static ExprId value_of(Sequence *q, ExprId residual, VarId v)
{
    System *s = q->s;
    ExprPool *p = s->pool;
    ArenaMark m = arena_mark(q->scratch);
    Substitution none = {.mem = q->scratch};
    q->is_asked[v.i] = true;
    LinearForm f = linear_form(s, q->is_asked, &none, residual, q->scratch);
    q->is_asked[v.i] = false;
    bool good = f.is_linear && f.n == 1;
    ExprId c = good ? f.coeff[0] : EXPR_NONE, rest = good ? f.rest : EXPR_NONE;
    arena_rollback(q->scratch, m);
    if (!good || expr_is_zero(p, c) == YES || holds(q, q->varies, c) || has_choice(p, c, 0))
        return EXPR_NONE;
    if (expr_is(p, c, 1))
        return expr_neg(p, rest);
    if (expr_is(p, c, -1))
        return rest;
    return expr_neg(p, expr_div(p, rest, c));
}

static void follow(Sequence *q, uint32_t levels)
{
    for (uint32_t e; pop_ready(q, levels, &e);) {
        if (q->is_done[e] || q->n_open[e] != 1)
            continue;
        const Eq *eq = &q->s->eq.at[e];
        if (expr_op(q->s->pool, eq->lhs) == OP_STRING)
            continue;
        uint32_t col = open_column(q, e);
        VarId v = q->t->var[col];
        ExprId residual = expr_sub(q->s->pool, eq->lhs, eq->rhs);
        bool varies = holds(q, q->varies, residual);
        if (q->strict && varies)
            continue;
        ExprId x = value_of(q, residual, v);
        if (!expr_exists(x))
            continue;
        q->varies[v.i] = varies;
        q->moves[v.i] = holds(q, q->moves, residual);
        q->is_done[e] = true;
        vec_push(q->scratch, q->value, ((Assigned){v, x}));
        know(q, col);
    }
}

static void make_input(Sequence *q, uint32_t col)
{
    vec_push(q->scratch, q->input, q->t->var[col]);
    q->moves[q->t->var[col].i] = true;
    know(q, col);
}

static bool is_given(const Sequence *q, VarId v)
{
    return q->is_given && q->is_given[v.i];
}

static void all_ready(Sequence *q)
{
    for (uint32_t e = q->t->g.n_rows; e-- > 0;)
        if (q->n_open[e] == 1 && !q->is_done[e])
            push_ready(q, e);
}

/* Whether accelerations stand in it, and no force is open: one of a few that accelerations of
 * another frame follow from together. */
static bool is_kinematic(const Sequence *q, uint32_t e)
{
    const Incidence *g = &q->t->g;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        if (!q->is_known[g->col[k]] && q->s->var.at[q->t->var[g->col[k]].i].is_flow)
            return false;
    const Eq *eq = &q->s->eq.at[e];
    return holds(q, q->moves, eq->lhs) || holds(q, q->moves, eq->rhs);
}

/* An unknown of an equation with the fewest of them, of these the one that most equations hold.
 * NONE if all are known, or there is no such equation among the kinematic ones. */
static uint32_t next_input(const Sequence *q, bool kinematic)
{
    const Incidence *g = &q->t->g;
    uint32_t best = NONE, col = NONE, most = 0;
    for (uint32_t e = 0; e < g->n_rows; e++)
        if (!q->is_done[e] && q->n_open[e] && (best == NONE || q->n_open[e] < q->n_open[best]) &&
            (!kinematic || is_kinematic(q, e)))
            best = e;
    for (uint32_t c = 0; c < q->t->n && best == NONE && !kinematic; c++)
        if (!q->is_known[c])
            return c;
    if (best == NONE)
        return NONE;
    for (uint32_t k = g->row_begin[best]; k < g->row_begin[best + 1]; k++) {
        uint32_t c = g->col[k], n = 0;
        if (q->is_known[c])
            continue;
        for (uint32_t i = g->col_begin[c]; i < g->col_begin[c + 1]; i++)
            n += !q->is_done[g->row[i]];
        if (n > most || col == NONE) {
            col = c;
            most = n;
        }
    }
    return col;
}

static Sequence sequence_find(const Dae *d, Arena *scratch)
{
    System *s = d->sys;
    const Structure *t = &d->blt.columns;
    Sequence q = {.s = s,
                  .t = t,
                  .scratch = scratch,
                  .n_open = arena_array(scratch, uint32_t, t->g.n_rows + 1),
                  .is_done = arena_array(scratch, bool, t->g.n_rows + 1),
                  .is_known = arena_array(scratch, bool, t->n + 1),
                  .is_rate = arena_array(scratch, bool, t->n + 1),
                  .varies = arena_array(scratch, bool, s->var.n + 1),
                  .is_parameter = arena_array(scratch, bool, s->var.n + 1),
                  .moves = arena_array(scratch, bool, s->var.n + 1),
                  .is_asked = arena_array(scratch, bool, s->var.n + 1),
                  .is_given = dae_efforts(d, scratch),
                  .strict = true};
    for (uint32_t v = 0; v < s->var.n; v++)
        q.varies[v] = q.is_parameter[v] =
            s->var.at[v].kind == VAR_PARAMETER && s->var.at[v].type == TYPE_REAL;
    for (uint32_t e = 0; e < t->g.n_rows; e++)
        q.n_open[e] = t->g.row_begin[e + 1] - t->g.row_begin[e];
    for (uint32_t c = 0; c < t->n; c++) {
        VarId of = s->var.at[t->var[c].i].der_of;
        q.is_rate[c] = var_exists(of) && d->is_state[of.i];
    }
    for (uint32_t c = 0; c < t->n; c++)
        if (is_given(&q, t->var[c]))
            make_input(&q, c);
    // der(phi) = w holds whatever the parameters are
    all_ready(&q);
    follow(&q, LEVELS);
    q.strict = false;
    for (uint32_t c = 0; c < t->n; c++)
        if (q.is_rate[c] && !q.is_known[c])
            make_input(&q, c);
    all_ready(&q);
    follow(&q, LEVELS - 1);
    for (uint32_t c; (c = next_input(&q, true)) != NONE;) {
        make_input(&q, c);
        follow(&q, LEVELS - 1);
    }
    follow(&q, LEVELS);
    for (uint32_t c; (c = next_input(&q, false)) != NONE;) {
        make_input(&q, c);
        follow(&q, LEVELS);
    }
    return q;
}

/* ---- expressions as a list of operations ---- */

enum SlotKind {
    SLOT_NUMBER,   /* its value is set once                         */
    SLOT_DRAWN,    /* at each point                                 */
    SLOT_TRUTH,    /* drawn, 0 or 1                                 */
    SLOT_RELATION, /* likewise; of c arguments from b on */
    SLOT_PARAMETER,
    SLOT_NEG,
    SLOT_ADD,
    SLOT_SUB,
    SLOT_MUL,
    SLOT_DIV,
    SLOT_COS, /* a: an angle */
    SLOT_SIN,
    SLOT_CHOICE, /* if a then b else c                        */
    SLOT_AND,
    SLOT_OR,
    SLOT_NOT,
    SLOT_FUNCTION, /* opaque: function a, of c arguments from b on */
};

enum AngleKind { ANGLE_LEAF, ANGLE_ADD, ANGLE_SUB, ANGLE_NEG, ANGLE_TIMES };

typedef struct Builder {
    Regressor *r;
    const Aliases *aliases;
    Arena *scratch;
    Map slot_of;            /* node of the pool -> slot           */
    Map angle_of;           /* slot -> angle                      */
    uint32_t *of_var;       /* per variable: slot of its value, or NONE */
    uint32_t *parameter_of; /* per variable: slot, if it is asked for */
} Builder;

static uint32_t add_slot(Builder *b, uint8_t kind, uint32_t x, uint32_t y, uint32_t z)
{
    vec_push(b->r->mem, b->r->slot, ((RegressorSlot){kind, x, y, z}));
    return b->r->slot.n - 1;
}

static uint32_t add_drawn(Builder *b, bool is_truth)
{
    uint32_t k = add_slot(b, is_truth ? SLOT_TRUTH : SLOT_DRAWN, 0, 0, 0);
    vec_push(b->r->mem, b->r->drawn, k);
    return k;
}

static uint32_t angle_of(Builder *b, uint32_t slot, int depth)
{
    Regressor *r = b->r;
    uint32_t known = map_get(&b->angle_of, slot);
    if (known != MAP_NONE)
        return known;
    RegressorSlot s = r->slot.at[slot];
    RegressorAngle a = {.kind = ANGLE_LEAF, .a = slot, .circle = fp_angle_zero()};
    if (depth < ANGLE_DEPTH && (s.kind == SLOT_ADD || s.kind == SLOT_SUB)) {
        a.a = angle_of(b, s.a, depth + 1);
        a.b = angle_of(b, s.b, depth + 1);
        a.kind = s.kind == SLOT_ADD ? ANGLE_ADD : ANGLE_SUB;
    } else if (depth < ANGLE_DEPTH && s.kind == SLOT_NEG) {
        a.a = angle_of(b, s.a, depth + 1);
        a.kind = ANGLE_NEG;
    } else if (depth < ANGLE_DEPTH && s.kind == SLOT_MUL) {
        bool first = r->slot.at[s.a].kind == SLOT_NUMBER;
        const RegressorSlot *number = &r->slot.at[first ? s.a : s.b];
        long times = number->kind == SLOT_NUMBER ? (long)(int32_t)number->b : 0;
        if (times) {
            a.kind = ANGLE_TIMES;
            a.times = times;
            a.a = angle_of(b, first ? s.b : s.a, depth + 1);
        }
    }
    vec_push(r->mem, r->angle, a);
    map_put(&b->angle_of, slot, r->angle.n - 1);
    return r->angle.n - 1;
}

static uint32_t build(Builder *b, ExprId x);

static uint32_t build_variable(Builder *b, VarId v)
{
    const Var *var = &b->r->s->var.at[v.i];
    if (b->of_var[v.i] != NONE)
        return b->of_var[v.i];
    if (b->parameter_of[v.i] != NONE)
        return b->parameter_of[v.i];
    if (b->aliases->value && v.i < b->aliases->n && expr_exists(b->aliases->value[v.i]))
        return b->of_var[v.i] = build(b, b->aliases->value[v.i]);
    bool is_bound = var->kind == VAR_PARAMETER || var->kind == VAR_CONSTANT;
    uint32_t k = is_bound && expr_exists(var->binding) ? build(b, var->binding)
                                                       : add_drawn(b, var->type == TYPE_BOOLEAN);
    return b->of_var[v.i] = k;
}

static uint32_t build_number(Builder *b, ExprId x)
{
    Regressor *r = b->r;
    long whole = 0;
    bool small = expr_is_int(r->s->pool, x, &whole) && whole > -64 && whole < 64;
    uint32_t k = add_slot(b, SLOT_NUMBER, 0, small ? (uint32_t)(int32_t)whole : 0, 0);
    return k;
}

static uint32_t build_function(Builder *b, ExprId x, uint8_t kind, uint32_t which)
{
    Regressor *r = b->r;
    uint32_t n = expr_n_args(r->s->pool, x);
    uint32_t *arg = arena_array(b->scratch, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        arg[k] = build(b, expr_arg(r->s->pool, x, k));
    uint32_t first = r->arg.n;
    for (uint32_t k = 0; k < n; k++)
        vec_push(r->mem, r->arg, arg[k]);
    return add_slot(b, kind, which, first, n);
}

/* True or false at random at each point, whatever parameters are: a point lies in one branch. */
static uint32_t build_relation(Builder *b, ExprId x)
{
    uint32_t k = build_function(b, x, SLOT_RELATION, 0);
    vec_push(b->r->mem, b->r->drawn, k);
    return k;
}

static uint32_t build_new(Builder *b, ExprId x)
{
    const ExprPool *p = b->r->s->pool;
    Op op = expr_op(p, x);
    static const uint8_t kind[OP_COUNT] = {
        [OP_NEG] = SLOT_NEG,       [OP_ADD] = SLOT_ADD, [OP_SUB] = SLOT_SUB,
        [OP_MUL] = SLOT_MUL,       [OP_DIV] = SLOT_DIV, [OP_AND] = SLOT_AND,
        [OP_SELECT] = SLOT_CHOICE, [OP_OR] = SLOT_OR,   [OP_NOT] = SLOT_NOT};
    switch (op) {
    case OP_NUM:
        return build_number(b, x);
    case OP_VAR:
        return build_variable(b, expr_var_of(p, x));
    case OP_STRING:
    case OP_TIME:
    case OP_LOCAL:
    case OP_DER:
    case OP_PRE:
    case OP_INITIAL:
        return add_drawn(b, op == OP_INITIAL);
    case OP_NOEVENT:
    case OP_SMOOTH:
        return build(b, expr_arg(p, x, 0));
    case OP_FN:
        if (expr_fn_of(p, x) == FN_COS || expr_fn_of(p, x) == FN_SIN) {
            uint32_t angle = angle_of(b, build(b, expr_arg(p, x, 0)), 0);
            return add_slot(b, expr_fn_of(p, x) == FN_COS ? SLOT_COS : SLOT_SIN, angle, 0, 0);
        }
        return build_function(b, x, SLOT_FUNCTION, 0x100 + (uint32_t)expr_fn_of(p, x));
    case OP_FN2:
        return build_function(b, x, SLOT_FUNCTION, 0x200 + (uint32_t)expr_fn2_of(p, x));
    case OP_POW:
        return build_function(b, x, SLOT_FUNCTION, 0x300);
    case OP_CALL:
        return build_function(b, x, SLOT_FUNCTION, 0x10000 + expr_func_of(p, x).i);
    case OP_PROJ:
        return build_function(b, x, SLOT_FUNCTION, 0x400 + expr_proj_of(p, x));
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
        return build_relation(b, x);
    default: {
        uint32_t at[3] = {0}, n = expr_n_args(p, x);
        for (uint32_t k = 0; k < n; k++)
            at[k] = build(b, expr_arg(p, x, k));
        return add_slot(b, kind[op], at[0], at[1], at[2]);
    }
    }
}

static uint32_t build(Builder *b, ExprId x)
{
    uint32_t known = map_get(&b->slot_of, x.i);
    if (known != MAP_NONE)
        return known;
    uint32_t k = build_new(b, x);
    map_put(&b->slot_of, x.i, k);
    return k;
}

/* ---- which slots rows need, and which parameters are polynomial in them ---- */

/* Slots that slot k is made of, in `at`. */
static inline uint32_t operands(const Regressor *r, uint32_t k, const uint32_t **at,
                                uint32_t own[3])
{
    const RegressorSlot *s = &r->slot.at[k];
    *at = own;
    own[0] = s->a;
    own[1] = s->b;
    own[2] = s->c;
    switch (s->kind) {
    case SLOT_NEG:
    case SLOT_NOT:
        return 1;
    case SLOT_ADD:
    case SLOT_SUB:
    case SLOT_MUL:
    case SLOT_DIV:
    case SLOT_AND:
    case SLOT_OR:
        return 2;
    case SLOT_CHOICE:
        return 3;
    case SLOT_FUNCTION:
        *at = r->arg.at + s->b;
        return s->c;
    default:
        return 0;
    }
}

typedef struct Marks {
    bool *live, *live_angle;
    bool *closed; /* under something that is no polynomial */
    bool *hidden; /* under a function                      */
} Marks;

static void mark_angle(const Regressor *r, Marks *m, uint32_t angle)
{
    if (m->live_angle[angle])
        return;
    m->live_angle[angle] = true;
    const RegressorAngle *a = &r->angle.at[angle];
    if (a->kind == ANGLE_LEAF) {
        m->live[a->a] = m->closed[a->a] = m->hidden[a->a] = true;
        return;
    }
    mark_angle(r, m, a->a);
    if (a->kind == ANGLE_ADD || a->kind == ANGLE_SUB)
        mark_angle(r, m, a->b);
}

static Marks mark(const Regressor *r, uint32_t n, const uint32_t *root, Arena *scratch)
{
    Marks m = {.live = arena_array(scratch, bool, r->slot.n + 1),
               .live_angle = arena_array(scratch, bool, r->angle.n + 1),
               .hidden = arena_array(scratch, bool, r->slot.n + 1),
               .closed = arena_array(scratch, bool, r->slot.n + 1)};
    for (uint32_t k = 0; k < n; k++)
        m.live[root[k]] = true;
    for (uint32_t k = r->slot.n; k-- > 0;) {
        const RegressorSlot *s = &r->slot.at[k];
        if (!m.live[k])
            continue;
        if (s->kind == SLOT_COS || s->kind == SLOT_SIN)
            mark_angle(r, &m, s->a);
        const uint32_t *at;
        uint32_t own[3], n_at = operands(r, k, &at, own);
        bool function = s->kind == SLOT_FUNCTION || s->kind == SLOT_AND || s->kind == SLOT_OR ||
                        s->kind == SLOT_NOT;
        for (uint32_t i = 0; i < n_at; i++) {
            m.live[at[i]] = true;
            m.hidden[at[i]] = m.hidden[at[i]] || m.hidden[k] || function;
            if (m.closed[k] || function || (s->kind == SLOT_DIV && i == 1) ||
                (s->kind == SLOT_CHOICE && i == 0))
                m.closed[at[i]] = true;
        }
    }
    return m;
}

/* ---- evaluating ---- */

static Fp truth(bool is)
{
    return (Fp){{is, is}};
}

/* Of 256 conditions so many are true, varying with the point, so that branches behind many false or
 * many true conditions are visited. */
static uint64_t truths_at(uint64_t seed)
{
    static const uint8_t share[] = {128, 64, 192, 32, 224};
    return share[fp_random(seed, 0x7368617265).r[0] % sizeof share];
}

static void set_slot(Regressor *r, uint32_t slot, Fp value)
{
    r->changed[slot] = r->changed[slot] || !fp_same(r->value[slot], value);
    r->value[slot] = value;
}

static void draw(Regressor *r, uint64_t seed)
{
    uint64_t truths = truths_at(seed);
    for (uint32_t k = 0; k < r->drawn.n; k++) {
        uint32_t slot = r->drawn.at[k];
        Fp x = fp_random(seed, slot);
        bool is_truth = r->slot.at[slot].kind != SLOT_DRAWN;
        set_slot(r, slot, is_truth ? truth((x.r[0] & 255) < truths) : x);
    }
}

void regressor_set(Regressor *r, uint32_t parameter, Fp value)
{
    set_slot(r, r->parameter[parameter].slot, value);
}

FpAngle regressor_circle(Fp value)
{
    return fp_is_zero(value) ? fp_angle_zero() : fp_angle_random(value.r[0] ^ value.r[1] << 3);
}

static FpAngle circle_of(Regressor *r, uint32_t angle)
{
    RegressorAngle *a = &r->angle.at[angle];
    if (a->kind == ANGLE_LEAF) {
        Fp value = r->value[a->a];
        if (!fp_same(value, a->at)) {
            a->at = value;
            a->circle = regressor_circle(value);
        }
        return a->circle;
    }
    FpAngle x = circle_of(r, a->a);
    if (a->kind == ANGLE_NEG)
        return fp_angle_neg(x);
    if (a->kind == ANGLE_TIMES) {
        FpAngle sum = fp_angle_zero();
        for (long k = 0; k < (a->times < 0 ? -a->times : a->times); k++)
            sum = fp_angle_add(sum, x);
        return a->times < 0 ? fp_angle_neg(sum) : sum;
    }
    FpAngle y = circle_of(r, a->b);
    return fp_angle_add(x, a->kind == ANGLE_ADD ? y : fp_angle_neg(y));
}

static Fp function_of(const Regressor *r, const RegressorSlot *s)
{
    Fp key = fp_random(0x66756e63, s->a);
    for (uint32_t k = 0; k < s->c; k++) {
        Fp x = r->value[r->arg.at[s->b + k]];
        key = fp_random(key.r[0] ^ x.r[0], key.r[1] ^ x.r[1]);
    }
    return key;
}

/* 1 / divisor of the division k, 0 for a divisor of 0; kept, since most divisors are the same at
 * the next point. */
static Fp reciprocal(Regressor *r, uint32_t k)
{
    Fp of = r->value[r->slot.at[k].b];
    if (!fp_same(of, r->divisor[k])) {
        r->divisor[k] = of;
        fp_inverse(of, &r->reciprocal[k]);
    }
    return r->reciprocal[k];
}

static Fp evaluated(Regressor *r, uint32_t k)
{
    const Fp *v = r->value;
    const RegressorSlot *s = &r->slot.at[k];
    switch (s->kind) {
    case SLOT_NEG:
        return fp_neg(v[s->a]);
    case SLOT_ADD:
        return fp_add(v[s->a], v[s->b]);
    case SLOT_SUB:
        return fp_sub(v[s->a], v[s->b]);
    case SLOT_MUL:
        return fp_mul(v[s->a], v[s->b]);
    case SLOT_DIV:
        return fp_mul(v[s->a], reciprocal(r, k)); // where that is 0, is_open
    case SLOT_COS:
        return circle_of(r, s->a).cos;
    case SLOT_SIN:
        return circle_of(r, s->a).sin;
    case SLOT_CHOICE:
        return fp_is_zero(v[s->a]) ? v[s->c] : v[s->b];
    case SLOT_AND:
        return truth(!fp_is_zero(v[s->a]) && !fp_is_zero(v[s->b]));
    case SLOT_OR:
        return truth(!fp_is_zero(v[s->a]) || !fp_is_zero(v[s->b]));
    case SLOT_NOT:
        return truth(fp_is_zero(v[s->a]));
    default:
        return function_of(r, s);
    }
}

/* Whether the value depends on a division by zero; a branch that is not taken does not matter. */
static bool is_open(const Regressor *r, uint32_t slot)
{
    const RegressorSlot *s = &r->slot.at[slot];
    if (s->kind == SLOT_CHOICE)
        return r->is_open[s->a] || r->is_open[fp_is_zero(r->value[s->a]) ? s->c : s->b];
    if (s->kind == SLOT_DIV && (r->value[s->b].r[0] == 0 || r->value[s->b].r[1] == 0))
        return true;
    const uint32_t *at;
    uint32_t own[3], n = operands(r, slot, &at, own);
    for (uint32_t k = 0; k < n; k++)
        if (r->is_open[at[k]])
            return true;
    return false;
}

/* Whether an operand is another one than at the last evaluation. */
static bool is_touched(const Regressor *r, uint32_t slot)
{
    uint8_t kind = r->slot.at[slot].kind;
    const uint32_t *at;
    uint32_t own[3], n = operands(r, slot, &at, own);
    for (uint32_t k = 0; k < n; k++)
        if (r->changed[at[k]])
            return true;
    return kind == SLOT_COS || kind == SLOT_SIN;
}

/* Evaluates the slots whose operands changed: parameters are set one after the other, and each is
 * in few of them. */
static void evaluate(Regressor *r)
{
    for (uint32_t i = 0; i < r->n_live; i++) {
        uint32_t k = r->live[i];
        if (r->slot.at[k].kind <= SLOT_PARAMETER || (r->is_evaluated && !is_touched(r, k)))
            continue;
        bool open = is_open(r, k);
        Fp value = evaluated(r, k);
        r->changed[k] = open != r->is_open[k] || !fp_same(value, r->value[k]);
        r->is_open[k] = open;
        r->value[k] = value;
    }
    memset(r->changed, 0, r->slot.n * sizeof *r->changed);
    r->is_evaluated = true;
    r->is_poor = false;
    for (uint32_t k = 0; k < r->n_rows; k++)
        r->is_poor = r->is_poor || r->is_open[r->row.at[k]];
}

static void add_to(Fp *sum, Fp x)
{
    *sum = fp_add(*sum, x);
}

/* The slopes of a sum of rows, given by the weights in `slope`, at the point last evaluated. */
static void descend(Regressor *r)
{
    const Fp *v = r->value;
    Fp *d = r->slope;
    for (uint32_t i = r->n_sloped; i-- > 0;) {
        uint32_t k = r->sloped[i];
        const RegressorSlot *s = &r->slot.at[k];
        Fp x = d[k];
        if (fp_is_zero(x))
            continue;
        switch (s->kind) {
        case SLOT_NEG:
            add_to(&d[s->a], fp_neg(x));
            break;
        case SLOT_ADD:
        case SLOT_SUB:
            add_to(&d[s->a], x);
            add_to(&d[s->b], s->kind == SLOT_ADD ? x : fp_neg(x));
            break;
        case SLOT_MUL:
            add_to(&d[s->a], fp_mul(x, v[s->b]));
            add_to(&d[s->b], fp_mul(x, v[s->a]));
            break;
        case SLOT_DIV:
            if (v[s->b].r[0] && v[s->b].r[1])
                add_to(&d[s->a], fp_mul(x, reciprocal(r, k)));
            break;
        case SLOT_CHOICE:
            add_to(&d[fp_is_zero(v[s->a]) ? s->c : s->b], x);
            break;
        default: /* an argument of a function is not polynomial */
            break;
        }
    }
}

static void weigh_nothing(Regressor *r)
{
    for (uint32_t i = 0; i < r->n_live; i++)
        r->slope[r->live[i]] = (Fp){0};
}

/* By each torn input, of one row. */
static void row_slopes(Regressor *r, uint32_t row, Fp *out)
{
    weigh_nothing(r);
    r->slope[r->row.at[row]] = (Fp){{1, 1}};
    descend(r);
    for (uint32_t k = 0; k < r->n_torn; k++)
        out[k] = r->slope[r->torn[k]];
}

/* ---- inputs that follow from rows together ---- */

/* The inverse of m, which is n by 2 n, its right half being free; false if there is none. */
static bool invert(Fp *m, uint32_t n, Fp *out)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            m[(size_t)i * 2 * n + n + k] = (Fp){{i == k, i == k}};
    for (uint32_t c = 0; c < n; c++) {
        uint32_t row = c;
        Fp inverse;
        while (row < n && !fp_inverse(m[(size_t)row * 2 * n + c], &inverse))
            row++;
        if (row == n)
            return false;
        for (uint32_t k = 0; k < 2 * n; k++) {
            Fp x = m[(size_t)row * 2 * n + k];
            m[(size_t)row * 2 * n + k] = m[(size_t)c * 2 * n + k];
            m[(size_t)c * 2 * n + k] = fp_mul(x, inverse);
        }
        for (uint32_t i = 0; i < n; i++) {
            Fp x = m[(size_t)i * 2 * n + c];
            for (uint32_t k = 0; k < 2 * n && i != c && !fp_is_zero(x); k++) {
                Fp *to = &m[(size_t)i * 2 * n + k];
                *to = fp_sub(*to, fp_mul(x, m[(size_t)c * 2 * n + k]));
            }
        }
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            out[(size_t)i * n + k] = m[(size_t)i * 2 * n + n + k];
    return true;
}

/* At a new point: the slopes of the solved rows, inverted. */
static void prepare_solving(Regressor *r)
{
    uint32_t n = r->n_solved;
    if (!n)
        return;
    Arena *tmp = arena_new();
    Fp *m = arena_array(tmp, Fp, 2 * (size_t)n * n), *slope = arena_array(tmp, Fp, r->n_torn);
    evaluate(r);
    for (uint32_t i = 0; i < n; i++) {
        row_slopes(r, r->solved_row[i], slope);
        for (uint32_t k = 0; k < n; k++)
            m[(size_t)i * 2 * n + k] = slope[r->solved_torn[k]];
    }
    if (!invert(m, n, r->inverse))
        memset(r->inverse, 0, (size_t)n * n * sizeof *r->inverse); // rows stay: a poor point
    arena_free(tmp);
}

/* Everything at the point, solved inputs too. */
static void evaluate_solved(Regressor *r)
{
    evaluate(r);
    uint32_t n = r->n_solved;
    if (!n)
        return;
    for (uint32_t k = 0; k < n; k++) {
        Fp step = {0};
        for (uint32_t i = 0; i < n; i++)
            add_to(&step,
                   fp_mul(r->inverse[(size_t)k * n + i], r->value[r->row.at[r->solved_row[i]]]));
        uint32_t x = r->torn[r->solved_torn[k]];
        set_slot(r, x, fp_sub(r->value[x], step));
    }
    bool poor = r->is_poor;
    evaluate(r);
    r->is_poor = r->is_poor || poor;
    for (uint32_t i = 0; i < n; i++)
        r->is_poor = r->is_poor || !fp_is_zero(r->value[r->row.at[r->solved_row[i]]]);
}

static void set_parameters(Regressor *r, uint64_t seed)
{
    for (uint32_t k = 0; k < r->n_parameters; k++)
        regressor_set(r, k, fp_random(seed, k));
}

/* Rows that are linear in torn inputs, by slopes that are the same whatever parameters are, and
 * inputs that follow from them: by elimination at one point. */
static void find_solved(Regressor *r, Arena *scratch)
{
    uint32_t n = r->n_torn;
    r->is_solved = arena_array(r->mem, bool, r->n_rows + 1);
    if (!n)
        return;
    r->solved_row = arena_array(r->mem, uint32_t, n);
    r->solved_torn = arena_array(r->mem, uint32_t, n);
    Fp *first = arena_array(scratch, Fp, (size_t)n * r->n_rows + 1);
    Fp *other = arena_array(scratch, Fp, n);
    bool *usable = arena_array(scratch, bool, r->n_rows + 1);
    Fp *before = arena_array(scratch, Fp, r->n_rows + 1), *step = arena_array(scratch, Fp, n);
    draw(r, 11);
    set_parameters(r, 12);
    evaluate(r);
    for (uint32_t row = 0; row < r->n_rows; row++) {
        before[row] = r->value[r->row.at[row]];
        usable[row] = !r->is_open[r->row.at[row]];
        row_slopes(r, row, first + (size_t)row * n);
    }
    for (uint32_t k = 0; k < n; k++) {
        Fp other_x = fp_random(14, k);
        step[k] = fp_sub(other_x, r->value[r->torn[k]]);
        set_slot(r, r->torn[k], other_x);
    }
    evaluate(r);
    for (uint32_t row = 0; row < r->n_rows; row++) {
        // linear: the slopes give the change of the row
        Fp sum = before[row];
        for (uint32_t k = 0; k < n; k++)
            add_to(&sum, fp_mul(first[(size_t)row * n + k], step[k]));
        usable[row] = usable[row] && fp_same(sum, r->value[r->row.at[row]]);
    }
    set_parameters(r, 13);
    evaluate(r);
    for (uint32_t row = 0; row < r->n_rows; row++) {
        row_slopes(r, row, other);
        for (uint32_t k = 0; k < n; k++)
            usable[row] = usable[row] && fp_same(first[(size_t)row * n + k], other[k]);
    }
    // nor by a condition: where it is false, the row is another equation
    for (uint64_t point = 0; point < CONDITION_POINTS && r->has_choices; point++) {
        draw(r, 15 + point);
        evaluate(r);
        for (uint32_t row = 0; row < r->n_rows; row++) {
            row_slopes(r, row, other);
            for (uint32_t k = 0; k < n && !r->is_open[r->row.at[row]]; k++)
                usable[row] =
                    usable[row] && fp_is_zero(first[(size_t)row * n + k]) == fp_is_zero(other[k]);
        }
    }
    // a row at a time, minus the solved rows
    for (uint32_t row = 0; row < r->n_rows; row++) {
        Fp *at = first + (size_t)row * n, inverse;
        uint32_t pivot = 0;
        while (usable[row] && pivot < n && !fp_inverse(at[pivot], &inverse))
            pivot++;
        if (!usable[row] || pivot == n)
            continue;
        r->solved_row[r->n_solved] = row;
        r->solved_torn[r->n_solved++] = pivot;
        r->is_solved[row] = true;
        for (uint32_t i = row + 1; i < r->n_rows; i++) {
            Fp *to = first + (size_t)i * n, times = fp_mul(to[pivot], inverse);
            for (uint32_t k = 0; k < n && !fp_is_zero(times); k++)
                to[k] = fp_sub(to[k], fp_mul(times, at[k]));
        }
    }
    r->inverse = arena_array(r->mem, Fp, (size_t)r->n_solved * r->n_solved + 1);
}

/* ---- making ---- */

/* Whether its value can be set from outside; parameters bound to others follow these. */
static bool is_free(const System *s, const Var *v)
{
    return v->kind == VAR_PARAMETER && v->type == TYPE_REAL && !v->is_final && !v->is_hidden &&
           !v->is_initial &&
           (!expr_exists(v->binding) || expr_op(s->pool, v->binding) == OP_NUM ||
            expr_variability(s->pool, v->binding) == VARIES_NEVER);
}

/* A memory: the slots of its variable, its expression and its condition. */
typedef struct Remembered {
    uint32_t var, n, of[3];
} Remembered;

/* Slots that rows depend on through conditions and memory, and all that restart states. */
static Marks mark_remembered(Builder *b, Arena *scratch)
{
    Regressor *r = b->r;
    System *s = r->s;
    Remembered *all = arena_array(scratch, Remembered, s->memory.n + 1);
    VEC(uint32_t) root = {0};
    for (uint32_t k = 0; k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        const ExprId of[] = {m->of, m->start, m->interval};
        all[k].var = build_variable(b, m->var);
        for (int i = 0; i < 3; i++)
            if (expr_exists(of[i]))
                all[k].of[all[k].n++] = build(b, of[i]);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        vec_push(scratch, root, build(b, s->action.at[k].fires));
        if (expr_exists(s->action.at[k].value))
            vec_push(scratch, root, build(b, s->action.at[k].value));
    }
    // memory may depend on memory, and conditions on conditions
    bool *is_looked_at = arena_array(scratch, bool, r->slot.n + 1);
    bool *is_in = arena_array(scratch, bool, s->memory.n + 1);
    Marks rows = mark(r, r->row.n, r->row.at, scratch);
    for (;;) {
        Marks m = mark(r, root.n, root.at, scratch);
        uint32_t before = root.n;
        for (uint32_t k = 0; k < s->memory.n; k++) {
            if (is_in[k] || !(rows.live[all[k].var] || m.live[all[k].var]))
                continue;
            is_in[k] = true;
            for (uint32_t i = 0; i < all[k].n; i++)
                vec_push(scratch, root, all[k].of[i]);
        }
        for (uint32_t k = 0; k < r->slot.n; k++) {
            const RegressorSlot *x = &r->slot.at[k];
            if (x->kind != SLOT_RELATION || is_looked_at[k] || !(rows.live[k] || m.live[k]))
                continue;
            is_looked_at[k] = true;
            for (uint32_t i = 0; i < x->c; i++)
                vec_push(scratch, root, r->arg.at[x->b + i]);
        }
        if (root.n == before)
            return m;
    }
}

static void keep_used(Regressor *r, const Marks *m, uint32_t n, const RegressorParameter *all)
{
    r->parameter = arena_array(r->mem, RegressorParameter, n + 1);
    r->idle = arena_array(r->mem, VarId, n + 1);
    r->only_at_events = arena_array(r->mem, VarId, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        RegressorParameter p = all[k];
        p.is_polynomial = !m->closed[p.slot];
        p.is_rational = !m->hidden[p.slot];
        for (uint32_t i = 0; i < r->angle.n; i++)
            if (m->live_angle[i] && r->angle.at[i].kind == ANGLE_LEAF && r->angle.at[i].a == p.slot)
                p.is_angle = true;
        if (m->live[p.slot])
            r->parameter[r->n_parameters++] = p;
        else if (p.at_events)
            r->only_at_events[r->n_at_events++] = p.var;
        else
            r->idle[r->n_idle++] = p.var;
    }
}

/* Live slots over polynomial parameters or torn inputs. */
static void find_sloped(Regressor *r, Arena *scratch)
{
    bool *is_over = arena_array(scratch, bool, r->slot.n + 1);
    r->sloped = arena_array(r->mem, uint32_t, r->n_live + 1);
    for (uint32_t k = 0; k < r->n_parameters; k++)
        is_over[r->parameter[k].slot] = r->parameter[k].is_polynomial;
    for (uint32_t k = 0; k < r->n_torn; k++)
        is_over[r->torn[k]] = true;
    for (uint32_t i = 0; i < r->n_live; i++) {
        uint32_t k = r->live[i], own[3];
        const uint32_t *at;
        uint32_t n = operands(r, k, &at, own);
        for (uint32_t j = 0; j < n; j++)
            is_over[k] = is_over[k] || is_over[at[j]];
        if (is_over[k])
            r->sloped[r->n_sloped++] = k;
    }
}

Regressor regressor_make(const Dae *d, Arena *mem, Arena *scratch)
{
    System *s = d->sys;
    Regressor r = {.s = s, .mem = mem};
    Sequence q = sequence_find(d, scratch);
    Builder b = {.r = &r,
                 .aliases = &d->aliases,
                 .scratch = scratch,
                 .slot_of = map_new(scratch),
                 .angle_of = map_new(scratch),
                 .of_var = arena_array(scratch, uint32_t, s->var.n + 1),
                 .parameter_of = arena_array(scratch, uint32_t, s->var.n + 1)};
    RegressorParameter *all = arena_array(scratch, RegressorParameter, s->var.n + 1);
    uint32_t n_all = 0;
    for (uint32_t v = 0; v < s->var.n; v++) {
        const Var *var = &s->var.at[v];
        b.of_var[v] = b.parameter_of[v] = NONE;
        if (!is_free(s, var))
            continue;
        b.parameter_of[v] = add_slot(&b, SLOT_PARAMETER, 0, 0, 0);
        RegressorParameter *p = &all[n_all++];
        *p = (RegressorParameter){.var = {v}, .slot = b.parameter_of[v]};
        p->is_given = expr_exists(var->binding) && expr_op(s->pool, var->binding) == OP_NUM &&
                      fp_rational(expr_rational(s->pool, var->binding), &p->given);
    }
    r.torn = arena_array(mem, uint32_t, q.input.n + 1);
    for (uint32_t k = 0; k < q.input.n; k++) {
        VarId v = q.input.at[k], of = s->var.at[v.i].der_of;
        uint32_t slot = b.of_var[v.i] = add_drawn(&b, false);
        if (is_given(&q, v))
            continue;
        if (!var_exists(of) || !d->is_state[of.i])
            r.torn[r.n_torn++] = slot;
        else
            vec_push(mem, r.rate, slot);
    }
    r.n_inputs = q.input.n;
    for (uint32_t k = 0; k < q.value.n; k++)
        b.of_var[q.value.at[k].var.i] = build(&b, q.value.at[k].value);
    r.eq = arena_array(mem, EqId, q.t->g.n_rows + 1);
    for (uint32_t e = 0; e < q.t->g.n_rows; e++) {
        const Eq *eq = &s->eq.at[e];
        if (q.is_done[e] || expr_op(s->pool, eq->lhs) == OP_STRING)
            continue;
        uint32_t slot = build(&b, expr_sub(s->pool, eq->lhs, eq->rhs));
        vec_push(mem, r.row, slot);
        r.eq[r.n_rows++] = (EqId){e};
    }
    VEC(uint32_t) closing = {0};
    for (uint32_t k = 0; k < d->loops.n_constraints; k++)
        vec_push(scratch, closing, build(&b, d->loops.phi[k]));
    Marks events = mark_remembered(&b, scratch);
    r.value = arena_array(mem, Fp, r.slot.n + 1);
    r.slope = arena_array(mem, Fp, r.slot.n + 1);
    r.divisor = arena_array(mem, Fp, r.slot.n + 1);
    r.reciprocal = arena_array(mem, Fp, r.slot.n + 1);
    r.is_open = arena_array(mem, bool, r.slot.n + 1);
    r.changed = arena_array(mem, bool, r.slot.n + 1);
    /* numbers, by the nodes they came from */
    for (uint32_t x = 0; x < pool_size(s->pool); x++) {
        uint32_t k = map_get(&b.slot_of, x);
        if (k != MAP_NONE && expr_op(s->pool, (ExprId){x}) == OP_NUM &&
            !fp_rational(expr_rational(s->pool, (ExprId){x}), &r.value[k]))
            r.value[k] = fp_random(x, 0x6e756d); // a denominator that a prime divides
    }
    Marks m = mark(&r, r.row.n, r.row.at, scratch);
    Marks loop = mark(&r, closing.n, closing.at, scratch);
    for (uint32_t k = 0; k < n_all; k++)
        all[k].at_events = events.live[all[k].slot];
    // a vector as a whole: the others of its elements are levers of the forces there
    bool *closes = arena_array(scratch, bool, s->n_groups + 1);
    for (uint32_t k = 0; k < n_all; k++)
        if (loop.live[all[k].slot] && s->var.at[all[k].var.i].group != GROUP_NONE)
            closes[s->var.at[all[k].var.i].group] = true;
    for (uint32_t k = 0; k < n_all; k++) {
        uint32_t group = s->var.at[all[k].var.i].group;
        all[k].closes_loop = loop.live[all[k].slot] || (group != GROUP_NONE && closes[group]);
    }
    keep_used(&r, &m, n_all, all);
    r.live = arena_array(mem, uint32_t, r.slot.n + 1);
    for (uint32_t k = 0; k < r.slot.n; k++)
        if (m.live[k]) {
            r.live[r.n_live++] = k;
            r.has_choices = r.has_choices || r.slot.at[k].kind == SLOT_CHOICE ||
                            r.slot.at[k].kind == SLOT_TRUTH || r.slot.at[k].kind == SLOT_RELATION;
        }
    find_sloped(&r, scratch);
    find_solved(&r, scratch);
    return r;
}

/* ---- evaluation ---- */

void regressor_draw(Regressor *r, uint64_t seed)
{
    draw(r, seed);
    prepare_solving(r);
}

void regressor_move(Regressor *r, uint64_t seed)
{
    for (uint32_t k = 0; k < r->rate.n; k++)
        set_slot(r, r->rate.at[k], fp_random(seed, r->rate.at[k]));
    prepare_solving(r);
}

void regressor_rows(Regressor *r, Fp *out)
{
    evaluate_solved(r);
    for (uint32_t k = 0; k < r->n_rows; k++)
        out[k] = r->value[r->row.at[k]];
}

/* Solved rows get the weights with which the sum does not change with solved inputs. */
void regressor_slopes(Regressor *r, uint64_t seed, Fp *out)
{
    evaluate_solved(r);
    weigh_nothing(r);
    for (uint32_t k = 0; k < r->n_rows; k++)
        if (!r->is_solved[k])
            add_to(&r->slope[r->row.at[k]], fp_random(seed ^ 0x726f77, k));
    descend(r);
    uint32_t n = r->n_solved;
    if (n) {
        Arena *tmp = arena_new();
        Fp *weight = arena_array(tmp, Fp, n);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < n; k++)
                add_to(&weight[i], fp_neg(fp_mul(r->inverse[(size_t)k * n + i],
                                                 r->slope[r->torn[r->solved_torn[k]]])));
        weigh_nothing(r);
        for (uint32_t k = 0; k < r->n_rows; k++)
            if (!r->is_solved[k])
                add_to(&r->slope[r->row.at[k]], fp_random(seed ^ 0x726f77, k));
        for (uint32_t i = 0; i < n; i++)
            add_to(&r->slope[r->row.at[r->solved_row[i]]], weight[i]);
        descend(r);
        arena_free(tmp);
    }
    for (uint32_t k = 0; k < r->n_parameters; k++)
        out[k] = r->parameter[k].is_polynomial ? r->slope[r->parameter[k].slot] : (Fp){0};
}
