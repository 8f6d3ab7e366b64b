#include "emit/model/time_code.h"

#include "base/map.h"
#include "runtime/kernel/rung_model.h"

#include <math.h>

/* The kinds of variables that an expression depends on, the most general one. */
typedef enum Made {
    OF_OTHERS, /* states, inputs, delayed values, calls */
    OF_MEMORY, /* or parameters: it stays between events */
    OF_TIME_LINEAR,
    OF_TIME /* or, where state terms are found, of one state instead, or of several */
} Made;

/* The shape of an expression of several states within a step. */
typedef enum Sharp {
    IS_SMOOTH,
    IS_RISE,     /* tanh(u): two of them may make a pulse */
    IS_QUOTIENT, /* 1/(1 + (u/w)^2); in mechanisms most quotients are smooth */
    IS_SHARP     /* exp(-(u/w)^2) */
} Sharp;

/* Terms of several states have at most so many operations more than this share of the derivatives.
 */
enum { SHARP_FEW = 128, SHARP_SHARE = 32, QUOTIENT_FEW = 12, QUOTIENT_SHARE = 128 };

typedef struct TimeNode {
    ExprId x;
    uint8_t made;        /* Made                                                          */
    uint8_t sharp;       /* Sharp, its operands included                                  */
    bool looked;         /* it was taken apart                                            */
    bool is_time;        /* of time alone                                                 */
    bool is_solved;      /* it is read from unknowns of blocks                            */
    bool is_wave;        /* sums and products of sines of linear functions: no narrow pulses */
    uint32_t state;      /* of one that moves; of time, none                              */
    uint32_t depth;      /* rows on the longest way down, at most as many as it has       */
    uint32_t counted_in; /* number of the last count of rows that has met it              */
    uint32_t row;        /* its row + 1                                                   */
} TimeNode;

typedef struct Finder {
    const Program *g;
    const ExprPool *p;
    Coder *coder;
    const uint8_t *leaf;
    const uint32_t *leaf_index;
    uint32_t n; /* nodes, operands before users */
    bool of_states;
    bool of_several;       /* states, time, unknowns and inputs */
    TimeNode *node;        /* those that derivatives, blocks and what is compared are made of */
    const uint32_t *place; /* per node of the pool: its place among these                     */
    uint32_t n_counts;
    uint64_t in_vain;            /* rows counted for terms that were too long */
    uint64_t left[IS_SHARP + 1]; /* operations that terms of several states may still add */
    bool *is_memory;             /* per variable                */
    Arena *mem;
    VEC(ExprId) stack; /* of the rows that are written                */
    VEC(ExprId) todo;  /* of the root that is split; empty in between */
    TimeTerms out;
} Finder;

static TimeNode *at(const Finder *f, ExprId x)
{
    return &f->node[f->place[x.i]];
}

static bool moves(const Finder *f, ExprId x)
{
    return at(f, x)->made >= OF_TIME_LINEAR;
}

static bool is_still(const Finder *f, ExprId x)
{
    return expr_is_fixed(f->p, x);
}

/* RUNG_NONE: there is none. */
static uint32_t operation(const ExprPool *p, ExprId x)
{
#define OPERATION(op, modelica, c) RUNG_TIME_##op,
    static const uint8_t of_fn[FN_COUNT] = {ELEMENTARY_FUNCTIONS(OPERATION)};
#undef OPERATION
    static const uint8_t of_fn2[FN2_COUNT] = {[FN2_MIN] = RUNG_TIME_MIN, [FN2_MAX] = RUNG_TIME_MAX};
    static const uint8_t of_op[OP_COUNT] = {
        [OP_NEG] = RUNG_TIME_NEG, [OP_ADD] = RUNG_TIME_ADD, [OP_SUB] = RUNG_TIME_SUB,
        [OP_MUL] = RUNG_TIME_MUL, [OP_DIV] = RUNG_TIME_DIV, [OP_POW] = RUNG_TIME_POW,
        [OP_LT] = RUNG_TIME_LT,   [OP_LE] = RUNG_TIME_LE,   [OP_AND] = RUNG_TIME_AND,
        [OP_OR] = RUNG_TIME_OR,   [OP_NOT] = RUNG_TIME_NOT, [OP_SELECT] = RUNG_TIME_SELECT,
    };
    Op op = expr_op(p, x);
    if (op == OP_TIME)
        return RUNG_TIME_NOW;
    uint8_t row = op == OP_FN    ? of_fn[expr_fn_of(p, x)]
                  : op == OP_FN2 ? of_fn2[expr_fn2_of(p, x)]
                                 : of_op[op];
    return row ? row : RUNG_NONE;
}

