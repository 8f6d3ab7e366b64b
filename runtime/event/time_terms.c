/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_terms.h"

#include "delay.h"
#include "margin_search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Interval {
    double lo, hi;
} Interval;

/* The course of one term from the start of the search to its present time. */
typedef struct Course {
    double first;    /* its value there                            */
    double lo, t_lo; /* its least value since                      */
    double hi, t_hi; /* its largest                                */
    double size;     /* the largest |value| ever met */
    double here;     /* where the search is                        */
} Course;

/* How a row of the table follows the step. */
typedef enum Nature {
    IS_STILL, /* parameters and memory alone */
    IS_LINE,  /* linear in states, time, unknowns and inputs: as smooth as the dense output */
    IS_OTHER
} Nature;

enum { POINTS = 8 };

/* The rows that are lines, at one time of the step. */
typedef struct Point {
    double t; /* NAN: none */
    uint64_t used;
    double *value; /* per operation */
} Point;

/* Terms of time, or of states. */
typedef struct Terms {
    const RungTimeTerms *table; /* NULL: there are none */
    Interval *value;            /* per operation      */
    bool *is_calm;              /* per operation, over the same time */
    bool *is_negative;          /* per operation that chooses by a sign */
    double *ahead;              /* per term           */
    Course *course;             /* per term           */
    uint8_t *nature;            /* per operation: Nature */
    uint32_t n_of[3], *of[3];   /* per nature: its operations */
    uint32_t n_used, *used;     /* the states that they are of */
    bool has_inputs;            /* or delayed expressions      */
    bool has_unknowns;          /* of blocks, found with the derivatives */
    double *x, *xdot, *z;       /* states and derivatives at a point; saved unknowns */
    double found;               /* where `ahead` is of the last step's end, or NAN */
    Point point[POINTS];        /* the last ones of the step */
    uint64_t n_uses;
    const Inside *inside; /* dense output of the step, during a search in it */
    Run *run;             /* whose step it is */
    uint64_t work;        /* operations and states of a search   */
    int credit;           /* evaluations of derivatives that searches may still take */
    /* Per operation that is a line: while all of them stay between these, no term changes by as
     * much as an extremum needs, and steps are not searched. */
    Interval *box;
    bool has_box;
    double reach;            /* of the next box, in steps */
    int box_idle, box_pause; /* searches without a new box, since the last one was too wide */
} Terms;

/* Evaluations of derivatives for terms of unknowns: so many per step, and so many saved up. */
enum { CREDIT_PER_STEP = 3, MOST_CREDIT = 2000 };

/* Steps for which a box around the last one may hold. */
enum { LEAST_REACH = 2, MOST_REACH = 64 };

struct TimeTerms {
    Terms time, state;
    double *before, *there, *behind; /* derivatives of the states around an extremum */
    double *x;                       /* states there */
    double *z;                       /* saved first guesses of blocks */
    MarginSearch choices;
    int choice_looks, choice_leave; /* searches of choices to skip, after those that ended early */
    uint64_t n_missed;              /* steps of one length that have passed over something */
    double first_missed;
    double bend; /* a kink ahead; up to bend_clear there is none before it */
    double bend_clear;
    int bend_idle, bend_pause; /* searches to skip, since the last ones found nothing */
    double stop;               /* an extremum ahead  */
    double clear;              /* no extremum up to here; -INFINITY: not searched */
    int idle, pause;           /* searches to skip, since the last ones found only small extrema */
    int looks, leave;          /* likewise, of searches in finished steps */
    double met;       /* an extremum that a step has passed over: the next ones stop there */
    double met_width; /* as wide is it */
    uint32_t met_term;
    double far;      /* the farthest that a step came from which the run went back */
    uint32_t n_back; /* how often it did before it came that far */
};

bool time_terms_needed(const RungModel *m)
{
    return rung_has_pulses(m);
}

/* How row k follows the step, from the rows before. */
static Nature nature_of(const Terms *it, uint32_t k)
{
    const RungTimeTerms *t = it->table;
    Nature a, b;
    switch ((RungTimeOp)t->op[k]) {
    case RUNG_TIME_NOW:
    case RUNG_TIME_STATE:
    case RUNG_TIME_UNKNOWN:
    case RUNG_TIME_INPUT:
        return IS_LINE;
    case RUNG_TIME_NUMBER:
    case RUNG_TIME_PARAMETER:
    case RUNG_TIME_CONSTANT:
    case RUNG_TIME_MEMORY:
        return IS_STILL;
    default:
        break;
    }
    a = it->nature[t->a[k]];
    b = it->nature[t->b[k]];
    switch ((RungTimeOp)t->op[k]) {
    case RUNG_TIME_NEG:
        return a;
    case RUNG_TIME_ADD:
    case RUNG_TIME_SUB:
        return a > b ? a : b;
    case RUNG_TIME_MUL:
        return a == IS_STILL ? b : b == IS_STILL ? a : IS_OTHER;
    case RUNG_TIME_DIV:
        return b == IS_STILL ? a : IS_OTHER;
    default:
        return IS_OTHER;
    }
}

