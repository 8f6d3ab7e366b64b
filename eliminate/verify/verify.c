#include "eliminate/verify/verify.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/prepare/der.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/parameters.h"
#include "eliminate/verify/slopes.h"

#include <math.h>
#include <stdlib.h>

/* Which variables depend on what a nonlinear block determines. */
static bool *numeric_variables(const Program *g, Arena *mem)
{
    const System *s = g->sys;
    uint32_t n = pool_size(s->pool);
    bool *node = arena_array(mem, bool, n);
    bool *var = arena_array(mem, bool, s->var.n);
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        for (uint32_t k = 0; k < g->block[b].n; k++)
            node[system_var_expr(g->sys, g->block[b].unknown[k]).i] = true;
    }
    /* operands come before users, but for a negation found later: two rounds find those */
    for (int round = 0; round < 2; round++) {
        for (uint32_t k = 0; k < n; k++) {
            for (uint32_t i = expr_n_args(s->pool, (ExprId){k}); i-- > 0;)
                node[k] = node[k] || node[expr_arg(s->pool, (ExprId){k}, i).i];
        }
    }
    // hidden ones may be younger than the program, and no flat equation knows them
    for (uint32_t k = 0; k < s->var.n; k++)
        var[k] = !s->var.at[k].is_hidden && node[g->value[k].i];
    return var;
}

typedef struct Comparison {
    const Program *g;
    System *flat;
    const bool *numeric;   /* per variable of the program */
    const LoopCut *cut;    /* of flat, or NULL */
    const ExprId *bound;   /* per variable of flat: what a final parameter is, or EXPR_NONE */
    const uint32_t *match; /* per variable of flat: that of the program, or UINT32_MAX */
    VerifyReport *report;
} Comparison;

/* Memory of the program: relations are what they are at this point. In order, since one may hold
 * another. */
static void remember(const Comparison *c, Exact *program)
{
    const System *s = c->g->sys;
    for (uint32_t k = 0; k < c->g->n_memory; k++) {
        const Memory *m = &c->g->memory[k];
        mpq_ptr q = exact_fresh(program);
        if (m->kind == MEMORY_RELATION) {
            int sign = mpq_sgn(exact_value(program, m->of));
            mpq_set_ui(q, sign < 0 || (sign == 0 && !m->is_strict), 1);
        } else if (m->kind == MEMORY_FLOOR) {
            mpq_srcptr x = exact_value(program, m->of);
            mpz_fdiv_q(mpq_numref(q), mpq_numref(x), mpq_denref(x));
            mpz_set_ui(mpq_denref(q), 1);
        } else if (m->kind == MEMORY_PRE) {
            exact_before(program, s->memory.at[k].of, q);
        }
        exact_set(program, m->var, q);
    }
}

/* ---- degrees ---- */

/* Of numerator and denominator, as polynomials in the numbers drawn; too large ones are infinite.
 */
typedef struct Degree {
    double num, den;
    double angle; /* how many angles are added up in it */
} Degree;

static Degree sum_degree(Degree a, Degree b)
{
    return (Degree){fmax(a.num + b.den, b.num + a.den), a.den + b.den, a.angle + b.angle};
}

static Degree larger_degree(Degree a, Degree b)
{
    return (Degree){fmax(a.num, b.num), fmax(a.den, b.den), 1};
}

/* A fraction drawn has one number above and one below; functions other than sine and cosine draw
 * one for each value of their argument. */
static Degree node_degree(const ExprPool *p, ExprId x, const Degree *of)
{
    uint32_t n = expr_n_args(p, x);
    Degree a = n > 0 ? of[expr_arg(p, x, 0).i] : (Degree){0, 0, 1};
    Degree b = n > 1 ? of[expr_arg(p, x, 1).i] : (Degree){0, 0, 1};
    switch (expr_op(p, x)) {
    case OP_NUM:
    case OP_STRING:
    case OP_INITIAL:
        return (Degree){0, 0, 1};
    case OP_NEG:
    case OP_NOEVENT:
    case OP_SMOOTH:
        return a;
    case OP_ADD:
    case OP_SUB:
        return sum_degree(a, b);
    case OP_MUL: {
        long times = 1;
        bool first = expr_is_int(p, expr_arg(p, x, 0), &times);
        bool multiple = first || expr_is_int(p, expr_arg(p, x, 1), &times);
        return (Degree){a.num + b.num, a.den + b.den,
                        multiple ? (double)labs(times) * (first ? b.angle : a.angle) : 1};
    }
    case OP_DIV:
        return (Degree){a.num + b.den, a.den + b.num, 1};
    case OP_FN:
        if (expr_fn_of(p, x) == FN_SIN || expr_fn_of(p, x) == FN_COS)
            return (Degree){4 * a.angle, 4 * a.angle, 1};
        return expr_fn_of(p, x) == FN_ABS ? a : (Degree){1, 1, 1};
    case OP_FN2:
    case OP_SELECT:
        a = larger_degree(a, b);
        return n > 2 ? larger_degree(b, of[expr_arg(p, x, 2).i]) : a;
    default:
        return (Degree){1, 1, 1};
    }
}