static bool changes_nothing(Op op)
{
    return op == OP_NOEVENT || op == OP_SMOOTH;
}

static bool is_state(const Finder *f, ExprId x)
{
    return expr_op(f->p, x) == OP_VAR && f->leaf[expr_var_of(f->p, x).i] == LEAF_STATE;
}

static bool is_unknown(const Finder *f, ExprId x)
{
    return expr_op(f->p, x) == OP_VAR && f->leaf[expr_var_of(f->p, x).i] == LEAF_UNKNOWN;
}

/* Inputs and delayed expressions. */
static bool is_input(const Finder *f, ExprId x)
{
    return expr_op(f->p, x) == OP_VAR && f->leaf[expr_var_of(f->p, x).i] == LEAF_INPUT &&
           !f->is_memory[expr_var_of(f->p, x).i];
}

static Made made_of(const Finder *f, ExprId x)
{
    if (is_still(f, x))
        return OF_MEMORY;
    Op op = expr_op(f->p, x);
    if (f->of_several && (op == OP_TIME || is_unknown(f, x) || is_input(f, x)))
        return OF_TIME_LINEAR;
    if (op == OP_TIME)
        return f->of_states ? OF_OTHERS : OF_TIME_LINEAR;
    if (is_state(f, x)) {
        at(f, x)->state = f->leaf_index[expr_var_of(f->p, x).i];
        return f->of_states ? OF_TIME_LINEAR : OF_OTHERS;
    }
    if (op == OP_VAR)
        return f->is_memory[expr_var_of(f->p, x).i] ? OF_MEMORY : OF_OTHERS;
    if (changes_nothing(op)) {
        at(f, x)->state = at(f, expr_arg(f->p, x, 0))->state;
        return at(f, expr_arg(f->p, x, 0))->made;
    }
    if (operation(f->p, x) == RUNG_NONE)
        return OF_OTHERS;
    bool any = false, linear = true;
    for (uint32_t k = 0; k < expr_n_args(f->p, x); k++) {
        ExprId a = expr_arg(f->p, x, k);
        uint8_t of = at(f, a)->made;
        bool is_another = any && of != OF_MEMORY && at(f, a)->state != at(f, x)->state;
        if (of == OF_OTHERS || (is_another && !f->of_several))
            return OF_OTHERS;
        if (of != OF_MEMORY)
            at(f, x)->state = at(f, a)->state;
        any = any || of != OF_MEMORY;
        linear = linear && of != OF_TIME;
    }
    if (!any)
        return OF_MEMORY;
    bool is_sum = op == OP_NEG || op_is_sum(op);
    bool is_scaled =
        (op == OP_MUL && !(moves(f, expr_arg(f->p, x, 0)) && moves(f, expr_arg(f->p, x, 1)))) ||
        (op == OP_DIV && !moves(f, expr_arg(f->p, x, 1)));
    return linear && (is_sum || is_scaled) ? OF_TIME_LINEAR : OF_TIME;
}

/* Is x a function of an argument linear in time, which has no narrow pulse. */
static bool is_plain(const Finder *f, ExprId x)
{
    Op op = expr_op(f->p, x);
    if (op == OP_LT || op == OP_LE)
        return at(f, expr_arg(f->p, x, 0))->made != OF_TIME &&
               at(f, expr_arg(f->p, x, 1))->made != OF_TIME;
    bool is_power = op == OP_POW && !moves(f, expr_arg(f->p, x, 1));
    return (op == OP_FN || is_power) && at(f, expr_arg(f->p, x, 0))->made == OF_TIME_LINEAR;
}

