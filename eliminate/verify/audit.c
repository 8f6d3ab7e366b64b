#include "eliminate/verify/audit_parts.h"

#include "base/bug.h"
#include "eliminate/prepare/differentiate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sides of a relation that differ by as many tolerances may be equal. */
static const double SLACK = 10;

/* ---- making cells ---- */

static bool audit_is_relation(Op op)
{
    return op >= OP_LT && op <= OP_NE;
}

/* The cell of a node; all below it come before it. */
static uint32_t cell_of(Audit *a, ExprId root)
{
    const ExprPool *p = a->s->pool;
    VEC(ExprId) todo = {0};
    vec_push(a->mem, todo, root);
    while (todo.n) {
        ExprId x = todo.at[todo.n - 1];
        if (map_get(&a->cell_of, x.i) != MAP_NONE) {
            todo.n--;
            continue;
        }
        uint32_t n = expr_n_args(p, x);
        bool ready = true;
        for (uint32_t k = 0; k < n; k++) {
            ExprId y = expr_arg(p, x, k);
            if (map_get(&a->cell_of, y.i) == MAP_NONE) {
                vec_push(a->mem, todo, y);
                ready = false;
            }
        }
        if (!ready)
            continue;
        todo.n--;
        Cell c = {.x = x, .op = expr_op(p, x), .n = n, .arg = a->arg.n};
        for (uint32_t k = 0; k < n; k++)
            vec_push(a->mem, a->arg, map_get(&a->cell_of, expr_arg(p, x, k).i));
        if (c.op == OP_FN)
            c.fn = (uint8_t)expr_fn_of(p, x);
        if (c.op == OP_FN2)
            c.fn = (uint8_t)expr_fn2_of(p, x);
        if (c.op == OP_VAR)
            c.var = expr_var_of(p, x).i;
        if (c.op == OP_PROJ)
            c.var = expr_proj_of(p, x);
        if (c.op == OP_CALL) {
            c.var = a->n_results;
            a->n_results += a->s->function->at[expr_func_of(p, x).i].n_out;
        }
        map_put(&a->cell_of, x.i, a->cell.n);
        vec_push(a->mem, a->cell, c);
    }
    return map_get(&a->cell_of, root.i);
}

/* MLS 8.5: relations make events but in noEvent, smooth and functions. */
static void mark_events(Audit *a, uint32_t root, bool *seen)
{
    VEC(uint32_t) todo = {0};
    vec_push(a->mem, todo, root);
    while (todo.n) {
        uint32_t k = todo.at[--todo.n];
        Cell *c = &a->cell.at[k];
        if (seen[k] || c->op == OP_SMOOTH || c->op == OP_CALL)
            continue;
        if (c->op == OP_NOEVENT && !expr_noevent_of_function(a->s->pool, c->x))
            continue;
        seen[k] = true;
        c->makes_events = audit_is_relation(c->op);
        if (c->op == OP_NOEVENT) {
            // the operator below makes none here, its operands do
            c = &a->cell.at[a->arg.at[c->arg]];
        }
        for (uint32_t i = 0; i < c->n; i++)
            vec_push(a->mem, todo, a->arg.at[c->arg + i]);
    }
}

static void add_line(Audit *a, AuditKind kind, ExprId lhs, ExprId rhs, Span span,
                     const char *origin)
{
    if (!expr_exists(lhs) || !expr_exists(rhs))
        return;
    Line l = {.kind = kind, .lhs = lhs, .rhs = rhs, .span = span, .origin = origin};
    l.left = cell_of(a, lhs);
    l.right = cell_of(a, rhs);
    vec_push(a->mem, a->line, l);
}

/* Whether a reinit at initial() may have changed the variable since its start value was given. */
static bool *restarted(const System *s, Arena *mem)
{
    bool *is = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->action.n; k++) {
        const Action *c = &s->action.at[k];
        if (c->kind == ACTION_REINIT && var_exists(c->var))
            is[c->var.i] = true;
    }
    return is;
}

static void find_units(Audit *a)
{
    const System *s = a->s;
    Map known = map_new(a->mem);
    uint32_t n = 0;
    a->largest = arena_array(a->mem, double, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        a->unit[k] = UINT32_MAX;
        double nominal = 1;
        if (expr_exists(v->attr.nominal) && expr_constant(s->pool, v->attr.nominal, &nominal) &&
            nominal != 0)
            nominal = fabs(nominal);
        else
            nominal = 1;
        a->nominal[k] = nominal;
        bool moves = v->kind == VAR_CONTINUOUS || v->kind == VAR_DISCRETE || v->kind == VAR_INPUT;
        if (v->type != TYPE_REAL || !moves)
            continue;
        uint64_t key = v->attr.unit.s ? (uint64_t)(uintptr_t)v->attr.unit.s : 0;
        uint32_t at = map_get(&known, key);
        if (at == MAP_NONE) {
            at = n++;
            map_put(&known, key, at);
        }
        a->unit[k] = at;
        /* the error of Newton's method for a variable at zero is no defect */
        double least = SOLVED * nominal * fmin(WITHOUT_RATES / a->bound, 1 / SOLVED);
        a->largest[at] = fmax(a->largest[at], least);
    }
}

