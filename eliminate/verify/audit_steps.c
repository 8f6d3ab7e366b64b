/* audit_steps.c -- whole steps: equations without derivatives at points inside, the others as
 * integrals (audit.h). Values alone are evaluated, of cells that move; who misses a bound is read
 * again with sizes and slopes. */
#include "eliminate/verify/audit_parts.h"

#include "base/bug.h"

#include <math.h>
#include <string.h>

/* The bound of residuals of equations without derivatives, relative to their terms, besides the
 * effect of tolerances: far above rounding in programs that were eliminated in another order. */
static const double TIGHT = 1e-9;

/* Tolerances beyond which it is found out how much one is. */
static const double SUSPECT = 1;

/* A value that states do not move may be off by this share of a tolerance of its own size: digits
 * that are lost where equations of very different size are solved together, as those of open and
 * closed switches. */
static const double OF_VALUE = 0.1;

/* Uses of an `ease` before it is found anew. Sums are followed so deep. */
enum { EASE_SERVES = 16, DEEPEST_SUM = 64 };

/* ---- which cells, in which order ---- */

static Level level_of_var(const Audit *a, uint32_t k, const AuditColumns *columns)
{
    const Var *v = &a->s->var.at[k];
    if (v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT ||
        (columns && columns->is_still[k] && !var_exists(v->der_of)))
        return LEVEL_STILL;
    return v->kind == VAR_DISCRETE || v->kind == VAR_MEMORY ? LEVEL_DISCRETE : LEVEL_MOVES;
}

static void find_levels(Audit *a, const AuditColumns *columns)
{
    Steps *s = &a->steps;
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        Level l = LEVEL_STILL;
        if (c->op == OP_VAR)
            l = level_of_var(a, c->var, columns);
        if (c->op == OP_TIME || c->op == OP_DER)
            l = LEVEL_MOVES;
        if (c->op == OP_PRE)
            l = LEVEL_DISCRETE;
        for (uint32_t i = 0; i < c->n; i++) {
            Level below = (Level)s->level[a->arg.at[c->arg + i]];
            l = below > l ? below : l;
        }
        s->level[k] = (uint8_t)l;
    }
}

/* Marks the cells below, those of derivatives not. */
static void mark(Audit *a, uint32_t root, bool *is_in, bool into_rates)
{
    VEC(uint32_t) todo = {0};
    ArenaMark m = arena_mark(a->mem);
    vec_push(a->mem, todo, root);
    while (todo.n) {
        uint32_t k = todo.at[--todo.n];
        const Cell *c = &a->cell.at[k];
        if (is_in[k])
            continue;
        is_in[k] = true;
        if (!into_rates && c->op == OP_DER)
            continue;
        for (uint32_t i = 0; i < c->n; i++)
            vec_push(a->mem, todo, a->arg.at[c->arg + i]);
    }
    arena_rollback(a->mem, m);
}

static void list_marked(Audit *a, const bool *is_in, Level level, CellList *list)
{
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        if (!is_in[k] || a->steps.level[k] != level)
            continue;
        vec_push(a->mem, *list, k);
        if (c->op == OP_VAR)
            a->steps.reads[c->var] = true;
    }
}

/* The variables of a sum of them, with signs; false: more, or anything else. A sum of two is not
 * nested deeper than DEEPEST, while a long one may be as deep as it is long. */
static bool is_sum_of_variables(const Audit *a, uint32_t k, double sign, uint32_t depth,
                                uint32_t *n, uint32_t *var, double *signs)
{
    enum { MOST = 2, DEEPEST = 8 };
    if (depth > DEEPEST)
        return false;
    const Cell *c = &a->cell.at[k];
    const uint32_t *arg = c->n ? &a->arg.at[c->arg] : NULL;
    switch (c->op) {
    case OP_NUM:
        return expr_apply(a->s->pool, c->x, 0, 0, 0) == 0;
    case OP_VAR:
        if (*n == MOST)
            return false;
        var[*n] = c->var;
        signs[(*n)++] = sign;
        return true;
    case OP_NEG:
        return is_sum_of_variables(a, arg[0], -sign, depth + 1, n, var, signs);
    case OP_ADD:
    case OP_SUB:
        return is_sum_of_variables(a, arg[0], sign, depth + 1, n, var, signs) &&
               is_sum_of_variables(a, arg[1], c->op == OP_ADD ? sign : -sign, depth + 1, n, var,
                                   signs);
    default:
        return false;
    }
}