static bool is_wave(const Finder *f, ExprId x)
{
    Op op = expr_op(f->p, x);
    if (at(f, x)->made != OF_TIME)
        return at(f, x)->made != OF_OTHERS;
    if (op == OP_FN)
        return (expr_fn_of(f->p, x) == FN_SIN || expr_fn_of(f->p, x) == FN_COS) && is_plain(f, x);
    if (op != OP_NEG && !op_is_sum(op) && op != OP_MUL && !changes_nothing(op))
        return false;
    bool are = true;
    for (uint32_t k = 0; k < expr_n_args(f->p, x); k++)
        are = are && at(f, expr_arg(f->p, x, k))->is_wave;
    return are;
}

/* Whether two of the operands go from one level to another, as tanh does: from their sum or product
 * a pulse may be made that none of them has. */
static bool joins_steps(const Finder *f, ExprId x)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < expr_n_args(f->p, x); k++) {
        ExprId a = expr_arg(f->p, x, k);
        n += at(f, a)->made == OF_TIME && !at(f, a)->is_wave;
    }
    return n > 1;
}

static uint32_t put_row(Finder *f, uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
    vec_push(f->mem, f->out.op, op);
    vec_push(f->mem, f->out.a, a);
    vec_push(f->mem, f->out.b, b);
    vec_push(f->mem, f->out.c, c);
    return f->out.op.n;
}

/* The row of a leaf, + 1. */
static uint32_t put_leaf(Finder *f, ExprId x)
{
    double value;
    if (expr_constant(f->p, x, &value)) {
        vec_push(f->mem, f->out.number, value);
        return put_row(f, RUNG_TIME_NUMBER, f->out.number.n - 1, 0, 0);
    }
    if (expr_op(f->p, x) == OP_VAR) {
        VarId v = expr_var_of(f->p, x);
        if (f->is_memory[v.i])
            return put_row(f, RUNG_TIME_MEMORY, f->leaf_index[v.i], 0, 0);
        if (f->leaf[v.i] == LEAF_PARAMETER)
            return put_row(f, RUNG_TIME_PARAMETER, f->leaf_index[v.i], 0, 0);
        if (is_unknown(f, x))
            return put_row(f, RUNG_TIME_UNKNOWN, f->leaf_index[v.i], 0, 0);
        if (is_input(f, x))
            return put_row(f, RUNG_TIME_INPUT, f->leaf_index[v.i], 0, 0);
    }
    return put_row(f, RUNG_TIME_CONSTANT, coder_constant(f->coder, x), 0, 0);
}

/* Writes the rows of x and of its operands. */
static void put_rows(Finder *f, ExprId root)
{
    vec_push(f->mem, f->stack, root);
    while (f->stack.n) {
        ExprId x = vec_last(f->stack);
        uint32_t n = is_still(f, x) ? 0 : expr_n_args(f->p, x), row[3] = {0};
        bool ready = true;
        for (uint32_t k = n; k-- > 0 && !at(f, x)->row;) {
            ExprId a = expr_arg(f->p, x, k);
            row[k] = at(f, a)->row - 1;
            if (at(f, a)->row)
                continue;
            vec_push(f->mem, f->stack, a);
            ready = false;
        }
        if (!ready)
            continue;
        f->stack.n--;
        if (at(f, x)->row)
            continue;
        Op op = expr_op(f->p, x);
        if (changes_nothing(op))
            at(f, x)->row = row[0] + 1;
        else if (is_state(f, x))
            at(f, x)->row =
                put_row(f, RUNG_TIME_STATE, f->leaf_index[expr_var_of(f->p, x).i], 0, 0);
        else if (n || op == OP_TIME)
            at(f, x)->row = put_row(f, operation(f->p, x), row[0], row[1], row[2]);
        else
            at(f, x)->row = put_leaf(f, x);
    }
}

static void put_term(Finder *f, ExprId x)
{
    put_rows(f, x);
    vec_push(f->mem, f->out.term, at(f, x)->row - 1);
}