static bool terms_new(Terms *it, const RungTimeTerms *table, const RungModel *m)
{
    *it = (Terms){.table = table, .credit = MOST_CREDIT, .reach = LEAST_REACH};
    if (!table)
        return true;
    it->value = calloc(table->n, sizeof *it->value);
    it->box = calloc(table->n, sizeof *it->box);
    it->is_calm = calloc(table->n, sizeof *it->is_calm);
    it->is_negative = calloc(table->n, sizeof *it->is_negative);
    it->nature = calloc(table->n, sizeof *it->nature);
    it->ahead = calloc(table->n_terms + (size_t)1, sizeof *it->ahead);
    it->course = calloc(table->n_terms + (size_t)1, sizeof *it->course);
    it->used = calloc(m->n_states, sizeof *it->used);
    it->x = calloc(m->n_states, sizeof *it->x);
    it->xdot = calloc(m->n_states, sizeof *it->xdot);
    it->z = calloc(m->n_unknowns + (size_t)1, sizeof *it->z);
    for (int i = 0; i < 3; i++)
        it->of[i] = calloc(table->n, sizeof *it->of[i]);
    bool *has = calloc(m->n_states, sizeof *has);
    bool ok = it->value && it->box && it->is_calm && it->is_negative && it->nature && it->ahead &&
              it->course && it->used && it->x && it->xdot && it->z && it->of[0] && it->of[1] &&
              it->of[2] && has;
    for (int i = 0; i < POINTS && ok; i++)
        ok = (it->point[i].value = calloc(table->n, sizeof *it->point[i].value));
    for (uint32_t k = 0; k < table->n && ok; k++) {
        Nature how = nature_of(it, k);
        it->nature[k] = (uint8_t)how;
        it->is_calm[k] = how != IS_OTHER;
        it->of[how][it->n_of[how]++] = k;
        it->has_inputs = it->has_inputs || table->op[k] == RUNG_TIME_INPUT;
        it->has_unknowns = it->has_unknowns || table->op[k] == RUNG_TIME_UNKNOWN;
        if (table->op[k] == RUNG_TIME_STATE && !has[table->a[k]]) {
            has[table->a[k]] = true;
            it->used[it->n_used++] = table->a[k];
        }
    }
    free(has);
    return ok;
}

static void terms_free(Terms *it)
{
    free(it->value);
    free(it->box);
    free(it->is_calm);
    free(it->is_negative);
    free(it->nature);
    free(it->ahead);
    free(it->course);
    free(it->used);
    free(it->x);
    free(it->xdot);
    free(it->z);
    for (int i = 0; i < 3; i++)
        free(it->of[i]);
    for (int i = 0; i < POINTS; i++)
        free(it->point[i].value);
}

TimeTerms *time_terms_new(const RungModel *m)
{
    TimeTerms *it = time_terms_needed(m) ? calloc(1, sizeof *it) : NULL;
    if (!it)
        return NULL;
    bool ok = terms_new(&it->time, m->time_terms, m);
    ok = terms_new(&it->state, m->state_terms, m) && ok;
    it->before = calloc(m->n_states, sizeof *it->before);
    it->there = calloc(m->n_states, sizeof *it->there);
    it->behind = calloc(m->n_states, sizeof *it->behind);
    it->x = calloc(m->n_states, sizeof *it->x);
    it->z = calloc(m->n_unknowns + (size_t)1, sizeof *it->z);
    ok = margin_search_new(&it->choices, m, RUNG_ASK_CHOICES) && ok;
    if (!ok || !it->x || !it->before || !it->there || !it->behind || !it->z) {
        time_terms_free(it);
        return NULL;
    }
    time_terms_begin(it);
    time_terms_forget(it);
    return it;
}

void time_terms_free(TimeTerms *it)
{
    if (!it)
        return;
    terms_free(&it->time);
    terms_free(&it->state);
    free(it->before);
    free(it->there);
    free(it->behind);
    free(it->x);
    free(it->z);
    margin_search_free(&it->choices);
    free(it);
}

void time_terms_begin(TimeTerms *it)
{
    if (!it)
        return;
    it->met = INFINITY;
    it->far = -INFINITY;
    it->n_back = 0;
    it->n_missed = 0;
}

static void forget_terms(Terms *it)
{
    for (int i = 0; i < POINTS; i++)
        it->point[i].t = NAN;
    it->found = NAN;
    it->has_box = false;
    it->box_idle = it->box_pause = 0;
    for (uint32_t k = 0; it->table && k < it->table->n_terms; k++)
        it->course[k].size = 0;
}

void time_terms_forget(TimeTerms *it)
{
    if (!it)
        return;
    it->clear = it->bend_clear = -INFINITY;
    it->stop = it->bend = INFINITY;
    it->bend_idle = it->bend_pause = 0;
    it->idle = it->pause = it->looks = it->leave = it->choice_looks = it->choice_leave = 0;
    margin_search_forget(&it->choices);
    forget_terms(&it->time);
    forget_terms(&it->state);
}

/* ------------------------------------------------------------------ interval arithmetic */

static const Interval ANY = {-INFINITY, INFINITY};

/* fmin and fmax, which are calls. */
static double least(double a, double b)
{
    return a <= b || isnan(b) ? a : b;
}

static double most(double a, double b)
{
    return a >= b || isnan(b) ? a : b;
}

/* NaN, from infinity minus infinity for example, is any number. */
static Interval between(double lo, double hi)
{
    return isnan(lo) || isnan(hi) ? ANY : (Interval){lo, hi};
}

static Interval rising(double (*f)(double), Interval a)
{
    return between(f(a.lo), f(a.hi));
}

/* 0 * infinity is 0: the zero is exact. */
static double product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static Interval corners(double a, double b, double c, double d)
{
    return between(least(least(a, b), least(c, d)), most(most(a, b), most(c, d)));
}

static Interval times(Interval a, Interval b)
{
    return corners(product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo),
                   product(a.hi, b.hi));
}

static Interval square(Interval a)
{
    double lo = fabs(a.lo), hi = fabs(a.hi), far = most(lo, hi);
    double near = a.lo <= 0 && a.hi >= 0 ? 0 : least(lo, hi);
    return (Interval){near * near, far * far};
}

static Interval divide(Interval a, Interval b)
{
    if (b.lo == b.hi && b.lo != 0)
        return corners(a.lo / b.lo, a.lo / b.lo, a.hi / b.lo, a.hi / b.lo);
    if (b.lo <= 0 && b.hi >= 0)
        return ANY;
    return times(a, (Interval){1 / b.hi, 1 / b.lo});
}

