/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_terms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Interval {
    double lo, hi;
} Interval;

/* Of one term, from where the search began up to where it is. */
typedef struct Course {
    double first;    /* its value there                            */
    double lo, t_lo; /* its least value since                      */
    double hi, t_hi; /* its largest                                */
    double size;     /* the largest that was ever met              */
    double here;     /* where the search is                        */
} Course;

struct TimeTerms {
    const RungTimeTerms *table;
    Interval *value;                 /* per operation      */
    double *ahead;                   /* per term           */
    Course *course;                  /* per term           */
    double *before, *there, *behind; /* derivatives of the states around an extremum */
    double *z;                       /* first guesses of blocks meanwhile            */
    double stop;                     /* an extremum ahead  */
    double clear;                    /* up to here there is none; -INFINITY: nothing is known */
    int idle, pause; /* searches that are left out, since others found nothing that matters */
};

bool time_terms_needed(const RungModel *m)
{
    return m->time_terms && m->n_states;
}

TimeTerms *time_terms_new(const RungModel *m)
{
    TimeTerms *it = time_terms_needed(m) ? calloc(1, sizeof *it) : NULL;
    if (!it)
        return NULL;
    it->table = m->time_terms;
    it->value = calloc(it->table->n, sizeof *it->value);
    it->ahead = calloc(it->table->n_terms, sizeof *it->ahead);
    it->course = calloc(it->table->n_terms, sizeof *it->course);
    it->before = calloc(m->n_states, sizeof *it->before);
    it->there = calloc(m->n_states, sizeof *it->there);
    it->behind = calloc(m->n_states, sizeof *it->behind);
    it->z = calloc(m->n_unknowns + (size_t)1, sizeof *it->z);
    if (!it->value || !it->ahead || !it->course || !it->before || !it->there || !it->behind ||
        !it->z) {
        time_terms_free(it);
        return NULL;
    }
    time_terms_forget(it);
    return it;
}

void time_terms_free(TimeTerms *it)
{
    if (!it)
        return;
    free(it->value);
    free(it->ahead);
    free(it->course);
    free(it->before);
    free(it->there);
    free(it->behind);
    free(it->z);
    free(it);
}

void time_terms_forget(TimeTerms *it)
{
    if (!it)
        return;
    it->clear = -INFINITY;
    it->stop = INFINITY;
    it->idle = it->pause = 0;
    for (uint32_t k = 0; k < it->table->n_terms; k++)
        it->course[k].size = 0;
}

/* ------------------------------------------------------------------ interval arithmetic */

static const Interval ANY = {-INFINITY, INFINITY};

/* What is no number, infinity minus infinity for example, may be anything. */
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
    return between(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

static Interval times(Interval a, Interval b)
{
    return corners(product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo),
                   product(a.hi, b.hi));
}

static Interval square(Interval a)
{
    double lo = fabs(a.lo), hi = fabs(a.hi), most = fmax(lo, hi);
    double least = a.lo <= 0 && a.hi >= 0 ? 0 : fmin(lo, hi);
    return (Interval){least * least, most * most};
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
        return between(is_even && a.hi > 0 ? 0 : fmin(lo, hi), fmax(lo, hi));
    }
    double from = fmax(a.lo, 0);
    return a.hi < 0 ? ANY
                    : corners(pow(from, b.lo), pow(from, b.hi), pow(a.hi, b.lo), pow(a.hi, b.hi));
}