static void expand_all(System *s, Arena *scratch)
{
    Map memo = map_new(scratch);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        s->eq.at[k].lhs = expand_calls(s, &memo, s->eq.at[k].lhs);
        s->eq.at[k].rhs = expand_calls(s, &memo, s->eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        s->initial_eq.at[k].lhs = expand_calls(s, &memo, s->initial_eq.at[k].lhs);
        s->initial_eq.at[k].rhs = expand_calls(s, &memo, s->initial_eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < s->var.n; k++) {
        Var *v = &s->var.at[k];
        if (expr_exists(v->binding))
            v->binding = expand_calls(s, &memo, v->binding);
        if (expr_exists(v->attr.start))
            v->attr.start = expand_calls(s, &memo, v->attr.start);
    }
}

/* Whether pre(var) is in a cell, both cells. */
static bool holds_pre_of(Audit *a, uint32_t root, uint32_t var, const bool *has_pre)
{
    Arena *scratch = arena_new();
    Map seen = map_new(scratch);
    VEC(uint32_t) todo = {0};
    vec_push(scratch, todo, root);
    bool found = false;
    while (todo.n && !found) {
        uint32_t k = todo.at[--todo.n];
        const Cell *c = &a->cell.at[k];
        if (!has_pre[k] || map_get(&seen, k) != MAP_NONE)
            continue;
        map_put(&seen, k, 1);
        found = c->op == OP_PRE && a->arg.at[c->arg] == var;
        for (uint32_t i = 0; i < c->n; i++)
            vec_push(scratch, todo, a->arg.at[c->arg + i]);
    }
    arena_free(scratch);
    return found;
}

/* v = if condition then ... else pre(v): the form of a when-clause. */
static bool is_clause(const Audit *a, const Line *l)
{
    uint32_t k = l->right;
    while (a->cell.at[k].op == OP_SELECT)
        k = a->arg.at[a->cell.at[k].arg + 2];
    return k != l->right && a->cell.at[k].op == OP_PRE && a->arg.at[a->cell.at[k].arg] == l->left;
}

/* Whether a variable of the frontend is true at times that are known, and at them alone. */
static bool is_timed_memory(const System *s, const Var *v)
{
    MemoryKind kind = v->kind == VAR_MEMORY ? s->memory.at[v->index].kind : MEMORY_TERMINAL;
    return kind == MEMORY_SAMPLE || kind == MEMORY_CLOCK;
}

typedef struct CellUser {
    uint32_t cell, next; /* the user, and the next one of the same cell */
} CellUser;

static bool is_timed_cell(const Audit *a, const Cell *c)
{
    return c->op == OP_VAR && is_timed_memory(a->s, &a->s->var.at[c->var]);
}

static bool is_discrete_cell(const Audit *a, const Cell *c)
{
    return c->op == OP_PRE || (c->op == OP_VAR && a->s->var.at[c->var].kind == VAR_DISCRETE);
}

/* The variables that equations outside of clauses set to expressions with such cells in them:
 *     trigger = sample(0, 1); begins = trigger and enable;
 * per variable. */
static bool *find_followers(const Audit *a, bool (*is_origin)(const Audit *a, const Cell *c))
{
    Arena *scratch = arena_new();
    /* the cells that have the value of a cell in them: its users, and variables that an equation
     * sets to it */
    uint32_t *first_user = arena_array(scratch, uint32_t, a->cell.n + 1);
    VEC(CellUser) user = {0};
    VEC(uint32_t) todo = {0};
    bool *reached = arena_array(scratch, bool, a->cell.n + 1);
    bool *follows = arena_array(a->mem, bool, a->s->var.n + 1);
    memset(first_user, 0xff, (a->cell.n + 1) * sizeof *first_user);
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        for (uint32_t i = 0; i < c->n && c->op != OP_PRE; i++) {
            uint32_t of = a->arg.at[c->arg + i];
            vec_push(scratch, user, ((CellUser){k, first_user[of]}));
            first_user[of] = user.n - 1;
        }
        reached[k] = is_origin(a, c);
        if (reached[k])
            vec_push(scratch, todo, k);
    }
    for (uint32_t k = 0; k < a->line.n && todo.n; k++) {
        const Line *l = &a->line.at[k];
        const uint32_t side[] = {l->left, l->right};
        for (int i = 0; i < 2 && l->kind == AUDIT_EQUATION && !is_clause(a, l); i++) {
            if (a->cell.at[side[i]].op != OP_VAR)
                continue;
            vec_push(scratch, user, ((CellUser){side[i], first_user[side[1 - i]]}));
            first_user[side[1 - i]] = user.n - 1;
        }
    }
    while (todo.n) {
        uint32_t at = todo.at[--todo.n];
        for (uint32_t e = first_user[at]; e != UINT32_MAX; e = user.at[e].next) {
            uint32_t k = user.at[e].cell;
            if (reached[k])
                continue;
            reached[k] = true;
            vec_push(scratch, todo, k);
            if (a->cell.at[k].op == OP_VAR)
                follows[a->cell.at[k].var] = true;
        }
    }
    arena_free(scratch);
    return follows;
}

/* Values of clauses are evaluated at events; their relations make none. */
static void mark_events_of_right(Audit *a, const Line *l, bool *seen)
{
    uint32_t k = l->right;
    bool clause = is_clause(a, l);
    for (; clause && a->cell.at[k].op == OP_SELECT; k = a->arg.at[a->cell.at[k].arg + 2])
        mark_events(a, a->arg.at[a->cell.at[k].arg], seen);
    mark_events(a, k, seen);
}

Audit *audit_new(System *flat, double bound, double tolerance, const bool *is_set, Arena *mem)
{
    Audit *a = arena_make(mem, Audit);
    System *s = flat;
    *a = (Audit){.s = s, .mem = mem, .bound = bound, .cell_of = map_new(mem)};
    a->tolerance = tolerance;
    a->slack = SLACK * tolerance;
    Arena *scratch = arena_new();
    expand_all(s, scratch);
    arena_free(scratch);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const Eq *e = &s->eq.at[k];
        add_line(a, AUDIT_EQUATION, e->lhs, e->rhs, e->span, e->origin);
    }
    uint32_t n_model = a->cell.n, n_lines = a->line.n;
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        const Eq *e = &s->initial_eq.at[k];
        add_line(a, AUDIT_INITIAL, e->lhs, e->rhs, e->span, e->origin);
    }
    a->restarts = restarted(s, mem);
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        ExprId x = system_var_expr(s, (VarId){k});
        /* the start value of a discrete variable is that of pre() */
        if (v->kind == VAR_CONTINUOUS && v->attr.fixed == YES && v->type == TYPE_REAL &&
            !a->restarts[k] && !(is_set && is_set[k]))
            add_line(a, AUDIT_FIXED, x,
                     expr_exists(v->attr.start) ? v->attr.start : expr_int(s->pool, 0), v->span,
                     NULL);
        if (v->kind == VAR_PARAMETER && expr_exists(v->binding) && !(is_set && is_set[k]))
            add_line(a, AUDIT_BINDING, x, v->binding, v->span, NULL);
    }
    a->jump = arena_array(mem, Jump, s->action.n + 1);
    for (uint32_t k = 0; k < s->action.n; k++) {
        const Action *c = &s->action.at[k];
        if (expr_exists(c->fires))
            cell_of(a, c->fires);
        if (c->kind != ACTION_REINIT)
            continue;
        ExprId x = system_var_expr(s, c->var);
        a->jump[k] = (Jump){cell_of(a, c->fires), cell_of(a, x), cell_of(a, c->value), a->line.n};
        add_line(a, AUDIT_JUMP, x, c->value, c->span, NULL);
    }
    a->steps.cell_of_var = arena_array(mem, uint32_t, s->var.n + 1);
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        if (c->op != OP_VAR || !var_exists(s->var.at[c->var].der_of))
            continue;
        VarId of = s->var.at[c->var].der_of;
        uint32_t cell = cell_of(a, system_var_expr(s, of));
        a->steps.cell_of_var[of.i] = cell;
    }
    a->at = arena_array(mem, Reading, a->cell.n + 1);
    a->left = arena_array(mem, Reading, a->cell.n + 1);
    a->result = arena_array(mem, Reading, a->n_results + 1);
    a->truth = arena_array(mem, int8_t, a->cell.n + 1);
    memset(a->truth, -1, a->cell.n + 1);
    a->moves = arena_array(mem, double, a->cell.n + 1);
    a->apart = arena_array(mem, double, a->cell.n + 1);
    a->unit = arena_array(mem, uint32_t, s->var.n + 1);
    a->nominal = arena_array(mem, double, s->var.n + 1);
    find_units(a);
    /* rows have the values behind the event, which are those from before it */
    a->is_timed = find_followers(a, is_timed_cell);
    a->follows_discrete = find_followers(a, is_discrete_cell);
    bool *has_pre = arena_array(mem, bool, a->cell.n + 1);
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        has_pre[k] = c->op == OP_PRE;
        for (uint32_t i = 0; i < c->n; i++)
            has_pre[k] = has_pre[k] || has_pre[a->arg.at[c->arg + i]];
    }
    bool *is_discrete = arena_array(mem, bool, a->cell.n + 1);
    bool *has_rate = arena_array(mem, bool, a->cell.n + 1);
    a->has_rate = has_rate;
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        has_rate[k] = c->op == OP_DER || (c->op == OP_VAR && var_exists(s->var.at[c->var].der_of));
        for (uint32_t i = 0; i < c->n; i++)
            has_rate[k] = has_rate[k] || has_rate[a->arg.at[c->arg + i]];
    }
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        is_discrete[k] = is_discrete_cell(a, c) || (c->op == OP_VAR && a->follows_discrete[c->var]);
        for (uint32_t i = 0; i < c->n; i++)
            is_discrete[k] = is_discrete[k] || is_discrete[a->arg.at[c->arg + i]];
    }
    for (uint32_t k = 0; k < a->line.n; k++) {
        Line *l = &a->line.at[k];
        l->has_pre = has_pre[l->left] || has_pre[l->right];
        l->remembers = has_pre[l->right] && holds_pre_of(a, l->right, l->left, has_pre);
        l->may_jump = is_discrete[l->left] || is_discrete[l->right];
        l->has_rate = has_rate[l->left] || has_rate[l->right];
        l->bound = l->has_rate ? bound : bound / WITHOUT_RATES;
    }
    bool *seen = arena_array(mem, bool, n_model + 1);
    for (uint32_t k = 0; k < n_lines; k++) {
        mark_events(a, a->line.at[k].left, seen);
        mark_events_of_right(a, &a->line.at[k], seen);
    }
    audit_find_users(a);
    for (uint32_t k = 0; k < a->cell.n; k++)
        a->rate_makes_events =
            a->rate_makes_events || (audit_is_relation(a->cell.at[k].op) && has_rate[k]);
    a->memo_size = pool_size(s->pool) + 1;
    a->memo = arena_array(mem, double, a->memo_size);
    a->stamp = arena_array(mem, uint32_t, a->memo_size);
    return a;
}

