#include "emit/model/relation_guards.h"

#include "base/hash.h"
#include "base/map.h"
#include "runtime/kernel/rung_model.h"

#include <string.h>

/* The first two operations are the numbers 0 and 1. */
enum { NEVER = 0, ALWAYS = 1, FIRST = 2 };

typedef struct Operation {
    uint32_t op, a, b;
} Operation;

/* Whether a Boolean may be true, and may be false, as operations; both, where it is not known. */
typedef struct Possible {
    uint32_t yes, no;
} Possible;

typedef struct Finder {
    const Program *g;
    const ExprPool *p;
    Arena *scratch;
    VEC(Operation) operation;
    VEC(double) number;
    Map known;          /* operations by their hash */
    Possible *possible; /* per node */
    uint32_t *read;     /* per node: when it is read */
    uint32_t *guard;    /* per memory: of relations, when they are read */
    bool *is_leaf;      /* per memory: constant between events, and never out of date */
    bool *is_open;      /* per memory: a relation that may have a guard */
} Finder;

static uint32_t operation(Finder *f, uint32_t op, uint32_t a, uint32_t b)
{
    // equal ones once, as far as their hashes differ
    uint64_t key = hash_pair(hash_pair(op, a), b);
    uint32_t k = map_get(&f->known, key);
    if (k != MAP_NONE) {
        const Operation *o = &f->operation.at[k];
        if (o->op == op && o->a == a && o->b == b)
            return k;
    }
    k = f->operation.n;
    map_put(&f->known, key, k);
    vec_push(f->scratch, f->operation, ((Operation){op, a, b}));
    return k;
}

static uint32_t both(Finder *f, uint32_t a, uint32_t b)
{
    if (a == NEVER || b == NEVER)
        return NEVER;
    return a == ALWAYS || a == b ? b : b == ALWAYS ? a : operation(f, RUNG_GUARD_AND, a, b);
}

static uint32_t either(Finder *f, uint32_t a, uint32_t b)
{
    if (a == ALWAYS || b == ALWAYS)
        return ALWAYS;
    return a == NEVER || a == b ? b : b == NEVER ? a : operation(f, RUNG_GUARD_OR, a, b);
}

static uint32_t negation(Finder *f, uint32_t a)
{
    return a == NEVER ? ALWAYS : a == ALWAYS ? NEVER : operation(f, RUNG_GUARD_NOT, a, 0);
}

/* The memory that x is, if it is constant between events and never out of date; else RUNG_NONE. */
static uint32_t leaf_of(const Finder *f, ExprId x)
{
    const System *s = f->g->sys;
    if (expr_op(f->p, x) != OP_VAR || expr_var_of(f->p, x).i >= s->var.n)
        return RUNG_NONE;
    const Var *v = &s->var.at[expr_var_of(f->p, x).i];
    bool is_leaf = v->kind == VAR_MEMORY && v->index < f->g->n_memory && f->is_leaf[v->index];
    return is_leaf ? v->index : RUNG_NONE;
}

/* x as an operation that gives its number; NEVER if it is neither memory nor a number. */
static uint32_t value_of(Finder *f, ExprId x)
{
    double value;
    uint32_t k = leaf_of(f, x);
    if (k != RUNG_NONE)
        return operation(f, RUNG_GUARD_MEMORY, k, 0);
    if (!expr_is_num(f->p, x) || !expr_constant(f->p, x, &value))
        return NEVER;
    for (k = 0; k < f->number.n && f->number.at[k] != value; k++)
        ;
    if (k == f->number.n)
        vec_push(f->scratch, f->number, value);
    return operation(f, RUNG_GUARD_NUMBER, k, 0);
}

static Possible compared(Finder *f, ExprId x, uint32_t op)
{
    uint32_t a = value_of(f, expr_arg(f->p, x, 0)), b = value_of(f, expr_arg(f->p, x, 1));
    if (a == NEVER || b == NEVER)
        return (Possible){ALWAYS, ALWAYS};
    uint32_t yes = operation(f, op, a, b);
    return (Possible){yes, negation(f, yes)};
}

