/* SPDX-License-Identifier: BSD-3-Clause */
#include "tangent.h"
#include "block_row.h"
#include "lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- room ---- */

/* Which states are minus the derivatives of the model's. */
static void find_negated(Tangents *it, const RungSensitivity *t)
{
    uint32_t found = 0;
    for (uint32_t j = 0; j < it->n_by; j++) {
        it->first_negated[j] = found;
        for (uint32_t i = 0; i < it->n; i++) {
            bool is_negated = t->is_negated[(j + (size_t)1) * it->n + i];
            it->sign[(size_t)j * it->n + i] = is_negated ? -1 : 1;
            if (is_negated)
                it->negated[found++] = i;
        }
    }
    it->first_negated[it->n_by] = found;
}

bool tangents_open(Tangents *it, Run *run)
{
    const RungModel *m = run->problem.model;
    const RungSensitivity *t = m->sensitivity;
    *it = (Tangents){.run = run, .n = problem_own_states(&run->problem)};
    if (!t)
        return true;
    it->n_by = t->n;
    const RungNewtonSolve *v = it->solve = m->newton ? m->newton->of_any : NULL;
    it->iterates = v && !run->problem.loops;
    size_t n = it->n, n_by = it->n_by, m0 = run->problem.loops ? run->problem.loops->m0 : 0;
    size_t k0 = run->problem.loops ? run->problem.loops->k0 : 0, w = RUNG_SIDES;
    size_t rights = v ? m0 + v->n_rows + v->n_states : 0, works = v ? m->n_work : 0;
    size_t deltas = n + k0 + m0;
    it->sign = calloc(n_by * n + 1, sizeof *it->sign);
    it->negated = calloc(n_by * n + 1, sizeof *it->negated);
    it->first_negated = calloc(n_by + 1, sizeof *it->first_negated);
    it->push = calloc(n_by * m0 + 1, sizeof *it->push);
    it->before = calloc(n_by * m0 + 1, sizeof *it->before);
    it->free = calloc(n_by * k0 + 1, sizeof *it->free);
    it->wanted = calloc(m0 * w + 1, sizeof *it->wanted);
    it->memory = lanes_array((rights + works + deltas) * w);
    it->f = calloc((size_t)run->problem.n + (run->problem.loops ? run->problem.loops->k : 0) + 1,
                   sizeof *it->f);
    it->r = calloc(n + k0 + 1, sizeof *it->r);
    if (!it->sign || !it->negated || !it->first_negated || !it->memory || !it->push ||
        !it->before || !it->free || !it->wanted || !it->f || !it->r) {
        tangents_close(it);
        return false;
    }
    it->delta = it->memory;
    it->right = it->delta + deltas * w;
    it->work = it->right + rights * w;
    find_negated(it, t);
    return true;
}

void tangents_close(Tangents *it)
{
    free(it->sign);
    free(it->negated);
    free(it->first_negated);
    free(it->memory);
    free(it->push);
    free(it->before);
    free(it->free);
    free(it->wanted);
    free(it->f);
    free(it->r);
    *it = (Tangents){0};
}

/* Derivatives along time mean nothing between events. */
static void leave_time(const Tangents *it, const double *base, double *x)
{
    size_t from = it->n * ((size_t)it->n_by + 1);
    memcpy(x + from, base + from, (it->run->problem.n - from) * sizeof *x);
}

/* ---- by the model's elimination ---- */

/* Right-hand sides that are solved for at once: side 0 is that of an iteration, side j + 1 of
 * parameter j. */
typedef struct Group {
    uint32_t from, n;
} Group;

static Group group_at(const Tangents *it, uint32_t from)
{
    uint32_t n = it->n_by + 1 - from;
    return (Group){from, n < RUNG_SIDES ? n : RUNG_SIDES};
}