static Interval power(Interval a, Interval b)
{
    bool is_whole = b.lo == b.hi && b.lo == floor(b.lo);
    if (is_whole && a.lo < 0) {
        if (b.lo < 0 && a.hi >= 0)
            return ANY;
        double lo = pow(a.lo, b.lo), hi = pow(a.hi, b.lo);
        bool is_even = fmod(b.lo, 2) == 0;
        return between(is_even && a.hi > 0 ? 0 : least(lo, hi), most(lo, hi));
    }
    double from = most(a.lo, 0);
    return a.hi < 0 ? ANY
                    : corners(pow(from, b.lo), pow(from, b.hi), pow(a.hi, b.lo), pow(a.hi, b.hi));
}

/* cos(x) over x: at multiples of pi it is 1 and -1 by turns. */
static Interval cosine(Interval x)
{
    if (!(x.hi - x.lo < 7) || fabs(x.lo) > 1e12)
        return x.lo == x.hi ? between(cos(x.lo), cos(x.lo)) : (Interval){-1, 1};
    double a = cos(x.lo), b = cos(x.hi);
    Interval y = {least(a, b), most(a, b)};
    for (double k = ceil(x.lo / 3.141592653589793); k * 3.141592653589793 <= x.hi; k++) {
        if (fmod(k, 2) == 0)
            y.hi = 1;
        else
            y.lo = -1;
    }
    return y;
}

static Interval sine(Interval x)
{
    static const double QUARTER = 1.5707963267948966;
    return x.lo == x.hi ? between(sin(x.lo), sin(x.lo))
                        : cosine((Interval){x.lo - QUARTER, x.hi - QUARTER});
}

static Interval tangent(Interval x)
{
    static const double HALF = 3.141592653589793;
    bool has_pole = !(x.hi - x.lo < HALF) || floor(x.lo / HALF + 0.5) != floor(x.hi / HALF + 0.5);
    return has_pole && x.lo != x.hi ? ANY : rising(tan, x);
}

static double sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static Interval holds(bool always, bool never)
{
    return (Interval){always, !never};
}

static Interval operate(const Terms *it, const RungContext *ctx, uint32_t k, Interval time)
{
    const RungTimeTerms *t = it->table;
    uint32_t at = t->a[k];
    switch ((RungTimeOp)t->op[k]) {
    case RUNG_TIME_NOW:
        return time;
    case RUNG_TIME_STATE:
        return between(it->x[at], it->x[at]);
    case RUNG_TIME_NUMBER:
        return between(t->number[at], t->number[at]);
    case RUNG_TIME_PARAMETER:
        return between(ctx->p[at], ctx->p[at]);
    case RUNG_TIME_CONSTANT:
        return between(ctx->c[at], ctx->c[at]);
    case RUNG_TIME_MEMORY:
    case RUNG_TIME_INPUT:
        return between(ctx->u[at], ctx->u[at]);
    case RUNG_TIME_UNKNOWN:
        return between(ctx->z[at], ctx->z[at]);
    default:
        break;
    }
    Interval a = it->value[at], b = it->value[t->b[k]], c = it->value[t->c[k]];
    switch ((RungTimeOp)t->op[k]) {
    case RUNG_TIME_NEG:
        return between(-a.hi, -a.lo);
    case RUNG_TIME_ADD:
        return between(a.lo + b.lo, a.hi + b.hi);
    case RUNG_TIME_SUB:
        return between(a.lo - b.hi, a.hi - b.lo);
    case RUNG_TIME_MUL:
        return at == t->b[k] ? square(a) : times(a, b);
    case RUNG_TIME_DIV:
        return divide(a, b);
    case RUNG_TIME_POW:
        return power(a, b);
    case RUNG_TIME_LT:
        return holds(a.hi < b.lo, a.lo >= b.hi);
    case RUNG_TIME_LE:
        return holds(a.hi <= b.lo, a.lo > b.hi);
    case RUNG_TIME_AND:
    case RUNG_TIME_MIN:
        return between(fmin(a.lo, b.lo), fmin(a.hi, b.hi));
    case RUNG_TIME_OR:
    case RUNG_TIME_MAX:
        return between(fmax(a.lo, b.lo), fmax(a.hi, b.hi));
    case RUNG_TIME_NOT:
        return between(1 - a.hi, 1 - a.lo);
    case RUNG_TIME_SELECT:
        if (a.lo == a.hi)
            return a.lo != 0 ? b : c;
        return between(fmin(b.lo, c.lo), fmax(b.hi, c.hi));
    case RUNG_TIME_SIN:
        return sine(a);
    case RUNG_TIME_COS:
        return cosine(a);
    case RUNG_TIME_TAN:
        return tangent(a);
    case RUNG_TIME_ASIN:
        return between(asin(fmax(a.lo, -1)), asin(fmin(a.hi, 1)));
    case RUNG_TIME_ACOS:
        return between(acos(fmin(a.hi, 1)), acos(fmax(a.lo, -1)));
    case RUNG_TIME_ATAN:
        return rising(atan, a);
    case RUNG_TIME_SINH:
        return rising(sinh, a);
    case RUNG_TIME_COSH:
        return between(a.lo <= 0 && a.hi >= 0 ? 1 : fmin(cosh(a.lo), cosh(a.hi)),
                       fmax(cosh(a.lo), cosh(a.hi)));
    case RUNG_TIME_TANH:
        return rising(tanh, a);
    case RUNG_TIME_EXP:
        return rising(exp, a);
    case RUNG_TIME_LOG:
        return between(log(fmax(a.lo, 0)), log(a.hi));
    case RUNG_TIME_LOG10:
        return between(log10(fmax(a.lo, 0)), log10(a.hi));
    case RUNG_TIME_SQRT:
        return between(sqrt(fmax(a.lo, 0)), sqrt(a.hi));
    case RUNG_TIME_ABS:
        return between(a.lo <= 0 && a.hi >= 0 ? 0 : fmin(fabs(a.lo), fabs(a.hi)),
                       fmax(fabs(a.lo), fabs(a.hi)));
    case RUNG_TIME_SIGN:
        return rising(sign_of, a);
    case RUNG_TIME_FLOOR:
        return rising(floor, a);
    case RUNG_TIME_CEIL:
        return rising(ceil, a);
    default:
        return ANY;
    }
}