/* Of an expression whose operands are done. */
static Possible possible_of(Finder *f, ExprId x)
{
    const Possible unknown = {ALWAYS, ALWAYS};
    Op op = expr_op(f->p, x);
    uint32_t n = op == OP_CALL ? 0 : expr_n_args(f->p, x);
    Possible a = n > 0 ? f->possible[expr_arg(f->p, x, 0).i] : unknown;
    Possible b = n > 1 ? f->possible[expr_arg(f->p, x, 1).i] : unknown;
    Possible c = n > 2 ? f->possible[expr_arg(f->p, x, 2).i] : unknown;
    switch (op) {
    case OP_NUM: {
        bool is_false = expr_is_zero(f->p, x) == YES;
        return (Possible){is_false ? NEVER : ALWAYS, is_false ? ALWAYS : NEVER};
    }
    case OP_VAR: {
        uint32_t k = leaf_of(f, x);
        if (k == RUNG_NONE)
            return unknown;
        uint32_t yes = operation(f, RUNG_GUARD_MEMORY, k, 0);
        return (Possible){yes, negation(f, yes)};
    }
    case OP_NOEVENT:
    case OP_SMOOTH:
        return a;
    case OP_NOT:
        return (Possible){a.no, a.yes};
    case OP_AND:
        return (Possible){both(f, a.yes, b.yes), either(f, a.no, b.no)};
    case OP_OR:
        return (Possible){either(f, a.yes, b.yes), both(f, a.no, b.no)};
    case OP_SELECT:
        return (Possible){either(f, both(f, a.yes, b.yes), both(f, a.no, c.yes)),
                          either(f, both(f, a.yes, b.no), both(f, a.no, c.no))};
    case OP_LT:
        return compared(f, x, RUNG_GUARD_LT);
    case OP_LE:
        return compared(f, x, RUNG_GUARD_LE);
    case OP_EQ:
        return compared(f, x, RUNG_GUARD_EQ);
    case OP_NE:
        return compared(f, x, RUNG_GUARD_NE);
    default:
        return unknown;
    }
}

static void read_at(Finder *f, ExprId x, uint32_t when)
{
    if (expr_exists(x))
        f->read[x.i] = either(f, f->read[x.i], when);
}

static void read_all(Finder *f, uint32_t n, const ExprId *x)
{
    for (uint32_t k = 0; k < n && x; k++)
        read_at(f, x[k], ALWAYS);
}

static void read_columns(Finder *f, const ExprColumns *c)
{
    if (c->entry)
        read_all(f, c->col_start[c->n_cols], c->entry);
}

/* The roots: all that the program computes. The zero-crossing function of a relation is read when
 * the relation is. */
static void read_roots(Finder *f)
{
    const Program *g = f->g;
    read_all(f, g->n_states, g->derivative);
    for (uint32_t k = 0; k < g->sys->var.n; k++)
        if (g->sys->var.at[k].kind != VAR_MEMORY)
            read_at(f, g->value[k], ALWAYS);
    for (uint32_t b = 0; b < program_own_blocks(g); b++) {
        read_all(f, g->block[b].n, g->block[b].residual);
        read_all(f, g->block[b].col_start[g->block[b].n], g->block[b].entry);
    }
    for (uint32_t k = 0; k < g->n_assertions; k++) {
        read_at(f, g->assertion[k].cond, ALWAYS);
        read_at(f, g->assertion[k].message, ALWAYS);
    }
    read_all(f, g->n_choices, g->choice);
    read_all(f, g->n_assertions, g->margin);
    for (uint32_t k = 0; k < g->n_memory; k++) {
        bool is_relation = g->memory[k].kind == MEMORY_RELATION;
        read_at(f, g->memory[k].of, is_relation ? f->guard[k] : ALWAYS);
        read_at(f, g->memory[k].start, ALWAYS);
        read_at(f, g->memory[k].interval, ALWAYS);
    }
    for (uint32_t k = 0; k < g->n_actions; k++) {
        read_at(f, g->action[k].fires, ALWAYS);
        read_at(f, g->action[k].value, ALWAYS);
    }
    const LoopConstraints *l = g->loops;
    if (l) {
        read_all(f, l->n_constraints, l->phi);
        read_all(f, l->n_constraints, l->phi_dot);
        read_all(f, l->n_constraints, l->phi_t);
        read_all(f, l->n_constraints, l->phi_rest);
        read_all(f, l->n_massless, l->balance);
        read_all(f, l->n_conditions, l->condition);
        read_columns(f, &l->phi_x);
        read_columns(f, &l->phi_v);
    }
    const Sensitivity *s = g->sensitivity;
    if (s)
        read_all(f, (s->n_relations + s->n_actions) * s->n_directions, s->slope);
}