/* Of all nodes; known: of variables, or NULL. */
static Degree *degrees_of(const ExprPool *p, const Degree *known, Arena *mem)
{
    uint32_t n = pool_size(p);
    Degree *of = arena_array(mem, Degree, n);
    for (int round = 0; round < 2; round++) { /* for a negation found later, see above */
        for (uint32_t k = 0; k < n; k++) {
            ExprId x = {k};
            of[k] = known && expr_op(p, x) == OP_VAR ? known[expr_var_of(p, x).i]
                                                     : node_degree(p, x, of);
        }
    }
    return of;
}

static double largest_degree(const Comparison *c, Arena *mem)
{
    Degree *program = degrees_of(c->g->sys->pool, NULL, mem);
    Degree *known = arena_array(mem, Degree, c->flat->var.n);
    for (uint32_t k = 0; k < c->flat->var.n; k++) {
        const Var *v = &c->flat->var.at[k];
        bool solved = var_is_unknown(v);
        known[k] = solved && c->match[k] != UINT32_MAX ? program[c->g->value[c->match[k]].i]
                                                       : (Degree){1, 1, 1};
    }
    Degree *model = degrees_of(c->flat->pool, known, mem);
    for (uint32_t k = 0; k < c->flat->var.n; k++)
        if (expr_exists(c->bound[k]))
            known[k] = model[c->bound[k].i];
    model = degrees_of(c->flat->pool, known, mem);
    double largest = 0;
    for (uint32_t k = 0; k < c->flat->eq.n; k++) {
        const Eq *q = &c->flat->eq.at[k];
        largest = fmax(largest, sum_degree(model[q->lhs.i], model[q->rhs.i]).num);
    }
    return largest;
}

/* Regardless of sign, what Newton's method brings to zero at run time; at this point it is not. */
static uint64_t residual_key(mpq_srcptr q)
{
    mpq_t abs;
    mpq_init(abs);
    mpq_abs(abs, q);
    uint64_t key = exact_key(abs, 5000);
    mpq_clear(abs);
    return key;
}

/* At one point: what Newton's method brings to zero, and what equations miss there. */
typedef struct Missed {
    Map residual; /* by key: which one */
    uint32_t n;   /* of them           */
    mpq_ptr *of;
    bool *found;     /* an equation misses just that       */
    uint32_t n_rest; /* equations that miss something else */
    mpq_t rest;      /* the squares of that                */
} Missed;

static Missed missed_new(const Comparison *c, Exact *program, Arena *mem)
{
    Missed m = {.residual = map_new(mem)};
    for (uint32_t b = 0; b < c->g->n_blocks; b++)
        m.n += c->g->block[b].n;
    m.of = arena_array(mem, mpq_ptr, m.n + 1);
    m.found = arena_array(mem, bool, m.n + 1);
    uint32_t at = 0;
    for (uint32_t b = 0; b < c->g->n_blocks; b++) {
        for (uint32_t k = 0; k < c->g->block[b].n; k++, at++) {
            m.of[at] = exact_value(program, c->g->block[b].residual[k]);
            uint64_t key = residual_key(m.of[at]);
            bool is_there = map_get(&m.residual, key) != MAP_NONE;
            m.found[at] = is_there; /* equal ones stand for each other */
            if (!is_there)
                map_put(&m.residual, key, at);
        }
    }
    mpq_init(m.rest);
    return m;
}

static void add_square(mpq_ptr sum, mpq_srcptr x)
{
    mpq_t square;
    mpq_init(square);
    mpq_mul(square, x, x);
    mpq_add(sum, sum, square);
    mpq_clear(square);
}

/* An equation that does not hold by itself: is it what Newton's method solves, does it at least
 * hold unknowns of that, or is the program wrong? */
