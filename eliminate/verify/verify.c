#include "eliminate/verify/verify.h"

#include "base/bug.h"
#include "eliminate/block/linear_form.h"
#include "eliminate/prepare/der.h"
#include "eliminate/prepare/inline_calls.h"
#include "eliminate/prepare/parameters.h"
#include "eliminate/verify/slopes.h"
#include "eliminate/verify/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The variables that depend on unknowns of nonlinear blocks. */
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
    const bool *numeric;       /* per variable of the program */
    const uint32_t *memory_of; /* per variable of the program: which memory it is, or UINT32_MAX */
    const LoopCut *cut;        /* of flat, or NULL */
    /* per variable of flat: the value of a final parameter, or EXPR_NONE */
    const ExprId *bound;
    const uint32_t *match; /* per variable of flat: that of the program, or UINT32_MAX */
    const bool *all;       /* per variable of flat: true */
    VerifyReport *report;
} Comparison;

typedef enum Progress { NOT_BEGUN, BUSY, ASKED_FOR_ITSELF, DONE } Progress;

/* At one point. */
typedef struct Point {
    const Comparison *c;
    Exact *program, *model;
    Exact *if_zero;     /* the model with factors that were taken for zero; NULL: there are none */
    Map signs;          /* number.h */
    Progress *progress; /* per memory */
    bool *holds;        /* per memory: the relation */
} Point;

/* Whether the relation that memory k is of holds. Relations of ideal switches depend on themselves:
 * at run time one of both is consistent. In residues the sign is assumed, the same for equal
 * comparisons; in fractions another point is drawn where it is not. */
static bool relation_holds(Point *p, uint32_t k)
{
    const Memory *m = &p->c->g->memory[k];
    Exact *e = p->program;
    if (p->progress[k] == BUSY || p->progress[k] == ASKED_FOR_ITSELF) {
        p->progress[k] = ASKED_FOR_ITSELF;
        return number_draw_bit(&e->field, 7000 + k);
    }
    if (p->progress[k] == DONE)
        return p->holds[k];
    p->progress[k] = BUSY;
    Number of = exact_value(e, m->of);
    bool supposed = p->progress[k] == ASKED_FOR_ITSELF;
    bool was = supposed && relation_holds(p, k);
    if (supposed && e->field.mod && !number_is_zero(&e->field, of))
        number_give_sign(&e->field, of, was ? -1 : 1);
    int sign = number_sign(&e->field, of);
    p->holds[k] = sign < 0 || (sign == 0 && !m->is_strict);
    if (supposed && p->holds[k] != was)
        e->field.poor_point = true;
    p->progress[k] = DONE;
    return p->holds[k];
}

/* Memory of the program has the value of its expression at this point. */
static bool program_variable(void *user, Exact *at, VarId v, ExactMeaning *out)
{
    Point *p = user;
    const Program *g = p->c->g;
    uint32_t k = v.i < g->sys->var.n ? p->c->memory_of[v.i] : UINT32_MAX;
    if (k == UINT32_MAX)
        return false;
    *out = (ExactMeaning){.value = number_int(&at->field, 0)};
    switch (g->memory[k].kind) {
    case MEMORY_RELATION:
        out->value = number_int(&at->field, relation_holds(p, k));
        break;
    case MEMORY_FLOOR:
        out->value = exact_floor(at, g->memory[k].of);
        break;
    case MEMORY_PRE:
    case MEMORY_LEFT_LIMIT:
        out->value = exact_before(at, g->sys->memory.at[k].of);
        break;
    default:
        break;
    }
    return true;
}

/* Unknowns of the model have the program's values. */
static bool model_variable(void *user, Exact *at, VarId v, ExactMeaning *out)
{
    Point *p = user;
    const Comparison *c = p->c;
    if (expr_exists(c->bound[v.i])) {
        *out = (ExactMeaning){.in = at, .x = c->bound[v.i]};
        return true;
    }
    if (!var_is_unknown(&c->flat->var.at[v.i]) || c->match[v.i] == UINT32_MAX)
        return false;
    *out = (ExactMeaning){.in = at->real ? p->program->angles : p->program,
                          .x = c->g->value[c->match[v.i]]};
    return true;
}