/* ---- functions that stay calls: their statements carried out ---- */

/* A dynamic array (ir/body.h), by rows. */
typedef struct Elements {
    double *x;
    size_t n, room;
    uint32_t rank, size[MOST_RANK];
} Elements;

typedef struct Frame {
    Audit *a;
    double *local;
    bool failed;
    Arena *arrays;   /* NULL without dynamic arrays; these, per local: */
    Elements *array; /* (inputs are copies)                            */
} Frame;

typedef enum Flow { FLOW_ON, FLOW_BREAK, FLOW_RETURN } Flow;

enum { DEEPEST_CALL = 100, MOST_ROUNDS = 10000 };

static double frame_value(Frame *f, ExprId x);

/* Of an array the one element that is asked for, or a loop over a table would be quadratic. */
static double element_value(Frame *f, ExprId call, uint32_t n_in)
{
    const ExprPool *p = f->a->s->pool;
    double k = frame_value(f, expr_arg(p, call, 0));
    f->failed = f->failed || !(k >= 1 && k <= n_in - 1);
    return f->failed ? NAN : frame_value(f, expr_arg(p, call, (uint32_t)k));
}

/* All elements become 0. */
static void resize(Frame *f, Elements *e, uint32_t rank, const double *size)
{
    static const double MOST = 1e7;
    double total = 1;
    for (uint32_t d = 0; d < rank; d++) {
        f->failed = f->failed || !(size[d] >= 0 && size[d] <= MOST);
        total *= size[d];
        e->size[d] = f->failed ? 0 : (uint32_t)size[d];
    }
    f->failed = f->failed || !(total <= MOST);
    e->rank = rank;
    e->n = f->failed ? 0 : (size_t)total;
    if (e->n > e->room) {
        e->room = 2 * e->n;
        e->x = arena_array(f->arrays, double, e->room);
    }
    for (size_t k = 0; k < e->n; k++)
        e->x[k] = 0;
}

static void copy_elements(Frame *f, Elements *to, const Elements *from)
{
    double size[MOST_RANK];
    for (uint32_t d = 0; d < from->rank; d++)
        size[d] = from->size[d];
    resize(f, to, from->rank, size);
    for (size_t k = 0; k < to->n; k++)
        to->x[k] = from->x[k];
}

/* The address of an element by its subscripts; NULL, and the frame has failed, if it is outside. */
static double *element_at(Frame *f, const Elements *e, uint32_t n, const double *index)
{
    size_t place = 0;
    for (uint32_t d = 0; d < n && !f->failed; d++) {
        f->failed = e->rank != n || !(index[d] >= 1 && index[d] <= e->size[d]);
        place = f->failed ? 0 : place * e->size[d] + (size_t)index[d] - 1;
    }
    return f->failed ? NULL : &e->x[place];
}

/* An element or a size of a dynamic array. */
static double array_value(Frame *f, ExprId call, uint32_t n_in, bool is_element)
{
    const ExprPool *p = f->a->s->pool;
    const Elements *e = &f->array[expr_local_of(p, expr_arg(p, call, 0))];
    double index[MOST_RANK];
    for (uint32_t k = 1; k < n_in; k++)
        index[k - 1] = frame_value(f, expr_arg(p, call, k));
    if (!is_element)
        return e->rank ? e->size[(uint32_t)index[0] - 1] : 0;
    const double *at = element_at(f, e, n_in - 1, index);
    return at ? *at : NAN;
}

static double frame_value(Frame *f, ExprId x)
{
    Audit *a = f->a;
    const ExprPool *p = a->s->pool;
    if (f->failed)
        return NAN;
    if (a->stamp[x.i] == a->now || a->stamp[x.i] == FOREVER)
        return a->memo[x.i];
    double v = NAN, w[3] = {0, 0, 0};
    Op op = expr_op(p, x);
    uint32_t n = expr_n_args(p, x), now = a->now;
    switch (op) {
    case OP_LOCAL:
        v = f->local[expr_local_of(p, x)];
        break;
    case OP_NUM:
        v = expr_apply(p, x, 0, 0, 0);
        break;
    case OP_TIME:
        v = a->p->t;
        break;
    case OP_VAR:
        v = a->p->value[expr_var_of(p, x).i];
        break;
    case OP_SELECT:
        /* the other branch may not be defined */
        v = frame_value(f, expr_arg(p, x, 0)) != 0 ? frame_value(f, expr_arg(p, x, 1))
                                                   : frame_value(f, expr_arg(p, x, 2));
        break;
    case OP_AND:
        v = frame_value(f, expr_arg(p, x, 0)) != 0 && frame_value(f, expr_arg(p, x, 1)) != 0;
        break;
    case OP_OR:
        v = frame_value(f, expr_arg(p, x, 0)) != 0 || frame_value(f, expr_arg(p, x, 1)) != 0;
        break;
    case OP_PROJ:
    case OP_CALL: {
        ExprId call = op == OP_PROJ ? expr_arg(p, x, 0) : x;
        FuncId fn = expr_func_of(p, call);
        uint32_t n_in = expr_n_args(p, call), n_out = a->s->function->at[fn.i].n_out;
        if (a->s->function->at[fn.i].intrinsic == INTRINSIC_ELEMENT) {
            v = element_value(f, call, n_in);
            break;
        }
        Intrinsic what = a->s->function->at[fn.i].intrinsic;
        if (intrinsic_is_array(what)) {
            v = array_value(f, call, n_in, what == INTRINSIC_ARRAY_ELEMENT);
            break;
        }
        ArenaMark m = arena_mark(a->mem);
        double *in = arena_array(a->mem, double, n_in + 1);
        double *out = arena_array(a->mem, double, n_out + 1);
        for (uint32_t k = 0; k < n_in; k++)
            in[k] = frame_value(f, expr_arg(p, call, k));
        f->failed = f->failed || !audit_call(a, fn, n_in, in, out);
        v = out[op == OP_PROJ ? expr_proj_of(p, x) : 0];
        arena_rollback(a->mem, m);
        break;
    }
    case OP_STRING:
    case OP_DER:
        f->failed = true;
        break;
    default:
        for (uint32_t k = 0; k < n && k < 3; k++)
            w[k] = frame_value(f, expr_arg(p, x, k));
        v = expr_apply(p, x, w[0], w[1], w[2]);
    }
    a->stamp[x.i] = op == OP_NUM ? FOREVER : now;
    a->memo[x.i] = v;
    return v;
}