/* The states that terms are of, at t inside the last step; all where these are needed. */
static void take_states(Terms *it, double t)
{
    const Inside *in = it->inside;
    if (t == in->run->t)
        memcpy(it->x, in->run->x, in->run->problem.n * sizeof *it->x);
    else if (it->has_unknowns || it->has_inputs || !in->method->some_at ||
             !in->method->some_at(in->self, in->run, t, it->n_used, it->used, it->x))
        in->method->at(in->self, in->run, t, it->x);
}

/* Evaluates the lines at t. */
static void fill_point(Terms *it, Point *p, double t)
{
    enum { WORK = 100 }; // of derivatives
    Run *run = it->run;
    RungContext *ctx = run->problem.ctx;
    const size_t size = run->problem.model->n_unknowns * sizeof *it->z;
    int status = 0;
    take_states(it, t);
    memcpy(it->z, ctx->z, size);
    if (it->has_unknowns) {
        status = problem_xdot(&run->problem, t, it->x, it->xdot);
        it->work += WORK + run->problem.n;
        it->credit--;
    } else if (it->has_inputs) {
        problem_refresh(&run->problem, t, it->x);
    }
    for (uint32_t i = 0; i < it->n_of[IS_LINE]; i++) {
        uint32_t k = it->of[IS_LINE][i];
        it->value[k] = operate(it, ctx, k, (Interval){t, t});
        p->value[k] = status ? NAN : it->value[k].lo;
    }
    memcpy(ctx->z, it->z, size);
    p->t = t;
}

/* The lines at t; valid until two other times have been asked for. */
static const double *point_at(Terms *it, double t)
{
    Point *oldest = &it->point[0];
    for (int i = 0; i < POINTS; i++) {
        Point *p = &it->point[i];
        if (p->t == t) {
            p->used = ++it->n_uses;
            return p->value;
        }
        oldest = p->used < oldest->used ? p : oldest;
    }
    fill_point(it, oldest, t);
    oldest->used = ++it->n_uses;
    return oldest->value;
}

/* The operations whose values stay between events. */
static void find_still(Terms *it, const RungContext *ctx)
{
    for (uint32_t i = 0; i < it->n_of[IS_STILL]; i++)
        it->value[it->of[IS_STILL][i]] = operate(it, ctx, it->of[IS_STILL][i], (Interval){0, 0});
}

/* Between two times inside the last step lines are assumed to stay near the parabola through both
 * ends and the middle. */
static void find_lines(Terms *it, Interval time)
{
    static const double SPARE = 0.25;
    bool is_point = time.lo == time.hi;
    const double *a = point_at(it, time.lo);
    const double *m = is_point ? a : point_at(it, 0.5 * (time.lo + time.hi));
    const double *b = is_point ? a : point_at(it, time.hi);
    for (uint32_t i = 0; i < it->n_of[IS_LINE]; i++) {
        uint32_t k = it->of[IS_LINE][i];
        double spare = is_point ? 0 : SPARE * fabs(a[k] - 2 * m[k] + b[k]);
        it->value[k] = isnan(spare) ? ANY
                                    : between(least(a[k], least(m[k], b[k])) - spare,
                                              most(a[k], most(m[k], b[k])) + spare);
    }
}

/* Whether operation k goes through the time of a step as smoothly as the dense output: sums,
 * products and sines of such operations, and quotients whose divisor changes by less than a factor
 * of two. Most quotients, of pivots in mechanisms, are such, and their bounds need not be known. */
static bool is_calm(const Terms *it, uint32_t k)
{
    static const double FACTOR = 2;
    const RungTimeTerms *t = it->table;
    uint32_t a = t->a[k], b = t->b[k];
    switch ((RungTimeOp)t->op[k]) {
    case RUNG_TIME_NEG:
    case RUNG_TIME_SIN:
    case RUNG_TIME_COS:
        return it->is_calm[a];
    case RUNG_TIME_ADD:
    case RUNG_TIME_SUB:
    case RUNG_TIME_MUL:
        return it->is_calm[a] && it->is_calm[b];
    case RUNG_TIME_DIV: {
        double near = fabs(it->value[b].lo), far = fabs(it->value[b].hi);
        return it->is_calm[a] && it->is_calm[b] && it->value[b].lo * it->value[b].hi > 0 &&
               fmax(near, far) < FACTOR * fmin(near, far);
    }
    default:
        return false;
    }
}

static void find_others(Terms *it, const RungContext *ctx, Interval time)
{
    for (uint32_t i = 0; i < it->n_of[IS_OTHER]; i++) {
        uint32_t k = it->of[IS_OTHER][i];
        it->value[k] = operate(it, ctx, k, time);
        it->is_calm[k] = is_calm(it, k);
    }
}

static void evaluate(Terms *it, const RungContext *ctx, Interval time)
{
    it->work += it->table->n + it->n_used;
    if (!it->inside) {
        for (uint32_t k = 0; k < it->table->n; k++)
            it->value[k] = operate(it, ctx, k, time);
        return;
    }
    find_lines(it, time);
    find_others(it, ctx, time);
}

/* All terms at t, into `to`. */
static void terms_at(Terms *it, const RungContext *ctx, double t, double *to)
{
    evaluate(it, ctx, (Interval){t, t});
    for (uint32_t k = 0; k < it->table->n_terms; k++) {
        Interval v = it->value[it->table->term[k]];
        to[k] = v.lo == v.hi ? v.lo : NAN;
    }
}

void time_terms_bounds(TimeTerms *it, const RungContext *ctx, uint32_t k, double t0, double t1,
                       double *lo, double *hi)
{
    Terms *terms = &it->time;
    evaluate(terms, ctx, (Interval){t0, t1});
    *lo = terms->value[terms->table->term[k]].lo;
    *hi = terms->value[terms->table->term[k]].hi;
}