/* The same where factors of derivatives that vary and were taken for zero are. */
static bool model_variable_if_zero(void *user, Exact *at, VarId v, ExactMeaning *out)
{
    const Comparison *c = ((Point *)user)->c;
    uint32_t k = c->match[v.i];
    if (k == UINT32_MAX || !c->g->sys->var.at[k].is_taken_for_zero)
        return model_variable(user, at, v, out);
    *out = (ExactMeaning){.value = number_int(&at->field, 0)};
    return true;
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

typedef struct Degrees {
    const ExprPool *p;
    const Degree *of;
} Degrees;

static const Degree CONSTANT = {0, 0, 1}, DRAWN = {1, 1, 1};

static Degree operand_degree(const Degrees *in, ExprId x, uint32_t k)
{
    return in->of[expr_arg(in->p, x, k).i];
}

static Degree leaf_degree(Op op)
{
    return op == OP_NUM || op == OP_STRING || op == OP_INITIAL ? CONSTANT : DRAWN;
}

static Degree product_degree(const Degrees *in, ExprId x, Degree a, Degree b)
{
    long times = 1;
    bool first = expr_is_int(in->p, expr_arg(in->p, x, 0), &times);
    bool multiple = first || expr_is_int(in->p, expr_arg(in->p, x, 1), &times);
    return (Degree){a.num + b.num, a.den + b.den,
                    multiple ? (double)labs(times) * (first ? b.angle : a.angle) : 1};
}

static Degree function_degree(Fn f, Degree a)
{
    if (f == FN_SIN || f == FN_COS)
        return (Degree){4 * a.angle, 4 * a.angle, 1};
    return f == FN_ABS ? a : DRAWN;
}

static Degree select_degree(const Degrees *in, ExprId x)
{
    return larger_degree(operand_degree(in, x, 1), operand_degree(in, x, 2));
}

/* A fraction drawn has one number above and one below; functions other than sine and cosine draw
 * one for each value of their argument. */
#define EVAL_FUNCTION degree_operation
#define EVAL_VALUE Degree
#define EVAL_NODE ExprId
#define EVAL_CONTEXT const Degrees
#define EVAL_OPERAND(k) operand_degree(in, x, k)
#define EVAL_LEAF(op) leaf_degree(op)
#define EVAL_NEG(a) (a)
#define EVAL_ADD(a, b) sum_degree(a, b)
#define EVAL_SUB(a, b) sum_degree(a, b)
#define EVAL_MUL(a, b) product_degree(in, x, a, b)
#define EVAL_DIV(a, b) ((Degree){a.num + b.den, a.den + b.num, 1})
#define EVAL_POW(a, b) ((void)(a), (void)(b), DRAWN)
#define EVAL_FN(a) function_degree(expr_fn_of(in->p, x), a)
#define EVAL_FN2(a, b) larger_degree(a, b)
#define EVAL_RELATION(op, a, b) ((void)(a), (void)(b), DRAWN)
#define EVAL_AND(a, b) EVAL_RELATION(OP_AND, a, b)
#define EVAL_OR(a, b) EVAL_RELATION(OP_OR, a, b)
#define EVAL_NOT(a) ((void)(a), DRAWN)
#define EVAL_SELECT() select_degree(in, x)
#define EVAL_SAME(op, a) (a)
#include "ir/evaluate.inc"

static Degree node_degree(const ExprPool *p, ExprId x, const Degree *of)
{
    return degree_operation(&(Degrees){p, of}, x, expr_op(p, x));
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

enum { RESIDUAL_SALT = 5000 };

/* At one point: the residuals of Newton's method, and those of the model's equations. */
typedef struct Missed {
    Map residual; /* by its key, regardless of sign: which one */
    uint32_t n;   /* of them           */
    Number *of;
    bool *found;     /* an equation has just this residual */
    uint32_t n_rest; /* equations that miss something else */
    Number rest;     /* the squares of that                */
} Missed;

static Missed missed_new(const Point *p, Arena *mem)
{
    const Program *g = p->c->g;
    Field *f = &p->program->field;
    Missed m = {.residual = map_new(mem), .rest = number_int(f, 0)};
    for (uint32_t b = 0; b < g->n_blocks; b++)
        m.n += g->block[b].n;
    m.of = arena_array(mem, Number, m.n + 1);
    m.found = arena_array(mem, bool, m.n + 1);
    uint32_t at = 0;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        for (uint32_t k = 0; k < g->block[b].n; k++, at++) {
            m.of[at] = exact_value(p->program, g->block[b].residual[k]);
            uint64_t key = number_even_key(f, m.of[at], RESIDUAL_SALT);
            bool is_there = map_get(&m.residual, key) != MAP_NONE;
            m.found[at] = is_there; /* equal ones stand for each other */
            if (!is_there)
                map_put(&m.residual, key, at);
        }
    }
    return m;
}

static Number add_square(Field *f, Number sum, Number x)
{
    return number_add(f, sum, number_mul(f, x, x));
}

/* An equation with a nonzero residual: is it one that Newton's method solves, does it at least
 * contain unknowns of Newton's method, or is the program wrong? */
static void look_into(const Point *p, Missed *m, uint32_t eq)
{
    const Comparison *c = p->c;
    System *flat = c->flat;
    Field *f = &p->model->field;
    VerifyReport *r = c->report;
    Arena *mem = arena_new();
    const Eq *q = &flat->eq.at[eq];
    VarId *v;
    ExprId residual = expr_sub(flat->pool, q->lhs, q->rhs);
    uint32_t n = unknowns_of(flat, c->all, residual, UINT32_MAX - 1, mem, &v);
    bool numeric = false;
    for (uint32_t i = 0; i < n; i++)
        numeric = numeric || (c->match[v[i].i] != UINT32_MAX && c->numeric[c->match[v[i].i]]);
    Number difference = number_sub(f, exact_value(p->model, q->lhs), exact_value(p->model, q->rhs));
    uint32_t k = map_get(&m->residual, number_even_key(f, difference, RESIDUAL_SALT));
    if (p->if_zero && number_same(&p->if_zero->field, exact_value(p->if_zero, q->lhs),
                                  exact_value(p->if_zero, q->rhs))) {
        r->n_assumed++;
    } else if (!numeric) {
        r->ok = false;
        r->failed = (EqId){eq};
    } else if (k != MAP_NONE) {
        m->found[k] = true;
        r->n_newton++;
    } else {
        m->n_rest++;
        m->rest = add_square(f, m->rest, difference);
    }
    arena_free(mem);
}

/* Residuals of rotated equations (frames/frames.h) are rotated too: the squares of the equations'
 * residuals sum up to those of Newton's residuals, and these being zero all equations hold. */
static void look_into_rest(const Point *p, const Missed *m)
{
    Field *f = &p->program->field;
    Number sum = number_int(f, 0);
    for (uint32_t k = 0; k < m->n; k++)
        if (!m->found[k])
            sum = add_square(f, sum, m->of[k]);
    if (number_same(f, sum, m->rest))
        p->c->report->n_turned = m->n_rest;
    else
        p->c->report->n_skipped = m->n_rest;
}

static bool is_poor(const Point *p)
{
    return exact_is_poor(p->program) || exact_is_poor(p->model);
}

/* The equations removed with the loops equal the constraints by which the program closes them. */
static void compare_cuts(const Point *at)
{
    const Comparison *c = at->c;
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
        bool same = number_same(&at->model->field, exact_value(at->model, written),
                                exact_value(at->program, solved));
        if (!same && !is_poor(at)) {
            r->ok = false;
            r->failed_cut = k;
        }
    }
}