/* A value anew: locals may have changed. */
static double fresh_value(Frame *f, ExprId x)
{
    f->a->now = ++f->a->last;
    return frame_value(f, x);
}

static bool call_body(Audit *a, FuncId id, const double *in, double *out, const Frame *caller,
                      ExprId call, const uint32_t *to);

/* Carries out a statement that changes dynamic arrays. */
static void change_array(Frame *f, const Statement *st)
{
    double v[1 + MOST_RANK];
    f->a->now = ++f->a->last;
    for (uint32_t k = 0; k < statement_n_values(st); k++)
        v[k] = frame_value(f, st->value[k]);
    Elements *e = &f->array[st->to[0]];
    if (f->failed)
        return;
    if (st->kind == STATEMENT_RESIZE) {
        resize(f, e, st->n, v);
    } else if (st->kind == STATEMENT_PUT) {
        double *at = element_at(f, e, st->n - 1, v + 1);
        if (at)
            *at = v[0];
    } else {
        Elements from = f->array[st->to[1]];
        f->array[st->to[1]] = (Elements){.x = e->x, .room = e->room}; /* empty, with memory */
        *e = from;
    }
}

/* A call that takes or gives dynamic arrays. */
static void call_with_arrays(Frame *f, const Statement *st)
{
    Audit *a = f->a;
    const ExprPool *p = a->s->pool;
    ExprId call = st->value[0];
    FuncId id = expr_func_of(p, call);
    const Function *fn = &a->s->function->at[id.i];
    ArenaMark m = arena_mark(a->mem);
    double *in = arena_array(a->mem, double, fn->n_in + 1);
    double *out = arena_array(a->mem, double, fn->n_out + 1);
    a->now = ++a->last;
    for (uint32_t k = 0; k < fn->n_in; k++)
        in[k] = fn->in_rank && fn->in_rank[k] ? 0 : frame_value(f, expr_arg(p, call, k));
    f->failed = f->failed || !call_body(a, id, in, out, f, call, st->to);
    for (uint32_t k = 0; k < fn->n_out; k++)
        if (!fn->out_rank || !fn->out_rank[k])
            f->local[st->to[k]] = out[k];
    arena_rollback(a->mem, m);
}

static Flow carry_out(Frame *f, const StatementList *list)
{
    for (uint32_t k = 0; k < list->n && !f->failed; k++) {
        const Statement *st = list->at[k];
        Flow flow = FLOW_ON;
        switch (st->kind) {
        case STATEMENT_ASSIGN: {
            ArenaMark m = arena_mark(f->a->mem);
            double *v = arena_array(f->a->mem, double, st->n + 1);
            f->a->now = ++f->a->last;
            for (uint32_t i = 0; i < st->n; i++)
                v[i] = frame_value(f, st->value[i]);
            for (uint32_t i = 0; i < st->n; i++)
                f->local[st->to[i]] = v[i];
            arena_rollback(f->a->mem, m);
            break;
        }
        case STATEMENT_IF:
            flow = carry_out(f, fresh_value(f, st->cond) != 0 ? &st->body : &st->otherwise);
            break;
        case STATEMENT_LOOP:
            for (uint32_t round = 0; fresh_value(f, st->cond) != 0 && !f->failed; round++) {
                flow = carry_out(f, &st->body);
                f->failed = f->failed || round > MOST_ROUNDS;
                if (flow != FLOW_ON)
                    break;
            }
            flow = flow == FLOW_BREAK ? FLOW_ON : flow;
            break;
        case STATEMENT_BLOCK:
            flow = carry_out(f, &st->body);
            flow = flow == FLOW_BREAK ? FLOW_ON : flow;
            break;
        case STATEMENT_BREAK:
            return FLOW_BREAK;
        case STATEMENT_RETURN:
            return FLOW_RETURN;
        case STATEMENT_ASSERT:
            break;
        case STATEMENT_RESIZE:
        case STATEMENT_PUT:
        case STATEMENT_MOVE:
            change_array(f, st);
            break;
        case STATEMENT_CALL:
            call_with_arrays(f, st);
            break;
        case STATEMENT_RUN:
            f->failed = true;
            break;
        }
        if (flow != FLOW_ON)
            return flow;
    }
    return FLOW_ON;
}

static bool has_arrays(const Body *b)
{
    for (uint32_t k = 0; k < b->local.n; k++)
        if (b->local.at[k].rank)
            return true;
    return false;
}

/* The function is carried out. Dynamic arrays come from the caller's, those in the call, and go to
 * its locals `to`. */
static bool call_body(Audit *a, FuncId id, const double *in, double *out, const Frame *caller,
                      ExprId call, const uint32_t *to)
{
    const Function *f = &a->s->function->at[id.i];
    if (f->intrinsic != INTRINSIC_NONE || !f->body || f->body->external || f->body->list.n == 0 ||
        a->depth >= DEEPEST_CALL)
        return false;
    const Body *b = f->body;
    ArenaMark m = arena_mark(a->mem);
    Frame frame = {.a = a, .local = arena_array(a->mem, double, b->local.n + 1)};
    if (has_arrays(b)) {
        frame.arrays = arena_new();
        frame.array = arena_array(frame.arrays, Elements, b->local.n);
    }
    for (uint32_t k = 0; k < f->n_in; k++) {
        frame.local[b->input[k]] = in[k];
        if (f->in_rank && f->in_rank[k])
            copy_elements(&frame, &frame.array[b->input[k]],
                          &caller->array[expr_local_of(a->s->pool, expr_arg(a->s->pool, call, k))]);
    }
    uint32_t now = a->now;
    a->depth++;
    carry_out(&frame, &b->list);
    a->depth--;
    a->now = now; /* of who called */
    for (uint32_t k = 0; k < f->n_out; k++) {
        out[k] = frame.local[b->output[k]];
        if (f->out_rank && f->out_rank[k] && !frame.failed) {
            Frame own = *caller; /* with the caller's memory */
            copy_elements(&own, &caller->array[to[k]], &frame.array[b->output[k]]);
        }
    }
    if (frame.arrays)
        arena_free(frame.arrays);
    arena_rollback(a->mem, m);
    return !frame.failed;
}

/* False if the function cannot be evaluated here. */
bool audit_call(Audit *a, FuncId id, uint32_t n, const double *in, double *out)
{
    const Function *f = &a->s->function->at[id.i];
    if (f->intrinsic == INTRINSIC_ELEMENT) {
        bool inside = n > 1 && in[0] >= 1 && in[0] <= n - 1;
        out[0] = inside ? in[(uint32_t)in[0]] : NAN;
        return inside;
    }
    if (f->intrinsic == INTRINSIC_HOMOTOPY) {
        out[0] = in[0];
        return true;
    }
    (void)n;
    return call_body(a, id, in, out, NULL, EXPR_NONE, NULL);
}