/* a = b, a + b = 0 of variables that are one number of the result. */
static bool holds_by_columns(const Audit *a, const Line *l, const AuditColumns *columns)
{
    uint32_t n = 0, var[2];
    double sign[2];
    if (!columns || !is_sum_of_variables(a, l->left, 1, 0, &n, var, sign) ||
        !is_sum_of_variables(a, l->right, -1, 0, &n, var, sign) || n != 2 ||
        columns->place[var[0]] == UINT32_MAX || columns->place[var[0]] != columns->place[var[1]])
        return false;
    double x = columns->is_negated[var[0]] ? -sign[0] : sign[0];
    double y = columns->is_negated[var[1]] ? -sign[1] : sign[1];
    return x + y == 0;
}

/* v = if ... else pre(v), which between events is v = v. */
static bool is_kept(const Audit *a, const Line *l)
{
    uint32_t k = l->right;
    while (a->cell.at[k].op == OP_SELECT)
        k = a->arg.at[a->cell.at[k].arg + 2];
    return a->cell.at[k].op == OP_PRE && a->arg.at[a->cell.at[k].arg] == l->left;
}

static void add_rates(Audit *a, const bool *is_in)
{
    Steps *s = &a->steps;
    for (uint32_t k = 0; k < a->cell.n; k++) {
        const Cell *c = &a->cell.at[k];
        s->rate_of[k] = UINT32_MAX;
        if (!is_in[k])
            continue;
        uint32_t of = UINT32_MAX;
        if (c->op == OP_DER)
            of = a->arg.at[c->arg];
        else if (c->op == OP_VAR && var_exists(a->s->var.at[c->var].der_of))
            of = s->cell_of_var[a->s->var.at[c->var].der_of.i];
        if (of == UINT32_MAX)
            continue;
        s->rate_of[k] = s->rate.n;
        const Rate r = {.der = k, .of = of};
        vec_push(a->mem, s->rate, r);
    }
}

void audit_prepare(Audit *a, const AuditColumns *columns)
{
    Steps *s = &a->steps;
    Arena *mem = a->mem;
    uint32_t n = a->cell.n;
    s->tight = TIGHT;
    s->level = arena_array(mem, uint8_t, n + 1);
    s->rate_of = arena_array(mem, uint32_t, n + 1);
    s->reads = arena_array(mem, bool, a->s->var.n + 1);
    s->v = arena_array(mem, double, n + 1);
    s->terms = arena_array(mem, double, n + 1);
    s->by_rate = arena_array(mem, double, n + 1);
    s->read = arena_array(mem, uint32_t, n + 1);
    s->result = arena_array(mem, double, a->n_results + 1);
    find_levels(a, columns);
    Arena *scratch = arena_new();
    bool *point = arena_array(scratch, bool, n + 1), *integrand = arena_array(scratch, bool, n + 1);
    bool *under = arena_array(scratch, bool, n + 1), *any = arena_array(scratch, bool, n + 1);
    for (uint32_t k = 0; k < a->line.n; k++) {
        const Line *l = &a->line.at[k];
        bool moves = s->level[l->left] == LEVEL_MOVES || s->level[l->right] == LEVEL_MOVES;
        if (l->kind != AUDIT_EQUATION)
            continue;
        if (!moves || is_kept(a, l) || (!l->has_rate && holds_by_columns(a, l, columns))) {
            a->line.at[k].was_seen = true;
            continue;
        }
        bool *in = l->has_rate ? integrand : point;
        mark(a, l->left, in, false);
        mark(a, l->right, in, false);
        if (l->has_rate)
            vec_push(mem, s->integral_line, k);
        else
            vec_push(mem, s->point_line, k);
    }
    add_rates(a, integrand);
    for (uint32_t k = 0; k < s->rate.n; k++)
        mark(a, s->rate.at[k].of, under, true);
    s->middle = arena_array(mem, double, s->rate.n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const Cell *c = &a->cell.at[k];
        bool moves = c->makes_events && s->level[k] == LEVEL_MOVES;
        if (moves)
            vec_push(mem, s->relation, k);
        if (moves)
            mark(a, k, point, true);
    }
    for (uint32_t k = 0; k < n; k++)
        any[k] = point[k] || integrand[k] || under[k];
    list_marked(a, any, LEVEL_STILL, &s->calm);
    list_marked(a, any, LEVEL_DISCRETE, &s->calm);
    list_marked(a, point, LEVEL_MOVES, &s->point);
    list_marked(a, integrand, LEVEL_MOVES, &s->integrand);
    list_marked(a, under, LEVEL_MOVES, &s->under);
    arena_free(scratch);
}