/* ------------------------------------------------------------------ the search */

/* How far a term has to go, and come back, of the largest value it ever had. */
static const double FAR = 0.5;

static void begin(Course *c, double t, double here)
{
    c->first = c->lo = c->hi = c->here = here;
    c->t_lo = c->t_hi = t;
}

/* Whether the bounds between a and b equal the values at the ends, up to half of a relevant change.
 */
static bool is_decided(const Terms *it, uint32_t k, Interval bounds, bool is_wide)
{
    static const double ROUNDING = 1e-9;
    const Course *c = &it->course[k];
    double a = c->here, b = it->ahead[k];
    if (isnan(a) || isnan(b) || (it->inside && it->is_calm[it->table->term[k]]))
        return true;
    double size = fmax(c->size, fmax(fabs(a), fabs(b)));
    // between two branches of the condition there may be more changes
    bool is_branch = it->table->op[it->table->term[k]] == RUNG_TIME_SELECT;
    if (is_branch && is_wide && fabs(a - b) > FAR / 2 * size)
        return false;
    double spare = fmax(FAR / 2 * size, ROUNDING * fmax(fabs(bounds.lo), fabs(bounds.hi)));
    if (isinf(spare))
        spare = FAR / 2 * size;
    return bounds.lo >= fmin(a, b) - spare && bounds.hi <= fmax(a, b) + spare;
}

/* Advances the search to t. Whether the term has passed an extremum far from its first value. */
static bool turns(Course *c, double t, double here, double *where)
{
    c->here = here;
    if (isnan(here))
        return false;
    c->size = fmax(c->size, fabs(here));
    if (here > c->hi) {
        c->hi = here;
        c->t_hi = t;
    }
    if (here < c->lo) {
        c->lo = here;
        c->t_lo = t;
    }
    double far = FAR * c->size;
    bool has_risen = c->hi - c->first >= far && c->hi - here >= far;
    bool has_fallen = c->first - c->lo >= far && here - c->lo >= far;
    *where = has_risen ? c->t_hi : c->t_lo;
    return far > 0 && (has_risen || has_fallen);
}

/* How far from the extremum to one side the term is half as far away: a power of two too much. */
static double half_width(Terms *it, const RungContext *ctx, uint32_t k, double extremum, double end)
{
    const Course *c = &it->course[k];
    double top = extremum == c->t_hi ? c->hi : c->lo, half = 0.5 * (c->first + top);
    double most = fabs(end - extremum), wide = 16 * DBL_EPSILON * fmax(most, fabs(extremum));
    for (; wide < most; wide *= 2) {
        double t = end > extremum ? extremum + wide : extremum - wide;
        evaluate(it, ctx, (Interval){t, t});
        if (!((it->value[it->table->term[k]].lo - half) * (top - half) > 0))
            return wide;
    }
    return most;
}

/* Whether the extremum moves a state by more than the tolerance: estimated from the derivatives at
 * the extremum against those `left` before and `right` behind it, at half of its height. Always
 * true with cut loops or delays, where the derivatives depend on more than (t, x). */
static bool matters(TimeTerms *it, Run *run, double t, double left, double right)
{
    if (run->problem.loops || run->problem.delays)
        return true;
    size_t size = run->problem.model->n_unknowns * sizeof *it->z;
    memcpy(it->z, run->problem.ctx->z, size);
    int status = problem_xdot(&run->problem, t - left, run->x, it->before);
    status = status ? status : problem_xdot(&run->problem, t, run->x, it->there);
    status = status ? status : problem_xdot(&run->problem, t + right, run->x, it->behind);
    memcpy(run->problem.ctx->z, it->z, size);
    for (uint32_t k = 0; k < run->problem.n && !status; k++) {
        double moved = fabs(2 * it->there[k] - it->before[k] - it->behind[k]) * (left + right);
        if (moved > run->tolerance * problem_size(&run->problem, k, run->x[k]))
            return true;
    }
    return status != 0;
}

/* The extremum near t by golden section search, so that a relation that changes at the very peak is
 * seen; t itself where the term is as large there, as on the flat top of a branch: the search ends
 * at its edge. */
static double refine(Terms *it, const RungContext *ctx, uint32_t k, double t, double low,
                     double high)
{
    enum { ROUNDS = 40 };
    static const double SHARE = 0.3819660112501051;
    double sign = t == it->course[k].t_hi ? 1 : -1, best = t;
    evaluate(it, ctx, (Interval){t, t});
    double top = sign * it->value[it->table->term[k]].lo;
    for (int round = 0; round < ROUNDS; round++) {
        double a = low + SHARE * (high - low), b = high - SHARE * (high - low);
        evaluate(it, ctx, (Interval){a, a});
        double at_a = sign * it->value[it->table->term[k]].lo;
        evaluate(it, ctx, (Interval){b, b});
        double at_b = sign * it->value[it->table->term[k]].lo;
        best = fmax(at_a, at_b) > top ? (at_a > at_b ? a : b) : best;
        top = fmax(top, fmax(at_a, at_b));
        if (at_a > at_b)
            high = b;
        else
            low = a;
    }
    return best;
}

/* The number of searches to skip after one among too many small extrema. */
static int longer(int pause)
{
    return pause ? (pause < 64 ? 2 * pause : 64) : 1;
}

/* A search and its result. */
typedef struct Quest {
    TimeTerms *it;
    Run *run;
    double from;        /* it begins there */
    double most;        /* wider ones are no matter */
    const Inside *last; /* the finished step; NULL: the search is ahead */
    TimeTermsAsk ask;
    void *user;
    bool is_fixed;    /* the steps have one length */
    bool is_of_time;  /* the terms are of time alone */
    bool is_recorded; /* the terms may be those of delayed expressions */
    uint32_t term;    /* the term with the extremum found */
    double width;
} Quest;

/* A term that is zero by an equation consists of rounding, with extrema everywhere: an extremum
 * this narrow, relative to the step or to the resolution of time, is one of these. Terms of time
 * do not take the rounding of interpolated states. */