/* The equations as the model wrote them along a direction of the states: where der(x) moves as the
 * Jacobian says, they still hold. */
static void move_equations(const Point *p, DualNumbers *program, Arena *mem)
{
    const Comparison *c = p->c;
    DualNumbers model = dual_new(p->model, mem);
    Field *f = &p->program->field;
    const Program *g = c->g;
    const ExprColumns *j = &g->jacobian->columns;
    VerifyReport *r = c->report;
    Map state = map_new(mem); /* variable of the program: der(x) -> x */
    dual_turn(program);
    Number *rate = arena_array(mem, Number, g->n_states + 1);
    Number *second = arena_array(mem, Number, j->n_rows + 1); /* balances among them */
    for (uint32_t k = 0; k < g->n_states; k++) {
        rate[k] = dual_random(program, k + 1);
        dual_move(program, g->state[k], rate[k]);
        map_put(&state, g->sys->var.at[g->state[k].i].der.i, k);
    }
    for (uint32_t col = 0; col < j->n_cols; col++)
        for (uint32_t k = j->col_start[col]; k < j->col_start[col + 1]; k++)
            second[j->row[k]] =
                number_add(f, second[j->row[k]],
                           number_mul(f, exact_value(p->program, j->entry[k]), rate[col]));
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
        bool same = number_same(f, dual_slope(&model, q->lhs), dual_slope(&model, q->rhs));
        bool open = program->is_open || model.is_open;
        if (!same && !open && !is_poor(p)) {
            r->ok = false;
            r->failed_slope = "the derivatives of the states by the states";
            r->failed = (EqId){k};
        }
    }
}