const bool *audit_reads(const Audit *a)
{
    return a->steps.reads;
}

uint64_t audit_work(const Audit *a)
{
    return a->steps.work;
}

uint32_t audit_cells(const Audit *a)
{
    return a->steps.point.n + a->steps.integrand.n + a->steps.under.n;
}

/* ---- values alone ---- */

/* As `leaf` of audit.c. */
static double value_of(const Audit *a, const Cell *c, const double *value)
{
    const Var *v = &a->s->var.at[c->var];
    if (v->kind == VAR_MEMORY) {
        MemoryKind kind = a->s->memory.at[v->index].kind;
        return kind == MEMORY_SAMPLE || kind == MEMORY_CLOCK || kind == MEMORY_TERMINAL ? 0 : NAN;
    }
    bool is_number = v->type != TYPE_STRING && v->type != TYPE_OBJECT && v->type != TYPE_CLOCK;
    return is_number ? value[c->var] : NAN;
}

static void call(Audit *a, const Cell *c)
{
    Steps *s = &a->steps;
    FuncId f = expr_func_of(a->s->pool, c->x);
    uint32_t n_out = a->s->function->at[f.i].n_out;
    ArenaMark m = arena_mark(a->mem);
    double *in = arena_array(a->mem, double, c->n + 1);
    for (uint32_t k = 0; k < c->n; k++)
        in[k] = s->v[a->arg.at[c->arg + k]];
    uint32_t before = a->last;
    a->now = ++a->last;
    if (!audit_call(a, f, c->n, in, &s->result[c->var]))
        for (uint32_t k = 0; k < n_out; k++)
            s->result[c->var + k] = NAN;
    s->work += 10 * (uint64_t)(a->last - before) + c->n;
    arena_rollback(a->mem, m);
}

/* A value, the size of its terms, and that by rates alone. */
typedef struct Terms {
    double v, terms, rate;
} Terms;

static Terms operand(const Audit *a, const Cell *c, uint32_t k)
{
    const Steps *s = &a->steps;
    uint32_t i = a->arg.at[c->arg + k];
    return (Terms){s->v[i], s->terms[i], s->by_rate[i]};
}

static Terms value_alone(double v)
{
    return (Terms){v, 0, 0};
}

static Terms applied(const Audit *a, const Cell *c, Terms x, Terms y)
{
    return (Terms){expr_apply(a->s->pool, c->x, x.v, y.v, 0), 0, x.rate + y.rate};
}

/* NAN where an operand is: the audit does not record the values of delayed expressions. */
static Terms relation(const Audit *a, const Cell *c, Terms x, Terms y)
{
    return isnan(x.v) || isnan(y.v) ? value_alone(NAN) : applied(a, c, x, y);
}

static Terms conjunction(Terms x, Terms y)
{
    bool is_known = !isnan(x.v) && !isnan(y.v);
    return value_alone(x.v == 0 || y.v == 0 ? 0 : is_known ? 1 : NAN);
}

static Terms negation(Terms x)
{
    return value_alone(isnan(x.v) ? NAN : x.v == 0);
}

static Terms selected(const Audit *a, const Cell *c)
{
    double cond = operand(a, c, 0).v;
    return isnan(cond) ? value_alone(NAN) : operand(a, c, cond != 0 ? 1 : 2);
}

static Terms terminal(Audit *a, const Cell *c, Op op)
{
    Steps *s = &a->steps;
    switch (op) {
    case OP_NUM:
        return value_alone(expr_apply(a->s->pool, c->x, 0, 0, 0));
    case OP_VAR:
        return value_alone(value_of(a, c, s->value));
    case OP_TIME:
        return value_alone(s->t);
    case OP_INITIAL:
        return value_alone(0);
    case OP_PRE:
        return operand(a, c, 0);
    case OP_CALL:
        call(a, c);
        return value_alone(s->result[c->var]);
    case OP_PROJ:
        return value_alone(s->result[a->cell.at[a->arg.at[c->arg]].var + c->var]);
    default:
        return value_alone(NAN);
    }
}

static Terms product(Terms x, Terms y)
{
    return (Terms){x.v * y.v, fabs(x.v) * y.terms + fabs(y.v) * x.terms,
                   fabs(x.v) * y.rate + fabs(y.v) * x.rate};
}

