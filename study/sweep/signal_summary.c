#include "study/sweep/signal_summary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Nodes and weights of Lobatto's formula on -1 .. 1. */
static const double NODE[LOBATTO] = {-1, -0.65465367070797714380, 0, 0.65465367070797714380, 1};
static const double WEIGHT[LOBATTO] = {1 / 10.0, 49 / 90.0, 32 / 45.0, 49 / 90.0, 1 / 10.0};

SignalSummary signal_summary_new(uint32_t n, const uint32_t *row, Arena *mem)
{
    SignalSummary s = {.n = n, .row = row};
    double **all[] = {&s.last,      &s.least,     &s.most,      &s.integral,  &s.sample[0],
                      &s.sample[1], &s.sample[2], &s.sample[3], &s.sample[4], &s.inside};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = arena_array(mem, double, n + 1);
    return s;
}

void signal_summary_begin(SignalSummary *s)
{
    s->end = NAN;
    for (uint32_t k = 0; k < s->n; k++) {
        s->last[k] = s->least[k] = s->most[k] = NAN;
        s->integral[k] = 0;
    }
}

static void take(SignalSummary *s, const double *value)
{
    for (uint32_t k = 0; k < s->n; k++) {
        s->least[k] = fmin(s->least[k], value[k]);
        s->most[k] = fmax(s->most[k], value[k]);
    }
}

int signal_summary_row(void *user, const RungContext *ctx, double t, const double *x,
                       const double *v)
{
    SignalSummary *s = user;
    for (uint32_t k = 0; k < s->n; k++)
        s->last[k] = rung_value(ctx, s->row[k], t, x, v);
    take(s, s->last);
    return 0;
}

/* Lagrange's polynomial through the samples of a step: the sum of part[i] times the product of
 * at - NODE[j] over all j but i. */
typedef struct Polynomial {
    double part[LOBATTO];
} Polynomial;

static Polynomial polynomial_through(const double *y)
{
    // the product of NODE[i] - NODE[j] over all j but i
    static const double below[LOBATTO] = {8 / 7.0, -24 / 49.0, 3 / 7.0, -24 / 49.0, 8 / 7.0};
    Polynomial p;
    for (int i = 0; i < LOBATTO; i++)
        p.part[i] = y[i] / below[i];
    return p;
}

/* Written out: it is called tens of times for each signal that may turn. */
static double interpolate(const Polynomial *p, double at)
{
    const double *y = p->part, a = at - NODE[0], b = at - NODE[1], c = at - NODE[2],
                 d = at - NODE[3], e = at - NODE[4];
    return y[0] * b * c * d * e + y[1] * a * c * d * e + y[2] * a * b * d * e +
           y[3] * a * b * c * e + y[4] * a * b * c * d;
}

/* The place between -1 and 1 of a maximum of the polynomial above its largest sample; NAN if there
 * is none. sign -1: of a minimum. */
static double find_peak(const double *y, const Polynomial *p, double sign)
{
    int top = 0;
    for (int i = 1; i < LOBATTO; i++)
        if (sign * y[i] > sign * y[top])
            top = i;
    double a = NODE[top > 0 ? top - 1 : 0], b = NODE[top < LOBATTO - 1 ? top + 1 : top];
    // golden section, to a thousandth of the step: the signal is flat there
    const double share = 0.38196601125010515;
    double u = a + share * (b - a), v = b - share * (b - a);
    double fu = sign * interpolate(p, u), fv = sign * interpolate(p, v);
    for (int k = 0; k < 14; k++) {
        if (fu > fv) {
            b = v;
            v = u;
            fv = fu;
            u = a + share * (b - a);
            fu = sign * interpolate(p, u);
        } else {
            a = u;
            u = v;
            fu = fv;
            v = b - share * (b - a);
            fv = sign * interpolate(p, v);
        }
    }
    double at = 0.5 * (a + b);
    return sign * interpolate(p, at) > sign * y[top] ? at : NAN;
}

/* Whether samples rise and fall, or could: a signal that changes monotonically and evenly in a step
 * needs no polynomial. */
static bool may_turn(const double *y, double best, double sign, double close)
{
    double reach = 0, top = -INFINITY;
    for (int i = 0; i < LOBATTO; i++) {
        top = fmax(top, sign * y[i]);
        reach = fmax(reach, fabs(y[i] - y[0]));
    }
    // between samples a smooth signal exceeds them by less than half of its change
    return top + 0.5 * reach > sign * best + close;
}

/* The signals themselves where one of them has its extremum by the polynomial. */
static bool look_for_peaks(SignalSummary *s, const SimulateStep *step)
{
    double middle = 0.5 * (step->t0 + step->t1), half = 0.5 * (step->t1 - step->t0);
    for (uint32_t k = 0; k < s->n; k++) {
        double y[LOBATTO];
        for (int i = 0; i < LOBATTO; i++)
            y[i] = s->sample[i][k];
        for (int sign = -1; sign <= 1; sign += 2) {
            double best = sign > 0 ? s->most[k] : s->least[k];
            double close = 0.1 * step->tolerance * (s->most[k] - s->least[k]);
            if (!may_turn(y, best, sign, close))
                continue;
            const Polynomial p = polynomial_through(y);
            double at = find_peak(y, &p, sign);
            if (isnan(at) || sign * interpolate(&p, at) <= sign * best + close)
                continue;
            if (step->some(step, middle + at * half, s->n, s->row, s->inside))
                return false;
            take(s, s->inside);
        }
    }
    return true;
}

double signal_summary_time(double t0, double t1, int k)
{
    double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
    return k == 0 ? t0 : k == LOBATTO - 1 ? t1 : middle + NODE[k] * half;
}

int signal_summary_look(void *user, const SimulateStep *step)
{
    SignalSummary *s = user;
    double half = 0.5 * (step->t1 - step->t0);
    if (s->n == 0 || !(half > 0))
        return 0;
    bool known = s->end == step->t0, ok = true;
    if (known)
        memcpy(s->sample[0], s->sample[LOBATTO - 1], s->n * sizeof(double));
    for (int i = known; i < LOBATTO && ok; i++) {
        double t = signal_summary_time(step->t0, step->t1, i);
        ok = !step->some(step, t, s->n, s->row, s->sample[i]);
        if (ok)
            take(s, s->sample[i]);
    }
    ok = ok && look_for_peaks(s, step);
    s->end = ok && !step->ends_in_event ? step->t1 : NAN;
    for (uint32_t k = 0; k < s->n; k++) {
        double sum = ok ? 0 : NAN; // a signal that is nowhere inside the step has no integral
        for (int i = 0; i < LOBATTO; i++)
            sum += WEIGHT[i] * s->sample[i][k];
        s->integral[k] += half * sum;
    }
    return 0;
}