/* x depends on time alone, its user does not. Splits its sums and products into terms. */
static void take_apart(Finder *f, ExprId root)
{
    vec_push(f->mem, f->todo, root);
    while (f->todo.n) {
        ExprId x = f->todo.at[--f->todo.n];
        if (at(f, x)->looked || at(f, x)->made != OF_TIME)
            continue;
        at(f, x)->looked = true;
        switch (expr_op(f->p, x)) {
        case OP_ADD:
        case OP_SUB:
        case OP_MUL:
            if (joins_steps(f, x))
                put_term(f, x);
            // fallthrough
        case OP_NEG:
        case OP_NOEVENT:
        case OP_SMOOTH:
            for (uint32_t k = 0; k < expr_n_args(f->p, x); k++)
                vec_push(f->mem, f->todo, expr_arg(f->p, x, k));
            break;
        case OP_DIV:
            vec_push(f->mem, f->todo, expr_arg(f->p, x, 0));
            // a number divided by a linear function has no extremum
            if (at(f, expr_arg(f->p, x, 1))->made == OF_TIME ||
                (moves(f, expr_arg(f->p, x, 0)) && moves(f, expr_arg(f->p, x, 1))))
                put_term(f, x);
            break;
        default:
            if (!is_plain(f, x))
                put_term(f, x);
            else if (expr_op(f->p, x) == OP_FN && expr_fn_of(f->p, x) == FN_ABS && !f->of_states)
                put_rows(f, x); // no pulse, but a kink
        }
    }
}

/* ------------------------------------------------------------------ terms of several states */

/* How many operands of x are sharp: a pulse may be made of two that none of them has. */
static uint32_t count_sharp(const Finder *f, ExprId x)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < expr_n_args(f->p, x); k++)
        n += at(f, expr_arg(f->p, x, k))->sharp > IS_SMOOTH;
    return n;
}

/* The shape of x as a function of its operands. */
static Sharp own_sharp(const Finder *f, ExprId x)
{
    if (is_plain(f, x)) {
        bool levels = expr_op(f->p, x) == OP_FN &&
                      (expr_fn_of(f->p, x) == FN_TANH || expr_fn_of(f->p, x) == FN_ATAN);
        return levels ? IS_RISE : IS_SMOOTH;
    }
    switch (expr_op(f->p, x)) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: {
        bool rises = false;
        for (uint32_t k = 0; k < expr_n_args(f->p, x); k++)
            rises = rises || at(f, expr_arg(f->p, x, k))->sharp == IS_RISE;
        return rises && count_sharp(f, x) > 1 ? IS_SHARP : IS_SMOOTH;
    }
    case OP_FN:
        switch (expr_fn_of(f->p, x)) {
        case FN_SIN:
        case FN_COS:
        case FN_ASIN:
        case FN_ACOS:
        case FN_SQRT:
        case FN_LOG:
        case FN_LOG10:
            return IS_SMOOTH;
        default:
            return IS_SHARP;
        }
    case OP_POW: {
        enum { FLAT = 4 };
        double n = NAN; // not constant
        bool is_flat = expr_constant(f->p, expr_arg(f->p, x, 1), &n) && n > 0 && n <= FLAT;
        return is_flat ? IS_SMOOTH : n < 0 ? IS_QUOTIENT : IS_SHARP;
    }
    case OP_DIV:
        return moves(f, expr_arg(f->p, x, 1)) ? IS_QUOTIENT : IS_SMOOTH;
    case OP_FN2:
    case OP_SELECT:
        return IS_SHARP;
    default:
        return IS_SMOOTH;
    }
}

/* Finds made, sharp, depth, is_time and is_solved of x from those of its operands. */
static void classify(Finder *f, ExprId x)
{
    TimeNode *it = at(f, x);
    it->made = (uint8_t)made_of(f, x);
    it->is_wave = is_wave(f, x);
    if (!f->of_several)
        return;
    it->is_time = expr_op(f->p, x) == OP_TIME || expr_n_args(f->p, x) > 0;
    it->is_solved = is_unknown(f, x);
    it->sharp = IS_SMOOTH;
    uint32_t below = 0;
    for (uint32_t k = 0; k < expr_n_args(f->p, x); k++) {
        ExprId a = expr_arg(f->p, x, k);
        const TimeNode *of = at(f, a);
        it->is_time = it->is_time && (of->is_time || !moves(f, a));
        it->is_solved = it->is_solved || of->is_solved;
        if (of->sharp > it->sharp)
            it->sharp = of->sharp;
        if (!is_still(f, x) && of->depth > below)
            below = of->depth;
    }
    it->depth = below + !changes_nothing(expr_op(f->p, x));
    Sharp own = it->made != OF_TIME ? IS_SMOOTH : own_sharp(f, x);
    if (own > it->sharp)
        it->sharp = (uint8_t)own;
}