/* Sizes and slopes of the results by differences, all arguments moved by a share of their sizes. */
static void evaluate_call(Audit *a, const Cell *c)
{
    static const double SHARE = 1e-7;
    FuncId f = expr_func_of(a->s->pool, c->x);
    const Function *fn = &a->s->function->at[f.i];
    ArenaMark m = arena_mark(a->mem);
    double *in = arena_array(a->mem, double, c->n + 1);
    double *moved = arena_array(a->mem, double, c->n + 1);
    double *out = arena_array(a->mem, double, fn->n_out + 1);
    double *beside = arena_array(a->mem, double, fn->n_out + 1);
    uint8_t flags = 0;
    double sizes = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        const Reading *w = &a->at[a->arg.at[c->arg + k]];
        in[k] = w->v;
        bool whole = w->v == floor(w->v) && w->size == fabs(w->v);
        moved[k] = whole ? w->v : w->v + SHARE * w->size;
        flags |= w->flags;
        sizes += w->size;
        /* its result is read where it is called, whatever its condition reads like at an event */
        if (k == 0 && fn->is_guarded) {
            in[0] = moved[0] = 1;
            flags = 0;
            sizes = 0;
        }
    }
    a->now = ++a->last;
    bool ok = !(flags & OPEN) && audit_call(a, f, c->n, in, out);
    a->now = ++a->last;
    /* where the function has no end beside the point, the arguments' own sizes */
    bool has_size = ok && audit_call(a, f, c->n, moved, beside);
    for (uint32_t k = 0; k < fn->n_out; k++) {
        double moves = has_size ? fabs(beside[k] - out[k]) / SHARE : sizes;
        a->result[c->var + k] =
            (Reading){out[k], fabs(out[k]) + moves, NAN, (uint8_t)(ok ? flags : OPEN)};
    }
    arena_rollback(a->mem, m);
}

/* ---- one cell ---- */

/* Before an event that is exactly where x is, as time can be, a jump at x is still to come. */
static bool moves_before(const Audit *a, const Reading *x)
{
    return a->is_before && x->slope != 0;
}

double audit_fn_slope(Fn f, double x)
{
    double y;
    switch (f) {
    case FN_SIN:
        return cos(x);
    case FN_COS:
        return -sin(x);
    case FN_TAN:
        y = cos(x);
        return 1 / (y * y);
    case FN_ASIN:
        return 1 / sqrt(1 - x * x);
    case FN_ACOS:
        return -1 / sqrt(1 - x * x);
    case FN_ATAN:
        return 1 / (1 + x * x);
    case FN_SINH:
        return cosh(x);
    case FN_COSH:
        return sinh(x);
    case FN_TANH:
        y = tanh(x);
        return 1 - y * y;
    case FN_EXP:
        return exp(x);
    case FN_LOG:
        return 1 / x;
    case FN_LOG10:
        return 1 / (x * log(10));
    case FN_SQRT:
        return 0.5 / sqrt(x);
    case FN_ABS:
        return x < 0 ? -1 : 1;
    case FN_SIGN:
    case FN_FLOOR:
    case FN_CEIL:
    case FN_COUNT:
        break;
    }
    return 0;
}

/* As an integrator knows the derivative of x in a step (audit.h). */
static Reading derivative(const Audit *a, double x, double rate, double nominal, uint8_t flags)
{
    double size = fabs(rate) + (fabs(x) + nominal) / a->p->step;
    return (Reading){rate, size, NAN, (uint8_t)(flags | (isnan(rate) ? OPEN : 0))};
}

static Reading leaf(Audit *a, uint32_t k)
{
    const AuditPoint *p = a->p;
    const Var *v = &a->s->var.at[k];
    /* der(x) as a variable of the model: the derivative of the interpolant, not the program's value
     */
    if (var_exists(v->der_of)) {
        uint32_t of = v->der_of.i;
        return derivative(a, p->value[of], p->rate[of], a->nominal[of],
                          isnan(p->value[of]) ? OPEN : 0);
    }
    if (v->kind ==
        VAR_MEMORY) { /* of the frontend: samples and the end are at no point looked at */
        bool is_timed = is_timed_memory(a->s, v);
        bool open = !is_timed && a->s->memory.at[v->index].kind != MEMORY_TERMINAL;
        if (is_timed && a->was) /* at an event it may be its time */
            return (Reading){1, 1, 0, UNSURE};
        return (Reading){.flags = open ? OPEN : 0};
    }
    double x = p->value[k];
    if (isnan(x) || v->type == TYPE_STRING || v->type == TYPE_OBJECT || v->type == TYPE_CLOCK)
        return (Reading){NAN, 0, NAN, OPEN};
    double size = fabs(x);
    if (a->unit[k] != UINT32_MAX)
        size += fmax(a->largest[a->unit[k]], a->least * a->nominal[k]);
    bool still = v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT || v->kind == VAR_DISCRETE;
    /* a variable that may move gets a slope, or its relations would be taken for exact */
    static const double BARELY = 1e-150;
    return (Reading){x, size, still ? 0 : p->rate[k] == 0 ? BARELY : p->rate[k], 0};
}

/* Exact numbers: whole ones that are no sum and do not move. */
static bool is_exact(const Reading *x)
{
    return x->slope == 0 && x->v == floor(x->v) && x->size == fabs(x->v);
}

/* |by| times the size, zero if one of them is zero, even for an infinite factor (asin at 1). */
static double sized(double by, double size)
{
    return by == 0 || size == 0 ? 0 : fabs(by) * size;
}

/* Whether a relation or jump may be on either side, now or within the time that an event may be
 * late. A difference at rest at zero is not exact to the last digit; it has a nominal size of 1 if
 * none is known. slope: of the difference, or NAN. */
static bool is_close(const Audit *a, double difference, double size, double slope)
{
    static const double AT_REST = 1e-4;
    return fabs(difference) <= a->slack * (size + AT_REST) ||
           fabs(difference) <= a->p->late * fabs(slope);
}

/* Which of its values a clause has read, if a variable took several, is not known: a discrete one,
 * or z = 2*y or z = pre(y), which follow a discrete y. */
static Reading at_event(const Audit *a, Reading r, uint32_t k)
{
    if (!a->was)
        return r;
    uint32_t var = a->cell.at[k].var;
    double jump = r.v - a->was[k].v;
    bool follows = a->follows_discrete[var] && !is_close(a, jump, r.size, r.slope);
    if (follows || (a->s->var.at[var].kind == VAR_DISCRETE && jump != 0))
        r.flags |= MOVED;
    if (a->is_timed[var])
        r.flags |= UNSURE;
    return r;
}

static const Reading NOT_KNOWN = {NAN, 0, NAN, OPEN};

static Reading operand(const Audit *a, const Cell *c, uint32_t k)
{
    return a->at[a->arg.at[c->arg + k]];
}

static Reading variable(Audit *a, const Cell *c)
{
    uint32_t k = (uint32_t)(c - a->cell.at);
    /* a when-clause reads the value before reinit */
    return a->was && a->restarts[c->var] ? a->was[k] : at_event(a, leaf(a, c->var), k);
}