static bool is_rounding(const Quest *q, double t)
{
    static const double OF_STEP = 1e-9, OF_TIME = 1e-12;
    const double of_step = q->is_of_time ? OF_TIME : OF_STEP;
    return q->width <= fmax(of_step * q->most, OF_TIME * fabs(t));
}

/* An extremum at which a step has ended is integrated as well as the method can. */
static bool is_met(const Quest *q, double t)
{
    const TimeTerms *it = q->it;
    return isfinite(it->met) && q->term == it->met_term &&
           fabs(t - it->met) <= it->met_width + q->width;
}

/* Whether the last step has missed the effect of the extremum at t: the residual of the dense
 * output there, times the width of the extremum, moves a state by more than the tolerance; or a
 * relation there has changed. */
static bool is_missed(const Quest *q, double t)
{
    static const double NEAR = 1e-4;
    if (is_rounding(q, t) || is_met(q, t))
        return false;
    TimeTerms *it = q->it;
    const Inside *in = q->last;
    Run *run = q->run;
    double t0 = q->from;
    double *x = it->x, end = run->t, h = end - t0;
    double low = fmax(t0, t - NEAR * h), high = fmin(end, t + NEAR * h);
    double *slope[] = {it->before, it->behind}, at[] = {low, high};
    for (int i = 0; i < 2; i++)
        in->method->at(in->self, run, at[i], slope[i]);
    in->method->at(in->self, run, t, x);
    size_t size = run->problem.model->n_unknowns * sizeof *it->z;
    memcpy(it->z, run->problem.ctx->z, size);
    int status = problem_xdot(&run->problem, t, x, it->there);
    bool missed = !status && q->ask && q->ask(q->user, run, t, x);
    missed =
        missed || (q->is_recorded && delays_move(run->problem.delays, &run->problem,
                                                 &in->interpolant, run->tolerance, t, q->width));
    memcpy(run->problem.ctx->z, it->z, size);
    for (uint32_t k = 0; k < run->problem.n && !status && !missed; k++) {
        double off = it->there[k] - (slope[1][k] - slope[0][k]) / (high - low);
        missed = fabs(off) * q->width > run->tolerance * problem_size(&run->problem, k, x[k]);
    }
    return missed;
}

/* Whether the lines stay in their box during a step. */
static bool stay_in_box(Terms *it, Interval step)
{
    if (!it->has_box || it->credit <= 0)
        return false;
    find_lines(it, step);
    for (uint32_t i = 0; i < it->n_of[IS_LINE]; i++) {
        uint32_t k = it->of[IS_LINE][i];
        if (!(it->value[k].lo >= it->box[k].lo && it->value[k].hi <= it->box[k].hi))
            return false;
    }
    return true;
}

/* A box around the lines of the last step, whose bounds are known. */
static void find_box(Terms *it, const RungContext *ctx)
{
    it->has_box = false;
    if (it->box_idle > 0) {
        it->box_idle--;
        return;
    }
    for (uint32_t i = 0; i < it->n_of[IS_LINE]; i++) {
        uint32_t k = it->of[IS_LINE][i];
        Interval *v = &it->value[k];
        double more = it->reach * (v->hi - v->lo);
        *v = it->box[k] = between(v->lo - more, v->hi + more);
    }
    find_others(it, ctx, (Interval){0, 0});
    it->has_box = true;
    for (uint32_t k = 0; k < it->table->n_terms; k++) {
        uint32_t row = it->table->term[k];
        Interval v = it->value[row];
        it->has_box =
            it->has_box && (it->is_calm[row] || v.hi - v.lo <= FAR / 2 * it->course[k].size);
    }
    it->reach = it->has_box ? fmin(2 * it->reach, MOST_REACH) : it->reach / 2;
    if (it->has_box)
        it->box_pause = 0;
    if (it->reach < LEAST_REACH) {
        it->reach = LEAST_REACH;
        it->box_idle = it->box_pause = longer(it->box_pause);
    }
}

/* Searches from q->from to `end` for an extremum narrower than a step of q->most. Returns the first
 * one that matters, infinity if there is none. *is_idle: the search ended early, among too many
 * small extrema. */
static double search(Terms *it, Quest *q, double end, bool *is_idle)
{
    enum { LOOKS = 400, DEPTH = 60, IDLE = 4 };
    /* bound on the cost per finished step, for models with many such terms */
    enum { MOST_WORK = 20000 };
    static const double WIDE = 1e-4;
    static const double SEEN = 0.5; // of a step of fixed length: it is evaluated in between
    const RungTimeTerms *table = it->table;
    const RungContext *ctx = q->run->problem.ctx;
    double until[DEPTH], t = q->from;
    int n = 0, looks = 0, idle = 0;
    *is_idle = false;
    if (it->inside && stay_in_box(it, (Interval){t, end})) {
        it->found = NAN;
        return INFINITY;
    }
    if (it->inside && it->found != t)
        find_still(it, ctx);
    if (!it->inside || it->found != t)
        terms_at(it, ctx, t, it->ahead);
    for (uint32_t k = 0; k < table->n_terms; k++) {
        it->course[k].size = fmax(it->course[k].size, fabs(it->ahead[k]));
        begin(&it->course[k], t, it->ahead[k]);
    }
    until[n++] = end;
    it->work = 0;
    while (n && looks++ < LOOKS && idle < IDLE &&
           !(q->last && (it->work > MOST_WORK || it->credit <= 0))) {
        double b = until[n - 1], middle = 0.5 * (t + b);
        terms_at(it, ctx, b, it->ahead);
        evaluate(it, ctx, (Interval){t, b});
        bool is_clear = n == DEPTH || !(b - t > 1e3 * DBL_EPSILON * fmax(fabs(b), fabs(t)));
        if (!is_clear) {
            const bool is_wide = b - t > WIDE * (end - q->from);
            is_clear = true;
            for (uint32_t k = 0; k < table->n_terms && is_clear; k++)
                is_clear = is_decided(it, k, it->value[table->term[k]], is_wide);
        }
        if (!is_clear) {
            until[n++] = middle;
            continue;
        }
        n--;
        for (uint32_t k = 0; k < table->n_terms; k++) {
            Course *c = &it->course[k];
            double where;
            if (!turns(c, b, it->ahead[k], &where))
                continue;
            double left = half_width(it, ctx, k, where, q->from);
            double right = half_width(it, ctx, k, where, b);
            bool is_narrow = left + right < q->most * (q->is_fixed ? SEEN : 1);
            q->width = left + right;
            q->term = k;
            if (q->last && is_narrow)
                where = refine(it, ctx, k, where, where - left, where + right);
            bool counts = is_narrow && (q->last ? is_missed(q, where)
                                                : matters(q->it, q->run, where, left, right));
            if (counts)
                return where;
            idle += is_narrow;
            begin(c, b, it->ahead[k]);
        }
        t = b;
    }
    *is_idle = n > 0;
    if (it->inside && n == 0)
        it->found = end;
    if (it->inside && n == 0 && looks == 1)
        find_box(it, ctx);
    return INFINITY;
}