/* Rows that x adds, up to `most` + 1. */
static uint32_t count_rows(Finder *f, ExprId root, uint64_t most, Arena *scratch)
{
    VEC(ExprId) stack = {0};
    uint32_t n = 0;
    f->n_counts++;
    vec_push(scratch, stack, root);
    while (stack.n && n <= most) {
        ExprId x = stack.at[--stack.n];
        if (at(f, x)->row || at(f, x)->counted_in == f->n_counts)
            continue;
        at(f, x)->counted_in = f->n_counts;
        n++;
        for (uint32_t k = 0; k < (is_still(f, x) ? 0 : expr_n_args(f->p, x)); k++)
            vec_push(scratch, stack, expr_arg(f->p, x, k));
    }
    return n;
}

/* Makes a term of x if it is cheap enough. Along a chain of bodies each quotient contains the one
 * before, so nearly all are too long, and each count costs as many rows as are left. The depth says
 * so of most without a count: of the rows on one way down, no more than all there are so far can be
 * shared. When the rows counted for terms that were too long exceed a multiple of the nodes, only
 * short terms are tried. */
static bool try_term(Finder *f, ExprId x)
{
    enum { IN_VAIN = 4, SHORT = 64 };
    Sharp how = at(f, x)->sharp;
    // to find an unknown of a block costs as much as the derivatives
    if (how == IS_QUOTIENT && at(f, x)->is_solved)
        return false;
    bool is_late = f->in_vain > (uint64_t)IN_VAIN * f->n;
    uint64_t most = is_late && f->left[how] > SHORT ? SHORT : f->left[how];
    if (at(f, x)->depth > most + f->out.op.n)
        return false;
    Arena *scratch = arena_new();
    uint32_t n = count_rows(f, x, most, scratch);
    arena_free(scratch);
    if (n > most) {
        f->in_vain += n;
        return false;
    }
    f->left[how] -= n;
    put_term(f, x);
    return true;
}

/* Splits x, a whole derivative or an operand of an expression that is no term, into terms. */
static void take_several(Finder *f, ExprId root)
{
    vec_push(f->mem, f->todo, root);
    while (f->todo.n) {
        ExprId x = f->todo.at[--f->todo.n];
        bool is_open =
            at(f, x)->made == OF_TIME && at(f, x)->sharp > IS_SMOOTH && !at(f, x)->is_time;
        if (at(f, x)->looked || !is_open)
            continue;
        at(f, x)->looked = true;
        bool is_split = true;
        switch (expr_op(f->p, x)) {
        case OP_ADD:
        case OP_SUB:
        case OP_MUL:
            if (count_sharp(f, x) > 1)
                try_term(f, x);
            break;
        case OP_NEG:
        case OP_NOEVENT:
        case OP_SMOOTH:
            break;
        default:
            is_split = is_plain(f, x) || !try_term(f, x);
        }
        for (uint32_t k = 0; k < (is_split ? expr_n_args(f->p, x) : 0); k++)
            vec_push(f->mem, f->todo, expr_arg(f->p, x, k));
    }
}

static void find_memory(Finder *f)
{
    for (uint32_t k = 0; k < f->g->n_memory; k++)
        f->is_memory[f->g->memory[k].var.i] = f->g->memory[k].kind != MEMORY_DELAY;
}

/* The nodes of the pool that are reached. */
static void find_nodes(Finder *f, uint32_t n_pool, const bool *reached, Arena *mem)
{
    uint32_t *place = arena_array(mem, uint32_t, n_pool + 1);
    for (uint32_t k = 0; k < n_pool; k++) {
        place[k] = f->n;
        f->n += reached[k];
    }
    f->place = place;
    f->node = arena_array(mem, TimeNode, f->n + 1);
    for (uint32_t k = 0; k < n_pool; k++)
        if (reached[k])
            at(f, (ExprId){k})->x = (ExprId){k};
}