static Terms quotient(Terms x, Terms y)
{
    double v = x.v / y.v;
    return (Terms){v, (x.terms + fabs(v) * y.terms) / fabs(y.v),
                   (x.rate + fabs(v) * y.rate) / fabs(y.v)};
}

static Terms function(const Audit *a, const Cell *c, Terms x)
{
    double v = expr_apply(a->s->pool, c->x, x.v, 0, 0);
    return (Terms){v, 0, x.rate == 0 ? 0 : fabs(audit_fn_slope((Fn)c->fn, x.v)) * x.rate};
}

#define EVAL_FUNCTION operation
#define EVAL_VALUE Terms
#define EVAL_NODE const Cell *
#define EVAL_CONTEXT Audit
#define EVAL_OPERAND(k) operand(in, x, k)
#define EVAL_LEAF(op) terminal(in, x, op)
#define EVAL_NEG(a) ((Terms){-a.v, a.terms, a.rate})
#define EVAL_ADD(a, b) ((Terms){a.v + b.v, a.terms + b.terms, a.rate + b.rate})
#define EVAL_SUB(a, b) ((Terms){a.v - b.v, a.terms + b.terms, a.rate + b.rate})
#define EVAL_MUL(a, b) product(a, b)
#define EVAL_DIV(a, b) quotient(a, b)
#define EVAL_POW(a, b) applied(in, x, a, b)
#define EVAL_FN(a) function(in, x, a)
#define EVAL_FN2(a, b) applied(in, x, a, b)
#define EVAL_RELATION(op, a, b) relation(in, x, a, b)
#define EVAL_AND(a, b) conjunction(a, b)
#define EVAL_OR(a, b) negation(conjunction(negation(a), negation(b)))
#define EVAL_NOT(a) negation(a)
#define EVAL_SELECT() selected(in, x)
#define EVAL_SAME(op, a) (a)
#include "ir/evaluate.inc"

static void evaluate(Audit *a, const CellList *list, double t, const double *value)
{
    Steps *s = &a->steps;
    s->work += list->n;
    s->t = t;
    s->value = value;
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t k = list->at[i];
        const Cell *c = &a->cell.at[k];
        if (c->op == OP_DER || (c->op == OP_VAR && s->rate_of[k] != UINT32_MAX))
            continue; /* as it was set */
        Terms r = operation(a, c, c->op);
        s->v[k] = r.v;
        s->terms[k] = fmax(r.terms, fabs(r.v));
        s->by_rate[k] = r.rate;
    }
}

void audit_calm(Audit *a, const AuditPoint *at)
{
    a->p = at;
    evaluate(a, &a->steps.calm, at->t, at->value);
}

/* ---- points ---- */

void audit_read_below(Audit *a, uint32_t root)
{
    Steps *s = &a->steps;
    ArenaMark m = arena_mark(a->mem);
    VEC(uint32_t) todo = {0};
    vec_push(a->mem, todo, root);
    while (todo.n) {
        uint32_t k = todo.at[todo.n - 1], waiting = todo.n;
        const Cell *c = &a->cell.at[k];
        for (uint32_t i = 0; i < c->n && s->read[k] != s->read_now; i++)
            if (s->read[a->arg.at[c->arg + i]] != s->read_now)
                vec_push(a->mem, todo, a->arg.at[c->arg + i]);
        if (todo.n > waiting)
            continue;
        todo.n--;
        if (s->read[k] == s->read_now)
            continue;
        a->at[k] = audit_evaluate(a, k);
        s->read[k] = s->read_now;
        s->work++;
    }
    arena_rollback(a->mem, m);
}

static double difference(const Steps *s, const Line *l)
{
    return s->v[l->left] - s->v[l->right];
}

/* Whether a relation that makes events is another one than it was. */
static bool is_other(const Audit *a, uint32_t k)
{
    double now = a->steps.v[k];
    return a->cell.at[k].makes_events && !isnan(now) && a->truth[k] != (now != 0);
}