static Reading terminal(Audit *a, const Cell *c, Op op)
{
    switch (op) {
    case OP_NUM: {
        double v = expr_apply(a->s->pool, c->x, 0, 0, 0);
        return (Reading){v, fabs(v), 0, 0};
    }
    case OP_VAR:
        return variable(a, c);
    case OP_TIME:
        return (Reading){a->p->t, fabs(a->p->t), 1, 0};
    case OP_INITIAL:
        return (Reading){0};
    case OP_PRE: /* between events pre(v) = v */
        return a->was ? a->was[a->arg.at[c->arg]] : operand(a, c, 0);
    case OP_DER: {
        const Cell *below = &a->cell.at[a->arg.at[c->arg]];
        const Reading x = operand(a, c, 0);
        return derivative(a, x.v, x.slope, below->op == OP_VAR ? a->nominal[below->var] : 1,
                          x.flags);
    }
    case OP_CALL:
        evaluate_call(a, c);
        return a->result[c->var];
    case OP_PROJ:
        return a->result[a->cell.at[a->arg.at[c->arg]].var + c->var];
    default:
        return NOT_KNOWN;
    }
}

static Reading difference(Reading x, Reading y)
{
    return (Reading){x.v - y.v, x.size + y.size, x.slope - y.slope, x.flags | y.flags};
}

static Reading product(Reading x, Reading y)
{
    return (Reading){x.v * y.v, sized(x.v, y.size) + sized(y.v, x.size),
                     x.slope * y.v + x.v * y.slope, x.flags | y.flags};
}

static Reading quotient(Reading x, Reading y)
{
    double v = x.v / y.v;
    return (Reading){v, (x.size + sized(v, y.size)) / fabs(y.v), (x.slope - v * y.slope) / y.v,
                     x.flags | y.flags};
}

static Reading power(Reading x, Reading y)
{
    double v = pow(x.v, y.v);
    double by_base = y.v == 0 ? 0 : y.v * pow(x.v, y.v - 1);
    double by_power = y.slope == 0 && x.v <= 0 ? 0 : log(x.v) * v;
    return (Reading){
        .v = v,
        .size = fabs(v) + sized(by_base, x.size) + (x.v > 0 ? fabs(by_power) * y.size : 0),
        .slope = by_base * x.slope + (y.slope != 0 ? by_power * y.slope : 0),
        .flags = x.flags | y.flags,
    };
}

static Reading function(const Audit *a, const Cell *c, Reading x)
{
    double slope = audit_fn_slope((Fn)c->fn, x.v), v = expr_apply(a->s->pool, c->x, x.v, 0, 0);
    Reading r = {v, fabs(v) + (is_exact(&x) ? 0 : sized(slope, x.size)),
                 x.slope == 0 ? 0 : slope * x.slope, x.flags};
    double jump = c->fn == FN_SIGN ? x.v : x.v - round(x.v);
    if ((c->fn == FN_SIGN || c->fn == FN_FLOOR || c->fn == FN_CEIL) &&
        is_close(a, jump, x.size, x.slope) &&
        (moves_before(a, &x) || !(x.v == round(x.v) && x.size == fabs(x.v))))
        r.flags |= UNSURE;
    return r;
}

static Reading function2(const Audit *a, const Cell *c, Reading x, Reading y)
{
    Reading r = {expr_apply(a->s->pool, c->x, x.v, y.v, 0), 0, NAN, x.flags | y.flags};
    if (c->fn == FN2_MIN || c->fn == FN2_MAX) {
        r.size = fmax(x.size, y.size);
        r.slope = r.v == x.v ? x.slope : y.slope;
    } else if (c->fn == FN2_ATAN2) {
        double square = x.v * x.v + y.v * y.v;
        r.size = fabs(r.v) + (fabs(x.v) * y.size + fabs(y.v) * x.size) / square;
        r.slope = (y.v * x.slope - x.v * y.slope) / square;
        // on the negative half of the axis it is pi or -pi, by the sign of a zero even
        if (y.v <= a->slack * y.size && (x.slope != 0 || y.slope != 0) &&
            is_close(a, x.v, x.size, x.slope))
            r.flags |= UNSURE;
    } else {
        double q = x.v / y.v;
        r.size = fabs(r.v) + x.size + fabs(q) * y.size;
        if (is_close(a, (q - round(q)) * y.v, x.size + fabs(q) * y.size, NAN) &&
            (moves_before(a, &x) || moves_before(a, &y) ||
             !(x.size == fabs(x.v) && y.size == fabs(y.v))))
            r.flags |= UNSURE;
    }
    return r;
}

static Reading relation(const Audit *a, const Cell *c, Reading x, Reading y)
{
    Reading r = {expr_apply(a->s->pool, c->x, x.v, y.v, 0), 1, 0, x.flags | y.flags};
    /* whole numbers and expressions of parameters are exact */
    if ((x.slope != 0 || y.slope != 0) &&
        (is_close(a, x.v - y.v, x.size + y.size, x.slope - y.slope) ||
         fabs(x.v - y.v) <= AUDIT_TOLERANCES * a->moves[c - a->cell.at]))
        r.flags |= UNSURE;
    return r;
}

/* x and y, or x or y. One that decides for certain is enough. */
static Reading both_or_either(Reading x, Reading y, bool decides)
{
    if (((x.v != 0) == decides && !x.flags) || ((y.v != 0) == decides && !y.flags))
        return (Reading){decides, 1, 0, 0};
    bool either = x.v != 0 || y.v != 0, both = x.v != 0 && y.v != 0;
    return (Reading){decides ? either : both, 1, 0, x.flags | y.flags};
}

static Reading choice(const Audit *a, Reading x, Reading y, Reading z)
{
    Reading w = x.v != 0 ? y : z;
    bool same = !((y.flags | z.flags) & OPEN) &&
                fabs(y.v - z.v) <= a->bound / WITHOUT_RATES * (y.size + z.size);
    w.flags |= (uint8_t)(same ? x.flags & OPEN : x.flags);
    if (same && x.flags & UNSURE)
        w.size = fmax(y.size, z.size);
    return w;
}

#define EVAL_FUNCTION operation
#define EVAL_VALUE Reading
#define EVAL_NODE const Cell *
#define EVAL_CONTEXT Audit
#define EVAL_OPERAND(k) operand(in, x, k)
#define EVAL_LEAF(op) terminal(in, x, op)
#define EVAL_NEG(a) ((Reading){-a.v, a.size, -a.slope, a.flags})
#define EVAL_ADD(a, b) ((Reading){a.v + b.v, a.size + b.size, a.slope + b.slope, a.flags | b.flags})
#define EVAL_SUB(a, b) difference(a, b)
#define EVAL_MUL(a, b) product(a, b)
#define EVAL_DIV(a, b) quotient(a, b)
#define EVAL_POW(a, b) power(a, b)
#define EVAL_FN(a) function(in, x, a)
#define EVAL_FN2(a, b) function2(in, x, a, b)
#define EVAL_RELATION(op, a, b) relation(in, x, a, b)
#define EVAL_AND(a, b) both_or_either(a, b, false)
#define EVAL_OR(a, b) both_or_either(a, b, true)
#define EVAL_NOT(a) ((Reading){a.v == 0, 1, 0, a.flags})
#define EVAL_SELECT() choice(in, operand(in, x, 0), operand(in, x, 1), operand(in, x, 2))
#define EVAL_SAME(op, a) (a)
#include "ir/evaluate.inc"

Reading audit_evaluate(Audit *a, uint32_t k)
{
    return operation(a, &a->cell.at[k], a->cell.at[k].op);
}

