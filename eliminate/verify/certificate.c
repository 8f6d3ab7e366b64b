// gmp.h declares mpq_out_str only behind it
#include <stdio.h>

#include "eliminate/verify/certificate.h"

#include "base/bug.h"

/* One of the two Systems. */
typedef struct Side {
    System *s;
    uint32_t *number; /* per node: UNKNOWN_YET, OPEN: operands are missing, or its number */
    VEC(ExprId) stack;
} Side;

enum { UNKNOWN_YET = 0, OPEN = 1, FIRST_NUMBER = 2 };

typedef struct Writer {
    FILE *f;
    Arena *mem;
    const Program *g;
    Correspondence c;
    Side program, model;
    uint32_t n;             /* nodes written */
    VEC(uint32_t) supposed; /* relations that depend on themselves: memories */
} Writer;

static void put_name(FILE *f, const char *s)
{
    putc('"', f);
    for (; *s; s++) {
        if ((unsigned char)*s < ' ') {
            fprintf(f, "\\u%04x", (unsigned)*s);
            continue;
        }
        if (*s == '"' || *s == '\\')
            putc('\\', f);
        putc(*s, f);
    }
    putc('"', f);
}

static const char *op_word(const ExprPool *p, ExprId x)
{
    static const char *const word[OP_COUNT] = {
        [OP_NEG] = "neg",   [OP_ADD] = "add",   [OP_SUB] = "sub", [OP_MUL] = "mul",
        [OP_DIV] = "ratio", [OP_POW] = "pow",   [OP_LT] = "lt",   [OP_LE] = "le",
        [OP_EQ] = "eq",     [OP_NE] = "ne",     [OP_AND] = "and", [OP_OR] = "or",
        [OP_NOT] = "not",   [OP_SELECT] = "if",
    };
    Op op = expr_op(p, x);
    const char *out = op == OP_FN    ? fn_name(expr_fn_of(p, x))
                      : op == OP_FN2 ? fn2_name(expr_fn2_of(p, x))
                                     : word[op];
    if (!out)
        bug("certificate: operator %d", (int)op);
    return out;
}

static const Function *function_of(const Side *side, ExprId call)
{
    return &side->s->function->at[expr_func_of(side->s->pool, call).i];
}

/* The memory that a variable of the program is; UINT32_MAX: none. */
static uint32_t memory_of(const Writer *w, const Side *side, ExprId x)
{
    const ExprPool *p = side->s->pool;
    if (side != &w->program || expr_op(p, x) != OP_VAR)
        return UINT32_MAX;
    VarId v = expr_var_of(p, x);
    return v.i < w->g->sys->var.n ? w->c.memory_of[v.i] : UINT32_MAX;
}

static bool is_of_value(const Memory *m)
{
    return m->kind == MEMORY_RELATION || m->kind == MEMORY_FLOOR;
}

/* The expression that x only passes on the value of; EXPR_NONE. */
static ExprId stands_for(const Writer *w, const Side *side, ExprId x)
{
    const ExprPool *p = side->s->pool;
    Op op = expr_op(p, x);
    if (op == OP_NOEVENT || op == OP_SMOOTH ||
        (op == OP_PRE && exact_is_before(side->s, expr_arg(p, x, 0))))
        return expr_arg(p, x, 0);
    if (op == OP_PROJ && function_of(side, expr_arg(p, x, 0))->intrinsic == INTRINSIC_HOMOTOPY)
        return expr_arg(p, expr_arg(p, x, 0), 0);
    if (op == OP_VAR && side == &w->model)
        return w->c.bound[expr_var_of(p, x).i];
    return EXPR_NONE;
}

/* The k-th node that has to be written before x; EXPR_NONE behind the last one. */
static ExprId needs(const Writer *w, const Side *side, ExprId x, uint32_t k)
{
    const ExprPool *p = side->s->pool;
    Op op = expr_op(p, x);
    ExprId same = stands_for(w, side, x);
    uint32_t m = memory_of(w, side, x);
    if (expr_exists(same))
        return k == 0 ? same : EXPR_NONE;
    if (m != UINT32_MAX)
        return k == 0 && is_of_value(&w->g->memory[m]) ? w->g->memory[m].of : EXPR_NONE;
    return op != OP_PRE && k < expr_n_args(p, x) ? expr_arg(p, x, k) : EXPR_NONE;
}