static void look_into(const Comparison *c, Exact *model, Missed *m, uint32_t eq)
{
    System *flat = c->flat;
    VerifyReport *r = c->report;
    Arena *mem = arena_new();
    const Eq *q = &flat->eq.at[eq];
    VarId *v;
    bool *all = arena_array(mem, bool, flat->var.n);
    for (uint32_t i = 0; i < flat->var.n; i++)
        all[i] = true;
    ExprId residual = expr_sub(flat->pool, q->lhs, q->rhs);
    uint32_t n = unknowns_of(flat, all, residual, UINT32_MAX - 1, mem, &v);
    bool numeric = false;
    for (uint32_t i = 0; i < n; i++)
        numeric = numeric || (c->match[v[i].i] != UINT32_MAX && c->numeric[c->match[v[i].i]]);
    mpq_t difference;
    mpq_init(difference);
    mpq_sub(difference, exact_value(model, q->lhs), exact_value(model, q->rhs));
    uint32_t k = map_get(&m->residual, residual_key(difference));
    if (!numeric) {
        r->ok = false;
        r->failed = (EqId){eq};
    } else if (k != MAP_NONE) {
        m->found[k] = true;
        r->n_newton++;
    } else {
        m->n_rest++;
        add_square(m->rest, difference);
    }
    mpq_clear(difference);
    arena_free(mem);
}

/* Residuals of equations that were turned (frames/frames.h) are turned too: the squares of what
 * equations miss sum up to those of the residuals, and these being zero all are. */
static void look_into_rest(const Comparison *c, const Missed *m)
{
    mpq_t sum;
    mpq_init(sum);
    for (uint32_t k = 0; k < m->n; k++)
        if (!m->found[k])
            add_square(sum, m->of[k]);
    if (mpq_equal(sum, m->rest))
        c->report->n_turned = m->n_rest;
    else
        c->report->n_skipped = m->n_rest;
    mpq_clear(sum);
}

/* What was taken out of the equations is what the program closes its loops by. */
static void compare_cuts(const Comparison *c, Exact *program, Exact *model)
{
    VerifyReport *r = c->report;
    const LoopConstraints *p = c->g->loops;
    uint32_t n_phi = c->cut ? c->cut->n_constraints : 0;
    uint32_t n = c->cut ? n_phi + c->cut->n_massless : 0;
    uint32_t n_program = p ? p->n_constraints + p->n_massless : 0;
    r->n_cut = n;
    if (r->ok && n != n_program) {
        r->ok = false;
        r->failed_cut = n;
    }
    for (uint32_t k = 0; k < n && r->ok; k++) {
        ExprId written = k < n_phi ? c->cut->phi[k] : c->cut->balance[k - n_phi];
        ExprId solved = k < n_phi ? p->phi[k] : p->balance[k - n_phi];
        bool same = mpq_equal(exact_value(model, written), exact_value(program, solved));
        if (!same && !program->poor_point && !model->poor_point) {
            r->ok = false;
            r->failed_cut = k;
        }
    }
}

/* The equations as the model wrote them along a direction of the states: where der(x) moves as the
 * Jacobian says, they still hold. */
static void move_equations(const Comparison *c, DualNumbers *program, Exact *exact, Arena *mem)
{
    DualNumbers model = dual_new(exact, mem);
    const Program *g = c->g;
    const ExprColumns *j = &g->jacobian->columns;
    VerifyReport *r = c->report;
    Map state = map_new(mem); /* variable of the program: der(x) -> x */
    dual_turn(program);
    Fp *rate = arena_array(mem, Fp, g->n_states + 1);
    Fp *second = arena_array(mem, Fp, j->n_rows + 1); /* balances among them */
    for (uint32_t k = 0; k < g->n_states; k++) {
        rate[k] = dual_random(program, k + 1);
        dual_move(program, g->state[k], rate[k]);
        map_put(&state, g->sys->var.at[g->state[k].i].der.i, k);
    }
    for (uint32_t col = 0; col < j->n_cols; col++)
        for (uint32_t k = j->col_start[col]; k < j->col_start[col + 1]; k++)
            second[j->row[k]] =
                fp_add(second[j->row[k]], fp_mul(dual_value(program, j->entry[k]), rate[col]));
    for (uint32_t k = 0; k < c->flat->var.n; k++) {
        VarKind kind = c->flat->var.at[k].kind;
        if ((kind != VAR_CONTINUOUS && kind != VAR_DISCRETE) || c->match[k] == UINT32_MAX)
            continue;
        uint32_t i = map_get(&state, c->match[k]);
        dual_move(&model, (VarId){k},
                  i != MAP_NONE ? second[i] : dual_slope(program, g->value[c->match[k]]));
    }
    for (uint32_t k = 0; k < c->flat->eq.n && r->ok; k++) {
        const Eq *q = &c->flat->eq.at[k];
        if (expr_op(c->flat->pool, q->lhs) == OP_STRING)
            continue;
        bool same = fp_same(dual_slope(&model, q->lhs), dual_slope(&model, q->rhs));
        bool open = program->is_open || model.is_open;
        if (!same && !open && !program->at->poor_point && !exact->poor_point) {
            r->ok = false;
            r->failed_slope = "the derivatives of the states by the states";
            r->failed = (EqId){k};
        }
    }
}