/* When the operands of x are read. */
static void read_operands(Finder *f, ExprId x)
{
    const uint32_t when = f->read[x.i];
    Op op = expr_op(f->p, x);
    if (op == OP_AND || op == OP_OR) {
        ExprId a = expr_arg(f->p, x, 0), b = expr_arg(f->p, x, 1);
        const Possible *pa = &f->possible[a.i], *pb = &f->possible[b.i];
        read_at(f, a, both(f, when, op == OP_AND ? pb->yes : pb->no));
        read_at(f, b, both(f, when, op == OP_AND ? pa->yes : pa->no));
        return;
    }
    if (op == OP_SELECT) {
        const Possible *c = &f->possible[expr_arg(f->p, x, 0).i];
        read_at(f, expr_arg(f->p, x, 0), when);
        read_at(f, expr_arg(f->p, x, 1), both(f, when, c->yes));
        read_at(f, expr_arg(f->p, x, 2), both(f, when, c->no));
        return;
    }
    for (uint32_t k = 0; k < expr_n_args(f->p, x); k++)
        read_at(f, expr_arg(f->p, x, k), when);
}

/* Whether memory k is a relation that may have a guard: of time alone they are cheap to follow,
 * and those of a floor change its value. */
static bool is_candidate(const Program *g, uint32_t k)
{
    const Memory *m = &g->memory[k];
    bool of_floor = (k > 0 && g->memory[k - 1].kind == MEMORY_FLOOR) ||
                    (k > 1 && g->memory[k - 2].kind == MEMORY_FLOOR);
    return m->kind == MEMORY_RELATION && !m->is_exact && !of_floor;
}

/* Guards from the present leaves; the guards so far hold for the zero-crossing functions. */
static void find_guards(Finder *f)
{
    const Program *g = f->g;
    uint32_t n = pool_size(f->p);
    for (uint32_t k = 0; k < n; k++) {
        Op op = expr_op(f->p, (ExprId){k});
        bool has_truth = op == OP_NUM || op == OP_VAR || op == OP_SELECT || op_is_logical(op) ||
                         op == OP_NOEVENT || op == OP_SMOOTH;
        f->possible[k] = has_truth ? possible_of(f, (ExprId){k}) : (Possible){ALWAYS, ALWAYS};
        f->read[k] = NEVER;
    }
    read_roots(f);
    // operands stand before their users
    for (uint32_t k = n; k-- > 0;)
        if (f->read[k] != NEVER)
            read_operands(f, (ExprId){k});
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (f->is_open[k])
            f->guard[k] = f->read[system_var_expr(g->sys, g->memory[k].var).i];
}