/* ---- points ---- */

void audit_note(Audit *a, Line *l, const AuditFault *f)
{
    if (!l->was_seen || f->defect > l->worst.defect || isnan(f->defect))
        l->worst = *f;
    l->was_seen = true;
    l->is_bad = l->is_bad || !(f->defect <= AUDIT_TOLERANCES);
    a->worst = isnan(f->defect) ? INFINITY : fmax(a->worst, f->defect);
}

static double defect_of(const Reading *x, const Reading *y)
{
    double off = fabs(x->v - y->v), size = x->size + y->size;
    return x->v == y->v || isinf(size) ? 0 : off / size;
}

/* The least defect of x = cell k over the branches that it may have taken; 0 if that is not known.
 */
static double least_of(const Audit *a, const Reading *x, uint32_t k, int depth)
{
    enum { DEEPEST = 12 };
    const Cell *c = &a->cell.at[k];
    const Reading *y = &a->at[k];
    if (a->was && y->flags & MOVED && c->op != OP_SELECT)
        return 0;
    const bool is_known = !(y->flags & (OPEN | UNSURE | MOVED));
    if (c->op != OP_SELECT || depth > DEEPEST)
        return is_known ? defect_of(x, y) : 0;
    const uint32_t *arg = &a->arg.at[c->arg];
    const Reading *cond = &a->at[arg[0]];
    // branches that are nearly the same: still it is one of them
    if (is_known && !(cond->flags & UNSURE))
        return defect_of(x, y);
    if (!(cond->flags & (OPEN | UNSURE)))
        return least_of(a, x, arg[cond->v != 0 ? 1 : 2], depth + 1);
    if (cond->flags & OPEN)
        return 0;
    return fmin(least_of(a, x, arg[1], depth + 1), least_of(a, x, arg[2], depth + 1));
}

double audit_least_defect(const Audit *a, const Reading *x, uint32_t right)
{
    return least_of(a, x, right, 0);
}

static void evaluate_all(Audit *a, const AuditPoint *at);

static void look_at_line(Audit *a, Line *l, AuditKind kind)
{
    const Reading *x = &a->at[l->left], *y = &a->at[l->right];
    if (x->flags & (OPEN | UNSURE))
        return;
    bool unsure = y->flags & (OPEN | UNSURE);
    double defect = audit_least_defect(a, x, l->right);
    if (unsure && !(defect > l->bound))
        return;
    if (a->is_begin && l->has_rate && !(defect <= l->bound)) {
        l->is_open = true;
        return;
    }
    defect *= AUDIT_TOLERANCES / l->bound;
    AuditFault f = {kind, defect, a->p->t, x->v, y->v, l->lhs, l->rhs, l->span, l->origin};
    if (a->is_begin && (kind == AUDIT_INITIAL || kind == AUDIT_EQUATION || kind == AUDIT_FIXED) &&
        defect > AUDIT_TOLERANCES) {
        l->begins_wrong = true;
        l->at_begin = f;
        l->moves = 0;
        return;
    }
    audit_note(a, l, &f);
}

uint32_t audit_begin_suspects(const Audit *a)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < a->line.n; k++)
        n += a->line.at[k].begins_wrong;
    return n;
}

void audit_begin_moved(Audit *a, const AuditPoint *at)
{
    evaluate_all(a, at);
    for (uint32_t k = 0; k < a->line.n; k++) {
        Line *l = &a->line.at[k];
        double moved = a->at[l->left].v - a->at[l->right].v - (l->at_begin.lhs - l->at_begin.rhs);
        if (l->begins_wrong && isfinite(moved))
            l->moves = fmax(l->moves, fabs(moved));
    }
}

void audit_begin_judge(Audit *a)
{
    for (uint32_t k = 0; k < a->line.n; k++) {
        Line *l = &a->line.at[k];
        if (!l->begins_wrong)
            continue;
        l->begins_wrong = false;
        AuditFault f = l->at_begin;
        double off = fabs(f.lhs - f.rhs);
        f.defect = 1 / (1 / f.defect + (off > 0 ? l->moves / off : 0));
        audit_note(a, l, &f);
    }
}

/* A relation that is true for certain was false for certain, and no event between, although its
 * value is read, and makes a difference. */
void audit_look_at_relation(Audit *a, uint32_t k)
{
    const Cell *c = &a->cell.at[k];
    const Reading *w = &a->at[k];
    if (!c->makes_events || a->has_rate[k] || w->flags & (OPEN | UNSURE) || isnan(w->v))
        return;
    /* a relation of discrete values: it changes with these */
    if (a->at[a->arg.at[c->arg]].slope == 0 && a->at[a->arg.at[c->arg + 1]].slope == 0)
        return;
    int8_t now = w->v != 0;
    const bool is_other = a->truth[k] >= 0 && a->truth[k] != now;
    const bool is_read = is_other && audit_is_read(a, k);
    /* branches that are equal only where the relation changes differ later */
    if (is_other && !is_read && a->users.met_equal)
        return;
    if (is_read) {
        Line l = {.kind = AUDIT_EVENT, .lhs = c->x, .rhs = c->x, .bound = a->bound};
        l.span = SPAN_NONE;
        AuditFault f = {.kind = AUDIT_EVENT,
                        .defect = AUDIT_TOLERANCES / a->bound,
                        .t = a->p->t,
                        .lhs = now,
                        .rhs = a->truth[k],
                        .left = c->x,
                        .right = c->x,
                        .span = SPAN_NONE};
        a->cell.at[k].makes_events = false; /* reported once */
        audit_note(a, &l, &f);
        vec_push(a->mem, a->line, l);
    }
    a->truth[k] = now;
}

static void look_at_relations(Audit *a)
{
    for (uint32_t k = 0; k < a->cell.n; k++)
        audit_look_at_relation(a, k);
}

void audit_event(Audit *a)
{
    memset(a->truth, -1, a->cell.n + 1);
}

void audit_sizes(Audit *a, const AuditPoint *at)
{
    for (uint32_t k = 0; k < a->s->var.n; k++)
        if (a->unit[k] != UINT32_MAX && isfinite(at->value[k]))
            a->largest[a->unit[k]] = fmax(a->largest[a->unit[k]], fabs(at->value[k]));
}

static void evaluate_all(Audit *a, const AuditPoint *at)
{
    a->p = at;
    a->steps.work += a->cell.n;
    audit_sizes(a, at);
    for (uint32_t k = 0; k < a->cell.n; k++)
        a->at[k] = audit_evaluate(a, k);
}

/* Whether another reinit may have set the variable of action k. */
static bool others_may_fire(const Audit *a, uint32_t k)
{
    const Action *act = a->s->action.at;
    for (uint32_t i = 0; i < a->s->action.n; i++) {
        if (i == k || act[i].kind != ACTION_REINIT || act[i].var.i != act[k].var.i)
            continue;
        const Reading *fires = &a->at[a->jump[i].fires];
        if (fires->flags & (OPEN | UNSURE) || fires->v != 0)
            return true;
    }
    return false;
}

/* reinit: var equals value, computed before the event or with discrete variables after it; or var
 * has not changed. */