static uint32_t number(const Side *side, ExprId x)
{
    return side->number[x.i] - FIRST_NUMBER;
}

static void begin_node(Writer *w, Side *side, ExprId x, const char *word)
{
    side->number[x.i] = FIRST_NUMBER + w->n;
    fprintf(w->f, "%u %s", w->n++, word);
}

static void put_named(Writer *w, Side *side, ExprId x, const char *word, const char *name)
{
    begin_node(w, side, x, word);
    putc(' ', w->f);
    put_name(w->f, name);
    putc('\n', w->f);
}

static void put_memory(Writer *w, Side *side, ExprId x, const Memory *m, uint32_t k)
{
    if (m->kind == MEMORY_RELATION || m->kind == MEMORY_FLOOR) {
        uint32_t of = number(side, m->of);
        uint32_t zero = w->n;
        if (m->kind == MEMORY_RELATION)
            fprintf(w->f, "%u num 0\n", w->n++);
        begin_node(w, side, x, m->kind == MEMORY_FLOOR ? "floor" : m->is_strict ? "lt" : "le");
        fprintf(w->f, m->kind == MEMORY_RELATION ? " %u %u\n" : " %u\n", of, zero);
        return;
    }
    ExprId of = w->g->sys->memory.at[k].of;
    const bool is_before = m->kind == MEMORY_PRE || m->kind == MEMORY_LEFT_LIMIT;
    const Var *v = is_before && expr_op(side->s->pool, of) == OP_VAR
                       ? var_at(side->s, expr_var_of(side->s->pool, of))
                       : NULL;
    if (v && v->kind != VAR_MEMORY) {
        put_named(w, side, x, v->type == TYPE_REAL ? "pre" : "was", v->name.s);
    } else {
        begin_node(w, side, x, "num 0");
        putc('\n', w->f);
    }
}

/* pre(x) in an expression, as exact_before() has it. */
static void put_before(Writer *w, Side *side, ExprId x)
{
    const ExprPool *p = side->s->pool;
    ExprId of = expr_arg(p, x, 0);
    const Var *v = expr_op(p, of) == OP_VAR ? var_at(side->s, expr_var_of(p, of)) : NULL;
    if (v && v->kind != VAR_MEMORY) {
        put_named(w, side, x, v->type == TYPE_REAL ? "pre" : "was", v->name.s);
    } else {
        begin_node(w, side, x, "num 0");
        putc('\n', w->f);
    }
}

static void put_call(Writer *w, Side *side, ExprId x)
{
    const ExprPool *p = side->s->pool;
    const Function *f = function_of(side, x);
    begin_node(w, side, x, "call ");
    fprintf(w->f, "%u", f->n_primal);
    for (uint32_t k = 0; k < expr_n_args(p, x); k++)
        fprintf(w->f, " %u", number(side, expr_arg(p, x, k)));
    putc(' ', w->f);
    put_name(w->f, f->key.s);
    putc('\n', w->f);
}

/* Writes x, whose operands are written. */
static void put_node(Writer *w, Side *side, ExprId x)
{
    const ExprPool *p = side->s->pool;
    ExprId same = stands_for(w, side, x);
    uint32_t m = memory_of(w, side, x);
    if (expr_exists(same)) {
        side->number[x.i] = side->number[same.i];
        return;
    }
    if (m != UINT32_MAX) {
        put_memory(w, side, x, &w->g->memory[m], m);
        return;
    }
    switch (expr_op(p, x)) {
    case OP_NUM:
        begin_node(w, side, x, "num ");
        mpq_out_str(w->f, 10, expr_rational(p, x));
        break;
    case OP_STRING:
        put_named(w, side, x, "text", expr_text_of(p, x).s);
        return;
    case OP_VAR: {
        const Var *v = var_at(side->s, expr_var_of(p, x));
        if (v->kind == VAR_MEMORY)
            begin_node(w, side, x, "num 0");
        else
            put_named(w, side, x, "var", v->name.s);
        if (v->kind != VAR_MEMORY)
            return;
        break;
    }
    case OP_TIME:
        begin_node(w, side, x, "time");
        break;
    case OP_INITIAL:
        begin_node(w, side, x, "num 0");
        break;
    case OP_PRE:
        put_before(w, side, x);
        return;
    case OP_CALL:
        put_call(w, side, x);
        return;
    case OP_PROJ:
        if (function_of(side, expr_arg(p, x, 0))->intrinsic == INTRINSIC_DELAY) {
            begin_node(w, side, x, "num 0");
            break;
        }
        begin_node(w, side, x, "proj");
        fprintf(w->f, " %u %u", number(side, expr_arg(p, x, 0)), expr_proj_of(p, x));
        break;
    default:
        begin_node(w, side, x, op_word(p, x));
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            fprintf(w->f, " %u", number(side, expr_arg(p, x, k)));
        break;
    }
    putc('\n', w->f);
}