uint32_t audit_screen(Audit *a, const AuditPoint *at)
{
    Steps *s = &a->steps;
    uint32_t n = 0;
    bool has_sizes = false;
    a->n_points++;
    a->p = at;
    // at the bound of points inside steps, too, the error of Newton's method is no defect
    a->least = SOLVED * AUDIT_TOLERANCES / s->tight;
    s->read_now++;
    evaluate(a, &s->point, at->t, at->value);
    for (uint32_t i = 0; i < s->point_line.n; i++) {
        Line *l = &a->line.at[s->point_line.at[i]];
        double off = fabs(difference(s, l));
        double terms = s->terms[l->left] + s->terms[l->right];
        l->is_suspect = false;
        if (isnan(off))
            continue;
        l->was_seen = true;
        double share = s->tight / AUDIT_TOLERANCES * SUSPECT;
        if (off <= share * terms) {
            double defect = off == 0 ? 0 : off / terms * (AUDIT_TOLERANCES / s->tight);
            a->worst = fmax(a->worst, defect);
            continue;
        }
        if (!has_sizes)
            audit_sizes(a, at);
        has_sizes = true;
        audit_read_below(a, l->left);
        audit_read_below(a, l->right);
        const Reading *x = &a->at[l->left], *y = &a->at[l->right];
        if (x->flags & (OPEN | UNSURE) || y->flags & OPEN)
            continue;
        l->least = audit_least_defect(a, x, l->right);
        if (l->least <= share)
            continue;
        l->terms = x->size + y->size;
        l->own = terms;
        l->sum = difference(s, l);
        l->moves = 0;
        l->is_suspect = true;
        n++;
    }
    s->relations_differ = false;
    for (uint32_t i = 0; i < s->relation.n; i++)
        s->relations_differ = s->relations_differ || is_other(a, s->relation.at[i]);
    a->least = 0;
    return n;
}

bool audit_screen_relations_differ(const Audit *a)
{
    return a->steps.relations_differ;
}

void audit_screen_relations(Audit *a)
{
    Steps *s = &a->steps;
    audit_sizes(a, a->p);
    a->least = SOLVED * AUDIT_TOLERANCES / s->tight;
    a->is_screening = true;
    for (uint32_t i = 0; i < s->relation.n; i++) {
        uint32_t k = s->relation.at[i];
        if (!is_other(a, k))
            continue;
        audit_read_below(a, k);
        audit_look_at_relation(a, k);
    }
    a->is_screening = false;
    a->least = 0;
}

static double apart(const Audit *a, uint32_t k)
{
    const uint32_t *arg = &a->arg.at[a->cell.at[k].arg];
    return a->steps.v[arg[0]] - a->steps.v[arg[1]];
}

bool audit_unsure(Audit *a, double t, const double *value)
{
    const CellList *r = &a->steps.relation;
    bool differs = false;
    evaluate(a, &a->steps.point, t, value);
    for (uint32_t i = 0; i < r->n; i++) {
        a->apart[r->at[i]] = apart(a, r->at[i]);
        differs = differs || is_other(a, r->at[i]); // or what it was before is not known
    }
    return differs;
}

void audit_unsure_moved(Audit *a, double t, const double *moved)
{
    const CellList *r = &a->steps.relation;
    evaluate(a, &a->steps.point, t, moved);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t k = r->at[i];
        double by = fabs(apart(a, k) - a->apart[k]);
        if (isfinite(by))
            a->moves[k] = fmax(a->moves[k], by);
    }
}

void audit_sure(Audit *a)
{
    const CellList *r = &a->steps.relation;
    for (uint32_t i = 0; i < r->n; i++)
        a->moves[r->at[i]] = 0;
}

void audit_screen_moved(Audit *a, double t, const double *moved)
{
    Steps *s = &a->steps;
    evaluate(a, &s->point, t, moved);
    for (uint32_t i = 0; i < s->point_line.n; i++) {
        Line *l = &a->line.at[s->point_line.at[i]];
        if (!l->is_suspect)
            continue;
        l->moves = fmax(l->moves, fabs(difference(s, l) - l->sum));
    }
}

void audit_screen_judge(Audit *a)
{
    Steps *s = &a->steps;
    for (uint32_t i = 0; i < s->point_line.n; i++) {
        Line *l = &a->line.at[s->point_line.at[i]];
        if (!l->is_suspect)
            continue;
        l->is_suspect = false;
        const Reading *x = &a->at[l->left], *y = &a->at[l->right];
        double bears = l->moves + s->tight / AUDIT_TOLERANCES * l->terms;
        bears += OF_VALUE * a->tolerance * l->own;
        AuditFault f = {AUDIT_EQUATION, l->least * l->terms / bears,
                        a->p->t,        x->v,
                        y->v,           l->lhs,
                        l->rhs,         l->span,
                        l->origin};
        audit_note(a, l, &f);
    }
}

/* ---- integrals ---- */

/* The differentiation matrix of the n nodes tau: d[i*n + j] is the derivative at node i of the
 * Lagrange polynomial of node j (Berrut and Trefethen 2004, SIAM Review 46, 9.3). */