/* The equations do not say that der(x) is the derivative of x. Along the motion, states move as
 * their derivatives say. Variables that depend on iterations at run time or on delays are left out.
 */
static void compare_rates(const Point *p, DualNumbers *d)
{
    const Comparison *c = p->c;
    const Program *g = c->g;
    Field *f = &p->program->field;
    VerifyReport *r = c->report;
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (g->memory[k].kind == MEMORY_DELAY)
            return;
    for (uint32_t k = 0; k < c->flat->var.n; k++)
        if (c->flat->var.at[k].kind == VAR_DISCRETE && c->flat->var.at[k].type != TYPE_BOOLEAN)
            return;
    dual_turn(d);
    dual_move_time(d, number_int(f, 1));
    for (uint32_t k = 0; k < g->n_states; k++)
        dual_move(d, g->state[k], exact_value(p->program, g->derivative[k]));
    for (uint32_t k = 0; k < g->sys->var.n; k++) {
        const Var *v = &g->sys->var.at[k];
        if (v->kind == VAR_INPUT)
            dual_move(d, (VarId){k},
                      var_exists(v->der) ? exact_value(p->program, system_var_expr(g->sys, v->der))
                                         : dual_random(d, k));
    }
    r->n_rates = 0;
    for (uint32_t k = 0; k < c->flat->var.n && r->ok; k++) {
        const Var *v = &c->flat->var.at[k];
        if (v->kind != VAR_CONTINUOUS || !var_exists(v->der) || c->match[k] == UINT32_MAX ||
            c->match[v->der.i] == UINT32_MAX || c->numeric[c->match[k]] ||
            c->numeric[c->match[v->der.i]])
            continue;
        Number slope = dual_slope(d, g->value[c->match[k]]);
        Number rate = exact_value(p->program, g->value[c->match[v->der.i]]);
        if (d->is_open || is_poor(p))
            return;
        r->n_rates++;
        if (!number_same(f, slope, rate)) {
            r->ok = false;
            r->failed_rate = (VarId){k};
        }
    }
}