/* The factors at x. */
static int factor(Tangents *it, double t, double gamma, const double *base, const double *x)
{
    Problem *problem = &it->run->problem;
    const RungNewtonSolve *v = it->solve;
    double *u = problem->ctx->u + problem->model->newton->first;
    double *kept = problem->ctx->u + v->first + v->n_rows + v->n_states;
    u[RUNG_NEWTON_GAMMA] = gamma;
    u[RUNG_NEWTON_WEIGHT] = u[RUNG_NEWTON_BALANCE_WEIGHT] = 1;
    memcpy(u + RUNG_NEWTON_BASE, base, it->n * sizeof *u);
    problem_refresh(problem, t, x);
    problem->counts->factorisations++;
    it->entry = kept + v->n_kept;
    it->next = 0;
    return v->factor(problem->ctx, t, x, kept);
}

/* Where states are minus the derivatives of the model's. */
static void turn(const Tangents *it, Group of, double *block)
{
    for (uint32_t side = of.from > 0 ? of.from : 1; side < of.from + of.n; side++)
        for (uint32_t k = it->first_negated[side - 1]; k < it->first_negated[side]; k++) {
            double *at = block + (size_t)it->negated[k] * RUNG_SIDES + side - of.from;
            *at = -*at;
        }
}

/* The right-hand sides of a group, whose entries are those from it->next on; those of equations are
 * zero elsewhere. */
BLOCK_VECTORS
static void put_right(Tangents *it, Group of, const double *base, const double *penalty)
{
    const RungNewtonSolve *v = it->solve;
    const uint32_t w = RUNG_SIDES, of_constraint = v->n_rows + v->n_states;
    uint32_t m = it->run->problem.loops ? it->run->problem.loops->m0 : 0;
    uint32_t own = of.from == 0, next = it->next;
    double *right = it->right + (size_t)m * w, *defect = right + (size_t)v->n_rows * w;
    memset(it->wanted, 0, (size_t)m * w * sizeof *it->wanted);
    for (uint32_t i = 0; own && i < it->n; i++)
        defect[(size_t)i * w] = 0;
    block_put_columns(RUNG_SIDES, it->n, of.n - own, it->n, base + (of.from + own) * (size_t)it->n,
                      defect + own);
    turn(it, of, defect);
    for (; next < v->n_entries && v->by[next] < of.from + of.n; next++) {
        uint32_t at = v->place[next], j = v->by[next] - of.from;
        if (at < of_constraint)
            right[(size_t)at * w + j] += it->entry[next];
        else
            it->wanted[(size_t)(at - of_constraint) * w + j] =
                penalty[at - of_constraint] * it->entry[next];
    }
    it->next = next;
}

/* Entries of equations from `from` to it->next are zero again: most of the many equations have
 * none. */
static void clear_right(Tangents *it, Group of, uint32_t from)
{
    const RungNewtonSolve *v = it->solve;
    uint32_t m = it->run->problem.loops ? it->run->problem.loops->m0 : 0;
    for (uint32_t e = from; e < it->next; e++)
        if (v->place[e] < v->n_rows)
            it->right[((size_t)m + v->place[e]) * RUNG_SIDES + v->by[e] - of.from] = 0;
}

void tangents_take_inputs(Tangents *it, const double *y)
{
    const Loops *l = it->run->problem.loops;
    for (uint32_t by = 0; by < it->n_by; by++) {
        double *push = it->push + (size_t)by * l->m0, *before = it->before + (size_t)by * l->m0;
        loops_take_part(l, by + 1, y, push);
        memcpy(before, push, l->m0 * sizeof *push);
    }
}

/* The multipliers of parameter j as a first guess: in a straight line from the last two stages. */
static void extrapolate(Tangents *it, uint32_t j, uint32_t m)
{
    double *push = it->push + (size_t)j * m, *before = it->before + (size_t)j * m;
    for (uint32_t i = 0; i < m; i++) {
        double last = push[i];
        push[i] += last - before[i];
        before[i] = last;
    }
}

/* fmax, which is a call. */
static double larger(double a, double b)
{
    return b > a ? b : a;
}

static int solve_sides(Tangents *it, uint32_t n, double t, const double *x)
{
    return it->solve->solve_sides(it->run->problem.ctx, t, x, n, it->right, it->work, it->delta);
}

/* The derivatives of the states: the increments of a group without loops. Positive where one is no
 * number: a pivot has vanished unnoticed. */