/* x waits for itself, through a relation: that one is supposed, and all that waits for it begins
 * anew. */
static void suppose(Writer *w, Side *side, uint32_t bottom)
{
    while (side->stack.n > bottom) {
        ExprId x = vec_last(side->stack);
        uint32_t m = memory_of(w, side, x);
        bool is_open = side->number[x.i] == OPEN;
        if (is_open)
            side->number[x.i] = UNKNOWN_YET;
        side->stack.n--;
        if (!is_open || m == UINT32_MAX || w->g->memory[m].kind != MEMORY_RELATION)
            continue;
        begin_node(w, side, x, "suppose");
        fprintf(w->f, " %u\n", m);
        vec_push(w->mem, w->supposed, m);
        return;
    }
    bug("certificate: a value depends on itself");
}

static void write_below(Writer *w, Side *side, ExprId root)
{
    uint32_t bottom = side->stack.n;
    while (side->number[root.i] < FIRST_NUMBER) {
        if (side->stack.n == bottom)
            vec_push(w->mem, side->stack, root);
        ExprId x = vec_last(side->stack);
        if (side->number[x.i] >= FIRST_NUMBER) {
            side->stack.n--;
            continue;
        }
        side->number[x.i] = OPEN;
        bool ready = true;
        bool circular = false;
        for (uint32_t k = 0; expr_exists(needs(w, side, x, k)); k++) {
            ExprId y = needs(w, side, x, k);
            if (side->number[y.i] >= FIRST_NUMBER)
                continue;
            circular = circular || side->number[y.i] == OPEN;
            vec_push(w->mem, side->stack, y);
            ready = false;
        }
        if (circular) {
            suppose(w, side, bottom);
        } else if (ready) {
            side->stack.n--;
            put_node(w, side, x);
        }
    }
    /* nodes that waited for a relation now assumed */
    for (; side->stack.n > bottom; side->stack.n--)
        if (side->number[vec_last(side->stack).i] == OPEN)
            side->number[vec_last(side->stack).i] = UNKNOWN_YET;
}

static uint32_t write_node(Writer *w, Side *side, ExprId root)
{
    write_below(w, side, root);
    while (w->supposed.n) {
        uint32_t m = w->supposed.at[--w->supposed.n];
        const Memory *it = &w->g->memory[m];
        write_below(w, &w->program, it->of);
        fprintf(w->f, "given %u %u\n", number(&w->program, system_var_expr(w->g->sys, it->var)),
                number(&w->program, it->of));
    }
    return number(side, root);
}

static Side side_of(System *s, Arena *mem)
{
    return (Side){.s = s, .number = arena_array(mem, uint32_t, pool_size(s->pool))};
}

/* The program's values of the model's unknowns. */
static void write_values(Writer *w)
{
    System *flat = w->model.s;
    Arena *mem = w->mem;
    VEC(uint32_t) value = {0};
    VEC(uint32_t) var = {0};
    fputs("program\n", w->f);
    for (uint32_t k = 0; k < w->g->n_memory; k++)
        if (w->g->memory[k].kind == MEMORY_RELATION)
            write_node(w, &w->program, system_var_expr(w->g->sys, w->g->memory[k].var));
    for (uint32_t k = 0; k < flat->var.n; k++) {
        if (!var_is_unknown(&flat->var.at[k]) || w->c.match[k] == UINT32_MAX)
            continue;
        vec_push(mem, var, k);
        vec_push(mem, value, write_node(w, &w->program, w->g->value[w->c.match[k]]));
    }
    VEC(uint32_t) residual = {0};
    for (uint32_t b = 0; b < w->g->n_blocks; b++)
        for (uint32_t k = 0; k < w->g->block[b].n; k++)
            vec_push(mem, residual, write_node(w, &w->program, w->g->block[b].residual[k]));
    fprintf(w->f, "values %u\n", var.n);
    for (uint32_t k = 0; k < var.n; k++) {
        fprintf(w->f, "%u ", value.at[k]);
        put_name(w->f, flat->var.at[var.at[k]].name.s);
        putc('\n', w->f);
    }
    fprintf(w->f, "states %u\n", w->g->n_states);
    for (uint32_t k = 0; k < w->g->n_states; k++) {
        put_name(w->f, var_at(w->g->sys, w->g->state[k])->name.s);
        putc('\n', w->f);
    }
    fprintf(w->f, "residuals %u\n", residual.n);
    uint32_t n = 0;
    for (uint32_t b = 0; b < w->g->n_blocks; b++)
        for (uint32_t k = 0; k < w->g->block[b].n; k++) {
            fprintf(w->f, "%u ", residual.at[n++]);
            put_name(w->f, var_at(w->g->sys, w->g->block[b].unknown[k])->name.s);
            putc('\n', w->f);
        }
}