/* Compares the derivatives, of the program and of the model's own equations. */
static void compare_slopes(const Point *p, Arena *mem)
{
    const Comparison *c = p->c;
    VerifyReport *r = c->report;
    DualNumbers slopes = dual_new(p->program, mem);
    Slopes s = {.g = c->g, .at = &slopes, .mem = mem};
    compare_rates(p, &slopes);
    if (!r->ok)
        return;
    slopes.is_open = false;
    slopes_check(&s);
    r->n_slopes = s.n_rows;
    if (s.failed) {
        r->ok = false;
        r->failed_slope = s.failed;
        r->failed_row = s.failed_row;
    } else if (c->g->jacobian && c->g->jacobian->columns.entry && !is_poor(p)) {
        move_equations(p, &slopes, mem);
    }
}

/* Derivatives of states may have an expression of their own (base_form.h). */
static void compare_derivatives(const Point *p)
{
    const Program *g = p->c->g;
    VerifyReport *r = p->c->report;
    for (uint32_t k = 0; k < g->n_states && r->ok; k++) {
        ExprId value = g->value[g->sys->var.at[g->state[k].i].der.i];
        if (expr_same(value, g->derivative[k]))
            continue;
        bool same = number_same(&p->program->field, exact_value(p->program, value),
                                exact_value(p->program, g->derivative[k]));
        if (!same && !is_poor(p)) {
            r->ok = false;
            r->failed_slope = "the derivatives of the states in base parameters";
            r->failed_row = k;
        }
    }
}

/* One point; false if another has to be drawn. prime NULL: in fractions. */
static bool check_point(const Comparison *c, uint64_t seed, const VerifyPrime *prime)
{
    Arena *mem = arena_new();
    System *flat = c->flat;
    Point p = {.c = c,
               .program = exact_new(c->g->sys, mem, seed, prime),
               .model = exact_new(flat, mem, seed, prime),
               .signs = map_new(mem),
               .progress = arena_array(mem, Progress, c->g->n_memory + 1),
               .holds = arena_array(mem, bool, c->g->n_memory + 1)};
    exact_define(p.program, program_variable, &p);
    exact_define(p.model, model_variable, &p);
    for (uint32_t k = 0; k < c->g->sys->var.n && !p.if_zero; k++)
        if (c->g->sys->var.at[k].is_taken_for_zero)
            p.if_zero = exact_new(flat, mem, seed, prime);
    if (p.if_zero) {
        exact_define(p.if_zero, model_variable_if_zero, &p);
        exact_share_signs(p.if_zero, &p.signs);
    }
    exact_share_signs(p.program, &p.signs);
    exact_share_signs(p.model, &p.signs);
    for (uint32_t k = 0; k < c->g->n_memory; k++) /* in order, so that signs are given first */
        if (c->g->memory[k].kind == MEMORY_RELATION)
            relation_holds(&p, k);
    VerifyReport *r = c->report;
    Missed missed = missed_new(&p, mem);
    r->n_newton = r->n_turned = r->n_skipped = r->n_assumed = 0;
    for (uint32_t k = 0; k < flat->eq.n && r->ok && !exact_is_poor(p.program); k++) {
        const Eq *q = &flat->eq.at[k];
        if (expr_op(flat->pool, q->lhs) == OP_STRING)
            continue;
        bool holds = number_same(&p.model->field, exact_value(p.model, q->lhs),
                                 exact_value(p.model, q->rhs));
        if (holds || is_poor(&p))
            continue;
        look_into(&p, &missed, k);
    }
    look_into_rest(&p, &missed);
    compare_cuts(&p);
    compare_derivatives(&p);
    if (prime && r->ok && !is_poor(&p))
        compare_slopes(&p, mem);
    bool good = !is_poor(&p);
    exact_done(p.program);
    exact_done(p.model);
    if (p.if_zero)
        exact_done(p.if_zero);
    arena_free(mem);
    return good || !r->ok;
}