static void classify_all(Finder *f)
{
    for (uint32_t k = 0; k < f->n; k++)
        classify(f, f->node[k].x);
}

static void take_roots(Finder *f, const bool *is_root, void (*take)(Finder *f, ExprId root))
{
    for (uint32_t k = 0; k < f->n; k++) {
        ExprId x = f->node[k].x;
        if (is_root[x.i])
            take(f, x);
        for (uint32_t i = 0; f->node[k].made == OF_OTHERS && i < expr_n_args(f->p, x); i++)
            take(f, expr_arg(f->p, x, i));
    }
}

TimeTerms time_terms_find(const Program *g, Coder *c, const uint8_t *leaf,
                          const uint32_t *leaf_index, bool of_states, Arena *mem)
{
    Arena *scratch = arena_new();
    uint32_t n = pool_size(g->sys->pool);
    Finder f = {.g = g,
                .p = g->sys->pool,
                .coder = c,
                .leaf = leaf,
                .leaf_index = leaf_index,
                .of_states = of_states,
                .is_memory = arena_array(scratch, bool, g->sys->var.n + 1),
                .mem = mem};
    find_memory(&f);
    const uint64_t operations = program_operations(f.p, g->n_states, g->derivative);
    f.left[IS_SHARP] = SHARP_FEW + operations / SHARP_SHARE;
    // where a loop is near a singular position quotients by pivots grow and fall, by design
    f.left[IS_QUOTIENT] = g->loops ? 0 : QUOTIENT_FEW + operations / QUOTIENT_SHARE;
    bool *reached = arena_array(scratch, bool, n + 1), *is_root = arena_array(scratch, bool, n + 1);
    program_reach(f.p, g->n_states, g->derivative, reached);
    for (uint32_t k = 0; k < g->n_states; k++)
        is_root[g->derivative[k].i] = true;
    for (uint32_t b = 0; b < program_own_blocks(g); b++) {
        program_reach(f.p, g->block[b].n, g->block[b].residual, reached);
        for (uint32_t k = 0; k < g->block[b].n; k++)
            is_root[g->block[b].residual[k].i] = true;
    }
    for (uint32_t k = 0; k < g->n_memory; k++) {
        const Memory *m = &g->memory[k];
        bool is_compared = m->kind == MEMORY_RELATION && !m->is_exact && of_states;
        if (!is_compared && m->kind != MEMORY_DELAY)
            continue;
        ExprId compared = m->of;
        program_reach(f.p, 1, &compared, reached);
        is_root[compared.i] = true;
    }
    find_nodes(&f, n, reached, scratch);
    classify_all(&f);
    take_roots(&f, is_root, take_apart);
    if (of_states) {
        f.of_several = true;
        classify_all(&f);
        take_roots(&f, is_root, take_several);
    }
    arena_free(scratch);
    return f.out;
}

void time_terms_table(const TimeTerms *it, const char *name, Tables *t)
{
    const struct {
        const char *of;
        uint32_t n, *at;
    } row[] = {{"op", it->op.n, it->op.at},
               {"a", it->a.n, it->a.at},
               {"b", it->b.n, it->b.at},
               {"c", it->c.n, it->c.at},
               {"term", it->term.n, it->term.at}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        table_indices(t, arena_printf(t->mem, "%s_%s", name, row[k].of), row[k].n, row[k].at, NULL);
    uint64_t *token = arena_array(t->mem, uint64_t, it->number.n + 1);
    Repeats alike = table_repeats(it->number.n, token, t->mem);
    table_doubles(t, arena_printf(t->mem, "%s_number", name), it->number.n, it->number.at, &alike);
    text_printf(t->out,
                "\nstatic const RungTimeTerms %s_terms = {\n    .n = %uu,\n    .n_terms = %uu,\n"
                "    .op = %s_op,\n    .a = %s_a,\n    .b = %s_b,\n    .c = %s_c,\n"
                "    .number = %s_number,\n    .term = %s_term,\n};\n",
                name, it->op.n, it->term.n, name, name, name, name, name, name);
}