/* The argument by whose sign operation k selects a branch; false: it is no such operation. */
static bool compared(const Terms *it, uint32_t k, Interval *d)
{
    const RungTimeTerms *t = it->table;
    Interval a, b = {0, 0};
    switch ((RungTimeOp)t->op[k]) {
    case RUNG_TIME_ABS:
        a = it->value[t->a[k]];
        break;
    case RUNG_TIME_MIN:
    case RUNG_TIME_MAX:
    case RUNG_TIME_LT:
    case RUNG_TIME_LE:
        a = it->value[t->a[k]];
        b = it->value[t->b[k]];
        break;
    default:
        return false;
    }
    *d = (Interval){a.lo - b.hi, a.hi - b.lo};
    return true;
}

/* Whether an operation may change its branch in [a, b]; with `ends`, whether it does by the values
 * at both ends. */
static bool may_bend(Terms *it, const RungContext *ctx, double a, double b, bool ends)
{
    Interval d;
    evaluate(it, ctx, (Interval){a, ends ? a : b});
    bool any = false;
    for (uint32_t k = 0; k < it->table->n; k++) {
        bool is_choice = compared(it, k, &d);
        it->is_negative[k] = is_choice && d.lo < 0;
        any = any || (is_choice && d.lo < 0 && d.hi >= 0);
    }
    if (!ends)
        return any;
    evaluate(it, ctx, (Interval){b, b});
    any = false;
    for (uint32_t k = 0; k < it->table->n; k++)
        any = any || (compared(it, k, &d) && (d.lo < 0) != it->is_negative[k]);
    return any;
}

/* The first kink in [from, to] by bisection, on its far side; infinity: there is none up to *clear,
 * where the search has ended. */
static double find_bend(Terms *it, const RungContext *ctx, double from, double to, double *clear)
{
    enum { LOOKS = 300, DEPTH = 60 };
    static const double NARROW = 16 * DBL_EPSILON;
    double until[DEPTH], t = from;
    int n = 0;
    until[n++] = to;
    for (int looks = 0; n && looks < LOOKS; looks++) {
        double b = until[n - 1], middle = 0.5 * (t + b);
        bool is_narrow = n == DEPTH || !(b - t > NARROW * fmax(fabs(t), fabs(b)));
        if (may_bend(it, ctx, t, b, is_narrow)) {
            if (is_narrow)
                return *clear = b;
            until[n++] = middle;
            continue;
        }
        t = b;
        n--;
    }
    *clear = t;
    return INFINITY;
}

/* Searches for kinks before `end`, as far as the next steps may reach. */
static void look_for_bend(TimeTerms *it, const Run *run, double most, double end)
{
    if (it->bend <= run->t) {
        it->bend_clear = it->bend;
        it->bend = INFINITY;
    }
    if (it->bend < INFINITY || it->bend_clear >= fmin(run->t + most, end))
        return;
    if (it->bend_idle > 0) {
        it->bend_idle--;
        return;
    }
    double from = fmax(run->t, it->bend_clear), to = fmin(run->t + 2 * most, end);
    it->bend = find_bend(&it->time, run->problem.ctx, from, to, &it->bend_clear);
    bool came_nowhere = it->bend == INFINITY && it->bend_clear < from + 0.1 * (to - from);
    it->bend_pause = came_nowhere ? longer(it->bend_pause) : 0;
    it->bend_idle = it->bend_pause;
}

int time_terms_stop(TimeTerms *it, Run *run, const Integrator *method, void *self, double end,
                    bool is_first)
{
    if (!it || method->fixed_step)
        return 0;
    double before = run->stop, most = is_first ? INFINITY : method->growth * run->h;
    run->stop = end;
    if (it->stop <= run->t) {
        it->stop = INFINITY;
        it->clear = -INFINITY;
    }
    bool is_known = !it->time.table || it->stop < INFINITY || it->clear >= fmin(run->t + most, end);
    if (!is_known && it->idle > 0) {
        it->idle--;
        is_known = true;
    }
    if (!is_known) {
        bool is_idle = false;
        Quest q = {.it = it, .run = run, .from = run->t, .most = most};
        it->clear = fmin(run->t + 2 * most, end);
        it->stop = search(&it->time, &q, it->clear, &is_idle);
        it->idle = it->pause = is_idle ? longer(it->pause) : 0;
    }
    if (it->time.table)
        look_for_bend(it, run, most, end);
    run->stop = fmin(fmin(end, it->stop), it->bend);
    if (it->met > run->t)
        run->stop = fmin(run->stop, it->met);
    return run->stop != before && method->resume ? method->resume(self, run) : 0;
}