static void differentiation(uint32_t n, const double *tau, double *d)
{
    double w[AUDIT_NODES];
    for (uint32_t i = 0; i < n; i++) {
        w[i] = 1;
        for (uint32_t j = 0; j < n; j++)
            w[i] *= j == i ? 1 : 1 / (tau[i] - tau[j]);
    }
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < n; j++)
            if (j != i)
                sum += d[i * n + j] = w[j] / w[i] / (tau[i] - tau[j]);
        d[i * n + i] = -sum;
    }
}

static void set_rate(Steps *s, uint32_t k, double rate, double h)
{
    const Rate *r = &s->rate.at[k];
    s->v[r->der] = rate;
    s->terms[r->der] = fabs(rate);
    s->by_rate[r->der] = r->unit / h;
}

void audit_integrate(Audit *a, const AuditNodes *nodes, bool anew)
{
    Steps *s = &a->steps;
    uint32_t n = nodes->n, n_rates = s->rate.n;
    double d[AUDIT_NODES * AUDIT_NODES];
    differentiation(n, nodes->tau, d);
    ArenaMark m = arena_mark(a->mem);
    double *of = arena_array(a->mem, double, n *(size_t)n_rates + 1);
    for (uint32_t i = 0; i < n; i++) {
        evaluate(a, &s->under, nodes->t0 + nodes->tau[i] * nodes->h, nodes->value[i]);
        for (uint32_t k = 0; k < n_rates; k++)
            of[i * n_rates + k] = s->v[s->rate.at[k].of];
    }
    for (uint32_t i = 0; i < s->integral_line.n && anew; i++) {
        Line *l = &a->line.at[s->integral_line.at[i]];
        l->sum = l->least = l->terms = l->largest = l->of_left = l->of_right = 0;
    }
    for (uint32_t i = 0; i < s->integral_line.n; i++)
        a->line.at[s->integral_line.at[i]].part = 0;
    static const double ROUNDINGS = 8; // of the time at a node
    s->rough =
        fmax(s->tight / AUDIT_TOLERANCES, ROUNDINGS * DBL_EPSILON * fabs(nodes->t0) / nodes->span);
    s->whole = nodes->whole / nodes->span;
    s->span = nodes->span;
    for (uint32_t i = 0; i < n; i++) {
        if (nodes->weight[i] == 0)
            continue;
        for (uint32_t k = 0; k < n_rates; k++) {
            double rate = 0;
            for (uint32_t j = 0; j < n; j++)
                rate += d[i * n + j] * of[j * n_rates + k];
            set_rate(s, k, rate / nodes->h, nodes->span);
            if (i == n / 2 && nodes->h == nodes->span)
                s->middle[k] = rate / nodes->h;
        }
        evaluate(a, &s->integrand, nodes->t0 + nodes->tau[i] * nodes->h, nodes->value[i]);
        double w = nodes->weight[i] * nodes->h;
        for (uint32_t k = 0; k < s->integral_line.n; k++) {
            Line *l = &a->line.at[s->integral_line.at[k]];
            l->part += w * difference(s, l);
            l->of_left += w * s->v[l->left];
            l->of_right += w * s->v[l->right];
            l->least += w * (s->by_rate[l->left] + s->by_rate[l->right]);
            l->terms += w * (s->terms[l->left] + s->terms[l->right]);
        }
    }
    for (uint32_t i = 0; i < s->integral_line.n; i++) {
        Line *l = &a->line.at[s->integral_line.at[i]];
        l->sum += l->part;
        l->largest = fmax(l->largest, fabs(l->part));
    }
    arena_rollback(a->mem, m);
}

uint32_t audit_integral_suspects(Audit *a)
{
    Steps *s = &a->steps;
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->integral_line.n; k++) {
        Line *l = &a->line.at[s->integral_line.at[k]];
        l->is_suspect = l->has_kink = l->is_refined = false;
        if (isnan(l->sum))
            continue;
        l->was_seen = true;
        l->moves = 0;
        double ease = l->ease_age > 0 ? l->ease : 1, off = fabs(l->sum);
        l->ease_age -= l->ease_age > 0;
        double bears = ease * l->least + s->rough * l->terms;
        l->is_suspect = off > SUSPECT * bears;
        if (!l->is_suspect && off > 0)
            a->worst = fmax(a->worst, off / bears);
        n += l->is_suspect;
    }
    return n;
}