/* cos(x) over x: at multiples of pi it is 1 and -1 by turns. */
static Interval cosine(Interval x)
{
    if (!(x.hi - x.lo < 7) || fabs(x.lo) > 1e12)
        return x.lo == x.hi ? between(cos(x.lo), cos(x.lo)) : (Interval){-1, 1};
    double a = cos(x.lo), b = cos(x.hi);
    Interval y = {fmin(a, b), fmax(a, b)};
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

static Interval operate(const TimeTerms *it, const RungContext *ctx, uint32_t k, Interval time)
{
    const RungTimeTerms *t = it->table;
    uint32_t at = t->a[k];
    switch ((RungTimeOp)t->op[k]) {
    case RUNG_TIME_NOW:
        return time;
    case RUNG_TIME_NUMBER:
        return between(t->number[at], t->number[at]);
    case RUNG_TIME_PARAMETER:
        return between(ctx->p[at], ctx->p[at]);
    case RUNG_TIME_CONSTANT:
        return between(ctx->c[at], ctx->c[at]);
    case RUNG_TIME_MEMORY:
        return between(ctx->u[at], ctx->u[at]);
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

static void evaluate(TimeTerms *it, const RungContext *ctx, Interval time)
{
    for (uint32_t k = 0; k < it->table->n; k++)
        it->value[k] = operate(it, ctx, k, time);
}

/* All terms at t, into `to`. */
static void terms_at(TimeTerms *it, const RungContext *ctx, double t, double *to)
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
    evaluate(it, ctx, (Interval){t0, t1});
    *lo = it->value[it->table->term[k]].lo;
    *hi = it->value[it->table->term[k]].hi;
}

/* ------------------------------------------------------------------ the search */

/* How far a term has to go, and come back, of the largest value it ever had. */
static const double FAR = 0.5;

static void begin(Course *c, double t, double here)
{
    c->first = c->lo = c->hi = c->here = here;
    c->t_lo = c->t_hi = t;
}

/* Whether the bounds between a and b say no more than the values there: to half of what counts. */
static bool is_told(const TimeTerms *it, uint32_t k, Interval bounds)
{
    static const double ROUNDING = 1e-9;
    const Course *c = &it->course[k];
    double a = c->here, b = it->ahead[k];
    if (isnan(a) || isnan(b))
        return true;
    double size = fmax(c->size, fmax(fabs(a), fabs(b)));
    double spare = fmax(FAR / 2 * size, ROUNDING * fmax(fabs(bounds.lo), fabs(bounds.hi)));
    if (isinf(spare))
        spare = FAR / 2 * size;
    return bounds.lo >= fmin(a, b) - spare && bounds.hi <= fmax(a, b) + spare;
}

/* The search comes to t. Whether the term has turned round on the way, far from where it began. */
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
static double half_width(TimeTerms *it, const RungContext *ctx, uint32_t k, double extremum,
                         double end)
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

/* Whether the extremum moves a state by more than the tolerance: by what it does to the
 * derivatives, against `left` before it and `right` behind it, where it is half as far. With closed
 * loops and delays nobody asks: they have more to them than (t, x). */
static bool matters(TimeTerms *it, Run *run, double t, double left, double right)
{
    if (run->loops || run->delays)
        return true;
    size_t size = run->model->n_unknowns * sizeof *it->z;
    memcpy(it->z, run->ctx->z, size);
    int status = run_xdot(run, t - left, run->x, it->before);
    status = status ? status : run_xdot(run, t, run->x, it->there);
    status = status ? status : run_xdot(run, t + right, run->x, it->behind);
    memcpy(run->ctx->z, it->z, size);
    for (uint32_t k = 0; k < run->n && !status; k++) {
        double moved = fabs(2 * it->there[k] - it->before[k] - it->behind[k]) * (left + right);
        if (moved > run->tolerance * (run->model->nominal[k] + fabs(run->x[k])))
            return true;
    }
    return status != 0;
}

/* Looks from run->t to `end`, for what a step of `most` could pass over. Returns where the first
 * extremum is that matters, infinity where there is none. */
static double search(TimeTerms *it, Run *run, double end, double most)
{
    enum { LOOKS = 400, DEPTH = 60, IDLE = 4 };
    const RungTimeTerms *table = it->table;
    double until[DEPTH], t = run->t;
    int n = 0, looks = 0, idle = 0;
    terms_at(it, run->ctx, t, it->ahead);
    for (uint32_t k = 0; k < table->n_terms; k++) {
        it->course[k].size = fmax(it->course[k].size, fabs(it->ahead[k]));
        begin(&it->course[k], t, it->ahead[k]);
    }
    until[n++] = end;
    while (n && looks++ < LOOKS && idle < IDLE) {
        double b = until[n - 1], middle = 0.5 * (t + b);
        terms_at(it, run->ctx, b, it->ahead);
        evaluate(it, run->ctx, (Interval){t, b});
        bool is_clear = n == DEPTH || !(b - t > 1e3 * DBL_EPSILON * fmax(fabs(b), fabs(t)));
        if (!is_clear) {
            is_clear = true;
            for (uint32_t k = 0; k < table->n_terms && is_clear; k++)
                is_clear = is_told(it, k, it->value[table->term[k]]);
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
            double left = half_width(it, run->ctx, k, where, run->t);
            double right = half_width(it, run->ctx, k, where, b);
            bool is_narrow = left + right < most;
            if (is_narrow && matters(it, run, where, left, right))
                return where;
            idle += is_narrow;
            begin(c, b, it->ahead[k]);
        }
        t = b;
    }
    if (n) // too much goes on that is of no matter
        it->idle = it->pause = it->pause ? (it->pause < 64 ? 2 * it->pause : 64) : 1;
    else
        it->pause = 0;
    return INFINITY;
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
    bool is_known = it->stop < INFINITY || it->clear >= fmin(run->t + most, end);
    if (!is_known && it->idle > 0) {
        it->idle--;
        is_known = true;
    }
    if (!is_known) {
        it->clear = fmin(run->t + 2 * most, end);
        it->stop = search(it, run, it->clear, most);
    }
    run->stop = fmin(end, it->stop);
    return run->stop != before && method->resume ? method->resume(self, run) : 0;
}