BLOCK_VECTORS
static int take(Tangents *it, Group of, double *x)
{
    const uint32_t own = of.from == 0;
    double *to = x + (of.from + own) * (size_t)it->n;
    turn(it, of, it->delta);
    block_take_columns(RUNG_SIDES, it->n, of.n - own, it->n, it->delta + own, to);
    return !problem_is_finite((of.n - own) * it->n, to);
}

/* Side j of the increments with loops, and the inputs of these. 0, or no number where one of the
 * increments is none. */
static double take_side(Tangents *it, Group of, uint32_t j, double *x, double *y)
{
    Loops *l = it->run->problem.loops;
    uint32_t by = of.from + j - 1;
    const double *sign = it->sign + (size_t)by * it->n;
    double *to = x + ((size_t)by + 1) * it->n, *rates = it->free + (size_t)by * l->k0, sum = 0;
    for (uint32_t i = 0; i < it->n; i++) {
        to[i] = sign[i] * it->delta[(size_t)i * RUNG_SIDES + j];
        sum += 0 * to[i];
    }
    for (uint32_t i = 0; i < l->k0; i++)
        rates[i] = it->delta[((size_t)it->n + i) * RUNG_SIDES + j];
    loops_put_part(l, by + 1, it->push + (size_t)by * l->m0, rates, y);
    return sum;
}

/* The largest increment of a state, of each side. */
static void find_sizes(const Tangents *it, double *size)
{
    const double *row = it->delta;
    for (uint32_t j = 0; j < RUNG_SIDES; j++)
        size[j] = 0;
    for (uint32_t i = 0; i < it->n; i++, row += RUNG_SIDES)
        for (uint32_t j = 0; j < RUNG_SIDES; j++)
            size[j] = larger(size[j], fabs(row[j]));
}

/* The multipliers of side j follow the increments; returns what was left of its constraints. */
static double follow(Tangents *it, Group of, uint32_t j, const double *penalty)
{
    const Loops *l = it->run->problem.loops;
    double *push = it->push + (size_t)(of.from + j - 1) * l->m0, left = 0;
    for (uint32_t i = 0; i < l->m0; i++) {
        double now = it->delta[((size_t)it->n + l->k0 + i) * RUNG_SIDES + j];
        left = larger(left, fabs((now - push[i]) / penalty[i]));
        push[i] = now;
    }
    return left;
}

/* With loops, in rounds: one leaves 1 / (1 + penalty * inertia^-1) of the constraints, and that is
 * enough where it is rounding, or does not shrink. A side whose multipliers are there stays as it
 * is in further rounds. Positive too where a pivot has vanished unnoticed. */
static int close_group(Tangents *it, Group of, double t, const double *penalty, double *x,
                       double *y)
{
    enum { ROUNDS = 12 };
    static const double LEFT = 1e-14, SHRINKS = 0.5;
    const uint32_t m = it->run->problem.loops->m0;
    double before[RUNG_SIDES], size[RUNG_SIDES], sum = 0;
    bool is_there[RUNG_SIDES] = {false};
    for (uint32_t j = 0; j < of.n; j++) {
        before[j] = INFINITY;
        extrapolate(it, of.from + j - 1, m);
    }
    uint32_t open = of.n;
    for (int round = 0; round < ROUNDS && open; round++) {
        for (uint32_t j = 0; j < of.n; j++)
            for (uint32_t i = 0; i < m; i++)
                it->right[(size_t)i * RUNG_SIDES + j] = it->wanted[(size_t)i * RUNG_SIDES + j] +
                                                        it->push[(size_t)(of.from + j - 1) * m + i];
        int status = solve_sides(it, of.n, t, x);
        if (status)
            return status;
        find_sizes(it, size);
        for (uint32_t j = 0; j < of.n; j++) {
            if (is_there[j])
                continue;
            double left = follow(it, of, j, penalty);
            is_there[j] =
                left <= LEFT * size[j] || left > SHRINKS * before[j] || round == ROUNDS - 1;
            before[j] = left;
            if (is_there[j])
                sum += take_side(it, of, j, x, y);
            open -= is_there[j];
        }
    }
    return isnan(sum);
}