/* The integrand in the middle of the step, its rates as they are there. */
static void evaluate_middle(Audit *a, double t, double span, const double *value)
{
    Steps *s = &a->steps;
    evaluate(a, &s->under, t, value);
    for (uint32_t k = 0; k < s->rate.n; k++)
        set_rate(s, k, s->middle[k], span);
    evaluate(a, &s->integrand, t, value);
}

/* Below that a variable is nothing but rounding. */
static double solved_size(const Audit *a, uint32_t cell)
{
    const Cell *c = &a->cell.at[cell];
    if (c->op != OP_VAR)
        return SOLVED;
    uint32_t unit = a->unit[c->var];
    return SOLVED * fmax(a->nominal[c->var], unit == UINT32_MAX ? 0 : a->largest[unit]);
}

/* Reports a variable with a derivative that changes by more than a thousandth of its size, and by
 * more than a thousand tolerances, if each state changes by one tolerance. The chosen states are
 * dependent there: the height of a pendulum at its lowest point does not determine its horizontal
 * velocity, and the run may continue on the wrong branch. */
static void look_for_undetermined(Audit *a, Rate *r, double t, double x)
{
    static const double SHARE = 1e-3, TIMES = 1e3;
    const Cell *c = &a->cell.at[r->of];
    if (c->op != OP_VAR || r->is_undetermined)
        return;
    uint32_t unit = a->unit[c->var];
    double size = fmax(fabs(x), unit == UINT32_MAX ? a->nominal[c->var] : a->largest[unit]);
    size = fmax(size, a->nominal[c->var]);
    if (!(r->unit > fmax(SHARE, TIMES * a->tolerance) * size))
        return;
    r->is_undetermined = true;
    VarId v = {c->var};
    ExprId e = system_var_expr(a->s, v);
    Line l = {.kind = AUDIT_UNDETERMINED, .lhs = e, .rhs = e, .span = a->s->var.at[v.i].span};
    AuditFault f = {.kind = AUDIT_UNDETERMINED,
                    .defect = r->unit / (a->tolerance * size),
                    .t = t,
                    .lhs = x,
                    .rhs = r->unit,
                    .left = e,
                    .right = e,
                    .span = l.span};
    audit_note(a, &l, &f);
    vec_push(a->mem, a->line, l);
}

void audit_integral_moved(Audit *a, const AuditPoint *middle, double span, const double *moved,
                          bool first)
{
    Steps *s = &a->steps;
    ArenaMark m = arena_mark(a->mem);
    double *was = arena_array(a->mem, double, s->integral_line.n + 1);
    double *of = arena_array(a->mem, double, s->rate.n + 1);
    evaluate_middle(a, middle->t, span, middle->value);
    for (uint32_t k = 0; k < s->rate.n; k++)
        of[k] = s->v[s->rate.at[k].of];
    for (uint32_t k = 0; k < s->integral_line.n; k++)
        was[k] = difference(s, &a->line.at[s->integral_line.at[k]]);
    evaluate_middle(a, middle->t, span, moved);
    for (uint32_t k = 0; k < s->rate.n; k++) {
        Rate *r = &s->rate.at[k];
        double x = s->v[r->of];
        double off = fabs(x - of[k]), unit = fmax(off, OF_VALUE * a->tolerance * fabs(x));
        unit = fmax(unit, solved_size(a, r->of)); // rounding
        if (isfinite(unit))
            r->unit = first ? unit : fmax(r->unit, unit);
        look_for_undetermined(a, r, middle->t, of[k]);
    }
    for (uint32_t k = 0; k < s->integral_line.n; k++) {
        Line *l = &a->line.at[s->integral_line.at[k]];
        double moves = span * fabs(difference(s, l) - was[k]);
        if (l->is_suspect && moves > l->moves)
            l->moves = moves;
    }
    arena_rollback(a->mem, m);
}

/* What Newton's method leaves of the terms of a sum that are variables. */
static double solved_terms(const Audit *a, uint32_t k, uint32_t depth)
{
    const Cell *c = &a->cell.at[k];
    if (c->op == OP_VAR)
        return solved_size(a, k);
    double sum = 0;
    bool is_sum = op_is_sum(c->op) || c->op == OP_NEG;
    for (uint32_t i = 0; is_sum && depth < DEEPEST_SUM && i < c->n; i++)
        sum += solved_terms(a, a->arg.at[c->arg + i], depth + 1);
    return sum;
}

/* The effect of one tolerance on the integral. Interpolants are of lower order than the step, with
 * errors that vanish at its end unless an event cuts it, or if it is long compared to a time
 * constant; and error estimates assume smoothness, so the error may be larger where a step goes
 * over a kink. */