static void look_at_action(Audit *a, uint32_t k)
{
    const Action *act = &a->s->action.at[k];
    const Jump *j = &a->jump[k];
    if (act->kind != ACTION_REINIT)
        return;
    const Reading after = leaf(a, expr_var_of(a->s->pool, a->cell.at[j->var].x).i);
    const Reading *now = &after, *value = &a->was[j->value], *before = &a->was[j->var];
    const Reading *fires = &a->at[j->fires];
    if ((now->flags | value->flags | before->flags | fires->flags) & OPEN || value->flags)
        return;
    const Reading *later = &a->at[j->value];
    if (later->flags)
        return;
    double fired = fmin(defect_of(now, value), defect_of(now, later));
    double still = defect_of(now, before);
    double defect = fires->v != 0 ? fired : 0;
    if (fires->flags & UNSURE)
        defect = others_may_fire(a, k) ? 0 : fmin(fired, still);
    Line *l = &a->line.at[j->line];
    defect *= AUDIT_TOLERANCES / l->bound;
    AuditFault f = {AUDIT_JUMP, defect, a->p->t, now->v,   value->v,
                    l->lhs,     l->rhs, l->span, l->origin};
    audit_note(a, l, &f);
}

/* The new value of what remembers itself is that of the values before the event, which others have
 * left by it: sliding = force > 1.01 or pre(sliding) and force > 1, where the force of sliding is
 * smaller. */
static bool held_before(Audit *a, const Line *l)
{
    Reading x = a->at[l->left], *at = a->at;
    a->at = a->left;
    bool holds = !(x.flags & (OPEN | UNSURE)) && least_of(a, &x, l->right, 0) <= l->bound;
    a->at = at;
    return holds;
}

/* Whether the first condition of a clause is true for certain. */
static bool fires(const Audit *a, uint32_t k)
{
    const Cell *c = &a->cell.at[k];
    const Reading *cond = c->op == OP_SELECT ? &a->at[a->arg.at[c->arg]] : NULL;
    return cond && !(cond->flags & (OPEN | UNSURE)) && cond->v != 0;
}

/* Events come from relations and jumps alone, not from a clock or from outside. */
static bool has_relations_alone(const System *s)
{
    for (uint32_t k = 0; k < s->memory.n; k++)
        if (s->memory.at[k].kind == MEMORY_SAMPLE || s->memory.at[k].kind == MEMORY_CLOCK)
            return false;
    for (uint32_t k = 0; k < s->var.n; k++)
        if (s->var.at[k].kind == VAR_INPUT)
            return false;
    return true;
}

/* Whether abs, min or max is near its kink, where runs with derivatives by parameters have events.
 */
static bool is_near_kink(const Audit *a, const Cell *c)
{
    Reading x;
    if (c->op == OP_FN && c->fn == FN_ABS)
        x = operand(a, c, 0);
    else if (c->op == OP_FN2 && (c->fn == FN2_MIN || c->fn == FN2_MAX))
        x = difference(operand(a, c, 0), operand(a, c, 1));
    else
        return false;
    return is_close(a, x.v, x.size, x.slope) ||
           fabs(x.v) <= AUDIT_TOLERANCES * a->moves[c - a->cell.at];
}

/* A fault if no relation is near a change, and all of them can be evaluated. */
static void look_for_cause(Audit *a)
{
    for (uint32_t k = 0; k < a->cell.n; k++)
        if (a->at[k].flags & (UNSURE | OPEN) || is_near_kink(a, &a->cell.at[k]))
            return;
    if (a->reported_cause || a->rate_makes_events || !has_relations_alone(a->s))
        return;
    a->reported_cause = true;
    Line l = {.kind = AUDIT_CAUSE, .lhs = EXPR_NONE, .rhs = EXPR_NONE, .span = SPAN_NONE};
    AuditFault f = {.kind = AUDIT_CAUSE,
                    .defect = AUDIT_TOLERANCES / a->bound,
                    .t = a->p->t,
                    .left = EXPR_NONE,
                    .right = EXPR_NONE,
                    .span = SPAN_NONE};
    audit_note(a, &l, &f);
    vec_push(a->mem, a->line, l);
}

void audit_before(Audit *a, const AuditPoint *before)
{
    a->is_before = true;
    evaluate_all(a, before);
    a->is_before = false;
    look_at_relations(a);
    look_for_cause(a);
    memcpy(a->left, a->at, a->cell.n * sizeof *a->at);
}

void audit_jump(Audit *a, const AuditPoint *after, bool again)
{
    a->was = a->left;
    evaluate_all(a, after);
    for (uint32_t k = 0; k < a->line.n; k++) {
        Line *l = &a->line.at[k];
        if (l->kind != AUDIT_EQUATION || !l->has_pre)
            continue;
        bool clause = is_clause(a, l);
        bool judged = clause ? !again || fires(a, l->right) : l->remembers && !again;
        if (judged && (clause || !held_before(a, l)))
            look_at_line(a, l, AUDIT_JUMP);
    }
    for (uint32_t k = 0; k < a->s->action.n; k++)
        look_at_action(a, k);
    a->was = NULL;
}

void audit_point(Audit *a, const AuditPoint *at)
{
    a->n_points++;
    evaluate_all(a, at);
    for (uint32_t k = 0; k < a->line.n; k++) {
        Line *l = &a->line.at[k];
        /* over the step, which knows its derivatives better */
        if ((l->kind == AUDIT_INITIAL && l->may_jump) || (l->kind == AUDIT_EQUATION && l->has_rate))
            continue;
        if (l->kind == AUDIT_EQUATION || (at->is_start && l->kind != AUDIT_EVENT &&
                                          l->kind != AUDIT_JUMP && l->kind != AUDIT_CAUSE))
            look_at_line(a, l, l->kind);
    }
    look_at_relations(a);
}

void audit_begin(Audit *a, const AuditPoint *at)
{
    a->is_begin = true;
    audit_point(a, at);
    a->is_begin = false;
}

void audit_behind(Audit *a, const AuditPoint *at)
{
    bool any = false;
    for (uint32_t k = 0; k < a->line.n && !any; k++)
        any = a->line.at[k].is_open;
    if (!any)
        return;
    evaluate_all(a, at);
    for (uint32_t k = 0; k < a->line.n; k++) {
        Line *l = &a->line.at[k];
        if (l->is_open)
            look_at_line(a, l, l->kind);
        l->is_open = false;
    }
}

static int by_defect(const void *a, const void *b)
{
    const AuditFault *x = a, *y = b;
    double dx = isnan(x->defect) ? INFINITY : x->defect;
    double dy = isnan(y->defect) ? INFINITY : y->defect;
    return dx > dy ? -1 : dx < dy;
}

bool audit_has_fault(const Audit *a)
{
    return a->worst > AUDIT_TOLERANCES;
}

AuditReport audit_report(Audit *a)
{
    AuditReport r = {.n_points = a->n_points, .worst = a->worst};
    VEC(AuditFault) all = {0}, jump = {0};
    for (uint32_t k = 0; k < a->line.n; k++) {
        const Line *l = &a->line.at[k];
        r.n_equations += l->kind == AUDIT_EQUATION;
        r.n_open += l->kind == AUDIT_EQUATION && !l->was_seen;
        if (l->is_bad)
            vec_push(a->mem, all, l->worst);
        else if (l->has_jumped)
            vec_push(a->mem, jump, l->jump);
    }
    r.n_jumps = jump.n;
    r.jump = jump.at;
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_defect);
    r.n_faults = all.n;
    r.fault = all.at;
    return r;
}