/* An extremum of a state term in the last step; infinity: none. */
static double search_states(TimeTerms *it, Quest *q, double end)
{
    if (!it->state.table)
        return INFINITY;
    if (it->leave > 0) {
        it->leave--;
        return INFINITY;
    }
    bool is_idle = false;
    it->state.inside = q->last;
    it->state.run = q->run;
    if (it->state.credit < MOST_CREDIT)
        it->state.credit += CREDIT_PER_STEP;
    for (int i = 0; i < POINTS; i++)
        if (it->state.point[i].t != q->from)
            it->state.point[i].t = NAN;
    q->is_recorded = q->run->problem.delays != NULL;
    double where = search(&it->state, q, end, &is_idle);
    q->is_recorded = false;
    it->state.inside = NULL;
    it->leave = it->looks = is_idle ? longer(it->looks) : 0;
    return where;
}

/* An extremum of a term of time in the last step, where the step could not end at it. */
static double search_times(TimeTerms *it, Quest *q, double end)
{
    bool is_idle = false;
    if (!it->time.table || !(q->is_fixed || q->last->method->by_importer))
        return INFINITY;
    if (it->idle > 0) {
        it->idle--;
        return INFINITY;
    }
    q->is_of_time = true;
    double where = search(&it->time, q, end, &is_idle);
    q->is_of_time = false;
    it->idle = it->pause = is_idle ? longer(it->pause) : 0;
    return where;
}

static bool counts(void *quest, const MarginWindow *w)
{
    Quest *q = quest;
    const TimeTerms *it = q->it;
    q->width = w->width;
    q->term = w->choice + (it->state.table ? it->state.table->n_terms : 0);
    return is_missed(q, w->at);
}

/* The middle of a part of the last step in which a choice is another one; infinity: none. */
static double search_choices(TimeTerms *it, Quest *q, double end)
{
    MarginWindow w;
    bool exhausted;
    if (it->choice_leave > 0) {
        it->choice_leave--;
        return INFINITY;
    }
    const Inside *in = q->last;
    bool found = margin_search_window(&it->choices, q->run, in->method, in->self, q->from, end,
                                      counts, q, &w, &exhausted);
    it->choice_leave = it->choice_looks = exhausted ? longer(it->choice_looks) : 0;
    return found ? w.at : INFINITY;
}

/* The time of the last step at which number k delays what was at `time`, by bisection: how long
 * it is may vary. */
static double when_delayed(TimeTerms *it, const Quest *q, uint32_t k, double time, double end)
{
    enum { HALVINGS = 60 };
    const Inside *in = q->last;
    const Problem *problem = &q->run->problem;
    double low = q->from, high = end;
    for (int i = 0; i < HALVINGS && high > low; i++) {
        double t = low + (high - low) / 2;
        in->method->at(in->self, in->run, t, it->x);
        if (t - delays_lag(problem->delays, problem->ctx, k, t, it->x) < time)
            low = t;
        else
            high = t;
    }
    return high;
}

/* An extremum of a delayed expression that the last step has met later and missed; infinity: none.
 */
static double search_delays(TimeTerms *it, Quest *q, double end)
{
    enum { MOST = 20 };
    const Inside *in = q->last;
    Problem *problem = &q->run->problem;
    Delays *d = problem->delays;
    const uint32_t n_terms = it->state.table ? it->state.table->n_terms : 0;
    double first = INFINITY, width = 0;
    uint32_t term = 0;
    for (uint32_t k = 0; k < delays_count(d); k++) {
        in->method->at(in->self, in->run, q->from, it->x);
        double from = q->from - delays_lag(d, problem->ctx, k, q->from, it->x), at, wide;
        double to = end - delays_lag(d, problem->ctx, k, end, in->run->x);
        for (int i = 0; i < MOST && delays_find_peak(d, k, from, to, &at, &wide); i++) {
            double t = when_delayed(it, q, k, at, end);
            q->width = when_delayed(it, q, k, at + wide / 2, end) -
                       when_delayed(it, q, k, at - wide / 2, end);
            q->term = n_terms + problem->model->n_choices + k;
            if (t < first && is_missed(q, t)) {
                first = t;
                width = q->width;
                term = q->term;
            }
            from = at;
        }
    }
    q->width = width;
    q->term = term;
    return first;
}

double time_terms_met(const TimeTerms *it)
{
    return it->met;
}

uint64_t time_terms_missed(const TimeTerms *it, double *first)
{
    *first = it ? it->first_missed : 0;
    return it ? it->n_missed : 0;
}

bool time_terms_passed(TimeTerms *it, Run *run, const Integrator *method, void *self, double t0,
                       double t1, TimeTermsAsk ask, void *user, double *back)
{
    if (!it || !(t1 > t0))
        return false;
    // extrema of noise would be found one after the other, each vanishing when a step ends there
    enum { MOST_BACK = 200 };
    static const double WIDTHS = 6; // from the pulse to where its tails do not count
    if (t0 >= it->far)
        it->n_back = 0;
    else if (it->n_back >= MOST_BACK)
        return false;
    const Inside last = inside_of(run, method, self);
    Quest q = {.it = it,
               .run = run,
               .from = t0,
               .most = t1 - t0,
               .last = &last,
               .ask = ask,
               .user = user,
               .is_fixed = method->fixed_step};
    // the first pulse of any kind
    enum { KINDS = 4 };
    double (*const search_in[KINDS])(TimeTerms *, Quest *, double) = {
        search_times, search_states, search_choices, search_delays};
    double where = INFINITY;
    Quest first = q;
    for (int i = 0; i < KINDS; i++) {
        double found = search_in[i](it, &q, fmin(where, t1));
        if (found < where) {
            where = found;
            first = q;
        }
    }
    if (where == INFINITY)
        return false;
    q = first;
    if (method->fixed_step) {
        it->first_missed = it->n_missed++ ? it->first_missed : where;
        return false;
    }
    it->far = fmax(it->far, t1);
    it->n_back++;
    it->met = where;
    it->met_term = q.term;
    it->met_width = q.width;
    *back = fmax(t0, where - WIDTHS * q.width);
    return true;
}