/* The text of an equation, as a comment. */
static void put_text(Writer *w, const Eq *q)
{
    enum { MOST = 200 };
    ArenaMark mark = arena_mark(w->mem);
    const System *s = w->model.s;
    fprintf(w->f, "# %s = ", expr_text_cut(s, q->lhs, MOST, w->mem));
    fprintf(w->f, "%s\n", expr_text_cut(s, q->rhs, MOST, w->mem));
    arena_rollback(w->mem, mark);
}

static void write_equations(Writer *w, const LoopCut *cut)
{
    System *flat = w->model.s;
    const LoopConstraints *loops = w->g->loops;
    uint32_t n = 0;
    for (uint32_t k = 0; k < flat->eq.n; k++)
        n += expr_op(flat->pool, flat->eq.at[k].lhs) != OP_STRING;
    uint32_t *side = arena_array(w->mem, uint32_t, 2 * (size_t)flat->eq.n + 1);
    fputs("model\n", w->f);
    for (uint32_t k = 0; k < flat->eq.n; k++) {
        const Eq *q = &flat->eq.at[k];
        if (expr_op(flat->pool, q->lhs) == OP_STRING)
            continue;
        side[2 * k] = write_node(w, &w->model, q->lhs);
        side[2 * k + 1] = write_node(w, &w->model, q->rhs);
    }
    uint32_t n_phi = cut ? cut->n_constraints : 0;
    uint32_t n_cut = cut ? n_phi + cut->n_massless : 0;
    uint32_t *pair = arena_array(w->mem, uint32_t, 2 * (size_t)n_cut + 1);
    for (uint32_t k = 0; k < n_cut; k++) {
        pair[2 * k] = write_node(w, &w->model, k < n_phi ? cut->phi[k] : cut->balance[k - n_phi]);
        pair[2 * k + 1] =
            write_node(w, &w->program, k < n_phi ? loops->phi[k] : loops->balance[k - n_phi]);
    }
    fprintf(w->f, "cuts %u\n", n_cut);
    for (uint32_t k = 0; k < n_cut; k++)
        fprintf(w->f, "%u %u\n", pair[2 * k], pair[2 * k + 1]);
    fprintf(w->f, "equations %u\n", n);
    for (uint32_t k = 0; k < flat->eq.n; k++) {
        if (expr_op(flat->pool, flat->eq.at[k].lhs) == OP_STRING)
            continue;
        put_text(w, &flat->eq.at[k]);
        fprintf(w->f, "%u %u\n", side[2 * k], side[2 * k + 1]);
    }
}

void certificate_write(const Program *g, System *flat, const LoopCut *cut, uint32_t n_points,
                       FILE *f)
{
    Arena *mem = arena_new();
    Writer w = {.f = f, .mem = mem, .g = g, .c = correspondence_of(g, flat, mem)};
    for (uint32_t k = 0; k < g->n_memory; k++)
        system_var_expr(g->sys, g->memory[k].var); /* from now on the pools do not grow */
    w.program = side_of(g->sys, mem);
    w.model = side_of(flat, mem);
    fputs("rung certificate 1\n", f);
    put_name(f, flat->model);
    putc('\n', f);
    write_values(&w);
    write_equations(&w, cut);
    fprintf(f, "points %u\n", n_points);
    for (uint32_t k = 0; k < n_points; k++)
        fprintf(f, "%llu %u\n", (unsigned long long)verify_prime[k % VERIFY_PRIMES].p.p, k + 1);
    fprintf(f, "end %u\n", w.n);
    arena_free(mem);
}