/* The operations that guards need, renumbered. */
static RelationGuards gather(const Finder *f, Arena *mem)
{
    const Program *g = f->g;
    uint32_t n = f->operation.n, *to = arena_array(f->scratch, uint32_t, n);
    bool *needed = arena_array(f->scratch, bool, n);
    for (uint32_t k = 0; k < g->n_memory; k++)
        needed[f->guard[k]] = true;
    needed[NEVER] = needed[ALWAYS] = true;
    for (uint32_t k = n; k-- > FIRST;) {
        const Operation *o = &f->operation.at[k];
        bool reads_operations = needed[k] && o->op > RUNG_GUARD_NUMBER;
        if (reads_operations)
            needed[o->a] = true;
        if (reads_operations && o->op != RUNG_GUARD_NOT)
            needed[o->b] = true;
    }
    RelationGuards out = {.n_numbers = f->number.n,
                          .op = arena_array(mem, uint32_t, n),
                          .a = arena_array(mem, uint32_t, n),
                          .b = arena_array(mem, uint32_t, n),
                          .number = arena_array(mem, double, f->number.n),
                          .of = arena_array(mem, uint32_t, g->n_memory + 1)};
    memcpy(out.number, f->number.at, f->number.n * sizeof *out.number);
    for (uint32_t k = 0; k < n; k++) {
        const Operation *o = &f->operation.at[k];
        if (!needed[k])
            continue;
        bool is_leaf = o->op <= RUNG_GUARD_NUMBER;
        out.op[out.n] = o->op;
        out.a[out.n] = is_leaf ? o->a : to[o->a];
        out.b[out.n] = is_leaf || o->op == RUNG_GUARD_NOT ? 0 : to[o->b];
        to[k] = out.n++;
    }
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (g->memory[k].kind == MEMORY_RELATION)
            out.of[out.n_relations++] = to[f->guard[k]];
    return out;
}

/* Memory that is constant between events and never out of date. */
static bool is_known(const Memory *m)
{
    return m->kind == MEMORY_PRE || m->kind == MEMORY_INITIAL || m->kind == MEMORY_TERMINAL ||
           m->kind == MEMORY_SAMPLE || m->kind == MEMORY_CLOCK || m->kind == MEMORY_SHIFT ||
           (m->kind == MEMORY_RELATION && m->is_exact);
}

RelationGuards relation_guards_find(const Program *g, Arena *mem)
{
    enum { ROUNDS = 3 }; // a relation in the zero-crossing function of another, in that of a third
    RelationGuards out = {0};
    Finder f = {.g = g, .p = g->sys->pool, .scratch = arena_new()};
    bool some = false;
    f.is_leaf = arena_array(f.scratch, bool, g->n_memory + 1);
    f.is_open = arena_array(f.scratch, bool, g->n_memory + 1);
    f.guard = arena_array(f.scratch, uint32_t, g->n_memory + 1);
    for (uint32_t k = 0; k < g->n_memory; k++) {
        system_var_expr(g->sys, g->memory[k].var);
        f.is_leaf[k] = is_known(&g->memory[k]);
        f.is_open[k] = is_candidate(g, k);
        f.guard[k] = ALWAYS;
        some = some || f.is_open[k];
    }
    if (some) {
        f.known = map_new(f.scratch);
        vec_push(f.scratch, f.number, 0);
        vec_push(f.scratch, f.number, 1);
        operation(&f, RUNG_GUARD_NUMBER, 0, 0);
        operation(&f, RUNG_GUARD_NUMBER, 1, 0);
        f.possible = arena_array(f.scratch, Possible, pool_size(f.p));
        f.read = arena_array(f.scratch, uint32_t, pool_size(f.p));
        for (int round = 0; round < ROUNDS; round++)
            find_guards(&f);
        some = false;
        // relations that are read always are not out of date, so guards may read them
        for (uint32_t k = 0; k < g->n_memory; k++) {
            bool has_guard = f.is_open[k] && f.guard[k] != ALWAYS;
            f.is_leaf[k] = f.is_leaf[k] || (f.is_open[k] && !has_guard);
            f.is_open[k] = has_guard;
        }
        find_guards(&f);
        for (uint32_t k = 0; k < g->n_memory; k++)
            some = some || f.guard[k] != ALWAYS;
        if (some)
            out = gather(&f, mem);
    }
    arena_free(f.scratch);
    return out;
}