/* How many of the points wanted are good ones. */
static uint32_t check_points(const Comparison *c, uint32_t wanted, bool residues)
{
    uint32_t n = 0;
    uint32_t poor = 0;
    for (uint64_t seed = 1; c->report->ok && n < wanted && poor < 100; seed++) {
        bool good = check_point(c, seed, residues ? &verify_prime[seed % VERIFY_PRIMES] : NULL);
        n += good;
        poor += !good;
    }
    return n;
}

bool verify_has_conditions(const System *flat)
{
    static const Op op[] = {OP_SELECT, OP_LT, OP_LE, OP_EQ, OP_NE, OP_FN2};
    bool any = false;
    for (size_t k = 0; k < sizeof op / sizeof *op; k++)
        any = any || pool_holds(flat->pool, op[k]);
    return any;
}

Correspondence correspondence_of(const Program *g, System *flat, Arena *mem)
{
    uint32_t *match = arena_array(mem, uint32_t, flat->var.n);
    for (uint32_t k = 0; k < flat->var.n; k++) {
        Name name = name_of(g->sys->names, flat->var.at[k].name.s);
        match[k] = system_find_var(g->sys, name).i;
    }
    uint32_t *memory_of = arena_array(mem, uint32_t, g->sys->var.n);
    memset(memory_of, 0xff, g->sys->var.n * sizeof *memory_of);
    for (uint32_t k = 0; k < g->n_memory; k++)
        memory_of[g->memory[k].var.i] = k;
    ExprId *bound = parameters_values(flat, mem);
    for (uint32_t k = 0; k < flat->var.n; k++)
        if (match[k] != UINT32_MAX && g->sys->var.at[match[k]].is_settled)
            bound[k] = flat->var.at[k].binding;
    return (Correspondence){match, bound, memory_of};
}

/* Equations that fractions satisfy say nothing about Integers being whole. */
static void look_at_integers(const Comparison *c, Arena *mem)
{
    VerifyReport *r = c->report;
    const Truth *whole = whole_numbers(c->g, mem);
    for (uint32_t k = 0; k < c->flat->var.n && r->ok; k++) {
        const Var *v = &c->flat->var.at[k];
        ExprId x = c->match[k] != UINT32_MAX ? c->g->value[c->match[k]] : EXPR_NONE;
        if (v->type != TYPE_INTEGER || !var_is_unknown(v) || !expr_exists(x) || whole[x.i] == YES)
            continue;
        if (whole[x.i] == NO) {
            r->ok = false;
            r->failed_whole = (VarId){k};
        } else if (r->n_divided++ == 0) {
            r->divided = (VarId){k};
        }
    }
}

VerifyReport verify(const Program *g, System *flat, const LoopCut *cut, VerifyPoints points)
{
    VerifyReport r = {.wanted = points,
                      .ok = true,
                      .failed = EQ_NONE,
                      .failed_rate = VAR_NONE,
                      .failed_whole = VAR_NONE,
                      .divided = VAR_NONE,
                      .failed_cut = UINT32_MAX};
    Arena *mem = arena_new();
    der_expand(flat, mem);
    inline_equations(flat, mem);
    r.n_equations = flat->eq.n;
    bool *all = arena_array(mem, bool, flat->var.n);
    memset(all, true, flat->var.n);
    Correspondence of = correspondence_of(g, flat, mem);
    Comparison c = {.g = g,
                    .flat = flat,
                    .cut = cut,
                    .numeric = numeric_variables(g, mem),
                    .memory_of = of.memory_of,
                    .bound = of.bound,
                    .match = of.match,
                    .all = all,
                    .report = &r};
    r.done.residues = check_points(&c, points.residues, true);
    r.done.fractions = check_points(&c, points.fractions, false);
    look_at_integers(&c, mem);
    if (r.ok)
        r.degree = largest_degree(&c, mem);
    arena_free(mem);
    return r;
}