bool tangents_are_near(double size)
{
    // of relative derivatives of the matrix by the states, which are not known
    static const double NEAR = 1e-14;
    return size <= NEAR;
}

bool tangents_expect_near(double before, double curvature)
{
    static const double NEARLY = 1e-13;
    return curvature * before * before <= NEARLY;
}

int tangents_correct(Tangents *it, double t, double gamma, const double *base, const double *x,
                     double *delta)
{
    Profile *profile = it->run->problem.profile;
    ProfilePart before = profile_enter(profile, PROFILE_NEWTON);
    double sum = 0;
    int status = factor(it, t, gamma, base, x);
    if (!status) {
        Group of = group_at(it, 0);
        put_right(it, of, base, NULL);
        status = solve_sides(it, of.n, t, x);
        clear_right(it, of, 0);
    }
    profile_leave(profile, before);
    for (uint32_t i = 0; i < it->n && !status; i++) {
        delta[i] = it->delta[(size_t)i * RUNG_SIDES];
        sum += 0 * delta[i];
    }
    return status ? status : isnan(sum);
}

/* First entry of the sides of parameters. */
static uint32_t skip_own(const RungNewtonSolve *v)
{
    uint32_t n = 0;
    while (n < v->n_entries && v->by[n] == 0)
        n++;
    return n;
}

int tangents_by_model(Tangents *it, double t, double gamma, const double *base,
                      const double *penalty, bool near, double *x, double *y)
{
    const Problem *problem = &it->run->problem;
    Loops *l = problem->loops;
    if (!it->n_by)
        return 0;
    if (l) {
        double *u = problem->ctx->u + problem->model->newton->first + RUNG_NEWTON_BASE;
        memcpy(u + it->n, penalty, l->m0 * sizeof *u);
        loops_put(l, problem->ctx, y);
    }
    Group of = group_at(it, near ? 0 : 1);
    int status = near ? take(it, of, x) : factor(it, t, gamma, base, x);
    if (near)
        of = group_at(it, of.from + of.n);
    else
        it->next = skip_own(it->solve);
    for (; of.n > 0 && !status; of = group_at(it, of.from + of.n)) {
        uint32_t begin = it->next;
        put_right(it, of, base, penalty);
        status = l ? close_group(it, of, t, penalty, x, y) : solve_sides(it, of.n, t, x);
        if (!l && !status)
            status = take(it, of, x);
        clear_right(it, of, begin);
    }
    leave_time(it, base, x);
    return status;
}

int tangents_by_matrix(Tangents *it, double t, double gamma, const double *base, double close,
                       void (*apply)(const void *user, double *r), const void *user, double *x)
{
    enum { ROUNDS = 30 };
    Run *run = it->run;
    double before = INFINITY;
    if (!it->n_by)
        return 0;
    memcpy(x + it->n, base + it->n, (run->problem.n - (size_t)it->n) * sizeof *x);
    for (int round = 0; round < ROUNDS; round++) {
        int status = problem_xdot(&run->problem, t, x, it->f);
        if (status)
            return status;
        double size = 0;
        for (uint32_t j = 0; j < it->n_by; j++) {
            size_t first = ((size_t)j + 1) * it->n;
            for (uint32_t i = 0; i < it->n; i++)
                it->r[i] = it->sign[(size_t)j * it->n + i] *
                           (base[first + i] + gamma * it->f[first + i] - x[first + i]);
            apply(user, it->r);
            for (uint32_t i = 0; i < it->n; i++) {
                double *to = x + first + i, by = it->r[i];
                *to += it->sign[(size_t)j * it->n + i] * by;
                size = fmax(size, fabs(by) / (problem_nominal(&run->problem, (uint32_t)first + i) +
                                              fabs(*to)));
                if (!isfinite(by))
                    return 1;
            }
        }
        // the first correction says nothing of how fast they shrink
        double rate = round ? size / before : 1;
        if (size <= 1e-15 || (rate < 1 && size * rate / (1 - rate) <= close))
            return 0;
        if (round && rate >= 1 && size > close)
            return 1;
        before = size;
    }
    return 1;
}