static double borne(const Audit *a, const Line *l)
{
    const Steps *s = &a->steps;
    static const double STIFF = 10, INSIDE = 10, SHORT = 1e-6;
    bool is_cut = s->whole > 1 + SHORT;
    bool is_loose = is_cut || l->has_kink || l->moves * s->whole > STIFF * l->least;
    double solved = solved_terms(a, l->left, 0) + solved_terms(a, l->right, 0);
    return (is_loose ? INSIDE : 1) * (l->least + l->moves) + s->rough * l->terms + s->span * solved;
}

uint32_t audit_integral_explained(Audit *a)
{
    Steps *s = &a->steps;
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->integral_line.n; k++) {
        Line *l = &a->line.at[s->integral_line.at[k]];
        if (!l->is_suspect)
            continue;
        if (l->least > 0) {
            l->ease = borne(a, l) / l->least;
            l->ease_age = EASE_SERVES;
        }
        double defect = fabs(l->sum) / borne(a, l);
        l->is_suspect = defect > SUSPECT;
        if (!l->is_suspect)
            a->worst = fmax(a->worst, defect);
        l->coarse = l->sum;
        n += l->is_suspect;
    }
    return n;
}

static AuditFault step_fault(const Line *l, double defect, double span, double t1)
{
    return (AuditFault){.kind = AUDIT_STEP,
                        .defect = defect,
                        .t = t1,
                        .lhs = l->of_left / span,
                        .rhs = l->of_right / span,
                        .left = l->lhs,
                        .right = l->rhs,
                        .span = l->span,
                        .origin = l->origin};
}

/* Whether the defect is that of one part of the step, whatever the states are. If more nodes do not
 * change it, a variable jumps there whose derivative does not contain the jump; that of a bend
 * becomes smaller. */
static bool look_for_jump(Line *l, double defect, double change, double span, double t1)
{
    static const double AT_ONCE = 0.8, SAME = 1e-3;
    bool is_one = l->moves == 0 && l->largest > AT_ONCE * fabs(l->sum);
    if (is_one && defect > AUDIT_TOLERANCES && change <= SAME * fabs(l->sum) && !l->has_jumped) {
        l->has_jumped = true;
        l->jump = step_fault(l, defect, span, t1);
    }
    return is_one;
}

uint32_t audit_integral_judge(Audit *a, const AuditPoint *middle, double span, double t1)
{
    static const double CONVERGED = 0.25, SMOOTH = 0.05;
    Steps *s = &a->steps;
    uint32_t n = 0;
    bool is_read = false;
    for (uint32_t k = 0; k < s->integral_line.n; k++) {
        Line *l = &a->line.at[s->integral_line.at[k]];
        if (!l->is_suspect)
            continue;
        double change = fabs(l->sum - l->coarse);
        l->has_kink = l->has_kink || change > SMOOTH * fabs(l->sum);
        double defect = fabs(l->sum) / borne(a, l);
        l->coarse = l->sum;
        // knots of a table deceive two rules with few nodes
        bool first = !l->is_refined;
        l->is_refined = true;
        if (defect > AUDIT_TOLERANCES && (first || !(change <= CONVERGED * fabs(l->sum)))) {
            n++;
            continue;
        }
        l->is_suspect = false;
        if (isnan(defect) || look_for_jump(l, defect, change, span, t1))
            continue;
        if (!is_read)
            audit_sizes(a, middle);
        a->p = middle;
        s->read_now += !is_read;
        is_read = true;
        audit_read_below(a, l->left);
        audit_read_below(a, l->right);
        const Reading *x = &a->at[l->left], *y = &a->at[l->right];
        if (defect > AUDIT_TOLERANCES && (x->flags | y->flags) & UNSURE)
            continue;
        AuditFault f = step_fault(l, defect, span, t1);
        audit_note(a, l, &f);
    }
    return n;
}

void audit_gap(Audit *a, double t, VarId v, double before, double after, double defect)
{
    ExprId x = system_var_expr(a->s, v);
    Line l = {.kind = AUDIT_GAP, .lhs = x, .rhs = x, .span = a->s->var.at[v.i].span};
    AuditFault f = {.kind = AUDIT_GAP,
                    .defect = defect,
                    .t = t,
                    .lhs = before,
                    .rhs = after,
                    .left = x,
                    .right = x,
                    .span = l.span};
    audit_note(a, &l, &f);
    if (l.is_bad)
        vec_push(a->mem, a->line, l);
}