/* What is differentiated, of the program and of the model's own equations. */
static void compare_slopes(const Comparison *c, Exact *program, Exact *model, Arena *mem)
{
    VerifyReport *r = c->report;
    DualNumbers residues = dual_new(program, mem);
    Slopes s = {.g = c->g, .at = &residues, .mem = mem};
    slopes_check(&s);
    r->n_slopes = s.n_rows;
    if (s.failed) {
        r->ok = false;
        r->failed_slope = s.failed;
        r->failed_row = s.failed_row;
    } else if (c->g->jacobian && c->g->jacobian->columns.entry && !program->poor_point) {
        move_equations(c, &residues, model, mem);
    }
}

/* One point; false if another has to be drawn. */
static bool check_point(const Comparison *c, uint64_t seed)
{
    Arena *mem = arena_new();
    Exact program = exact_new(c->g->sys, mem, seed);
    Exact model = exact_new(c->flat, mem, seed);
    System *flat = c->flat;
    remember(c, &program);
    for (uint32_t k = 0; k < flat->var.n; k++) {
        const Var *v = &flat->var.at[k];
        bool solved = var_is_unknown(v);
        if (expr_exists(c->bound[k]))
            exact_set(&model, (VarId){k}, exact_value(&model, c->bound[k]));
        if (!solved || c->match[k] == UINT32_MAX)
            continue;
        exact_set(&model, (VarId){k}, exact_value(&program, c->g->value[c->match[k]]));
    }
    VerifyReport *r = c->report;
    Missed missed = missed_new(c, &program, mem);
    r->n_newton = r->n_turned = r->n_skipped = 0;
    for (uint32_t k = 0; k < flat->eq.n && r->ok && !program.poor_point; k++) {
        const Eq *q = &flat->eq.at[k];
        if (expr_op(flat->pool, q->lhs) == OP_STRING)
            continue;
        bool holds = mpq_equal(exact_value(&model, q->lhs), exact_value(&model, q->rhs));
        if (holds || model.poor_point)
            continue;
        look_into(c, &model, &missed, k);
    }
    look_into_rest(c, &missed);
    mpq_clear(missed.rest);
    compare_cuts(c, &program, &model);
    if (r->ok && !program.poor_point && !model.poor_point)
        compare_slopes(c, &program, &model, mem);
    bool good = !program.poor_point && !model.poor_point;
    exact_done(&program);
    exact_done(&model);
    arena_free(mem);
    return good || !r->ok;
}

VerifyReport verify(const Program *g, System *flat, const LoopCut *cut, uint32_t n_points)
{
    VerifyReport r = {
        .n_wanted = n_points, .ok = true, .failed = EQ_NONE, .failed_cut = UINT32_MAX};
    Arena *mem = arena_new();
    der_expand(flat, mem);
    for (uint32_t k = 0; k < flat->eq.n; k++) {
        flat->eq.at[k].lhs = expand_calls(flat, mem, flat->eq.at[k].lhs);
        flat->eq.at[k].rhs = expand_calls(flat, mem, flat->eq.at[k].rhs);
    }
    r.n_equations = flat->eq.n;
    uint32_t *match = arena_array(mem, uint32_t, flat->var.n);
    for (uint32_t k = 0; k < flat->var.n; k++) {
        Name name = name_of(g->sys->names, flat->var.at[k].name.s);
        match[k] = system_find_var(g->sys, name).i;
    }
    const ExprId *bound = parameters_values(flat, mem);
    Comparison c = {.g = g,
                    .flat = flat,
                    .cut = cut,
                    .numeric = numeric_variables(g, mem),
                    .bound = bound,
                    .match = match,
                    .report = &r};
    uint32_t poor = 0;
    for (uint64_t seed = 1; r.ok && r.n_points < n_points && poor < 100; seed++) {
        bool good = check_point(&c, seed);
        r.n_points += good;
        poor += !good;
    }
    if (r.ok)
        r.degree = largest_degree(&c, mem);
    arena_free(mem);
    return r;
}
