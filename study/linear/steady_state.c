#include "study/linear/steady_state.h"

#include "runtime/kernel/rung_lu.h"
#include "runtime/kernel/rung_relation.h"
#include "runtime/linear/rank.h"
#include "study/linear/free_states.h"

#include <math.h>
#include <string.h>

/* A rate counts as zero below this fraction of its change when all states change by their own
 * size. */
static const double nothing = 1e-10;

typedef struct Steady {
    Linearise *l;
    RungContext *ctx;
    const RungModel *m;
    double t;
    uint32_t n, n_y;
    FreeStates free;
    double *f, *phi;    /* rates of all states; phi or phi'    */
    double *a, *column; /* d f_free / d free; a rate           */
    double *step, *size, *lu, *y;
    uint32_t *pivot;
    Arena *mem;
} Steady;

/* Rates and their derivatives at x; nonzero if that is not possible there. */
static int evaluate(Steady *s, const double *x)
{
    int status = linearise_at(s->l, s->t, x);
    status = status ? status : s->m->xdot(s->ctx, s->t, x, s->f);
    for (uint32_t k = 0; k < s->n && !status; k++)
        status = !isfinite(s->f[k]);
    return status;
}

/* The functions of the constraints, or of their rates, with the derivatives in that pattern. */
typedef struct Closing {
    int (*phi)(RungContext *ctx, double t, const double *x, double *phi);
    int (*entries)(RungContext *ctx, double t, const double *x, double *entry);
    const RungPattern *pattern;
} Closing;

/* Newton's method, with redundant constraints, moving as few states as possible. */
static bool close_by(Steady *s, Closing by, double *x)
{
    enum { ITERATIONS = 30 };
    static const double redundant = 1e-3, closed = 1e-12;
    uint32_t m = s->m->loops->n_constraints, n = s->n;
    ArenaMark mark = arena_mark(s->mem);
    double *entry = arena_array(s->mem, double, by.pattern->col_start[n] + 1);
    double *a = arena_array(s->mem, double, (size_t)m *n + 1);
    uint32_t *order = arena_array(s->mem, uint32_t, n + 1);
    bool done = false;
    for (uint32_t i = 0; i < ITERATIONS && !done; i++) {
        double worst = 0;
        if (by.phi(s->ctx, s->t, x, s->phi) || by.entries(s->ctx, s->t, x, entry))
            break;
        for (uint32_t k = 0; k < m; k++)
            worst = fmax(worst, fabs(s->phi[k]));
        done = worst <= closed;
        memset(a, 0, (size_t)m * n * sizeof *a);
        for (uint32_t c = 0; c < n; c++)
            for (uint32_t e = by.pattern->col_start[c]; e < by.pattern->col_start[c + 1]; e++)
                a[(size_t)c * m + by.pattern->row[e]] = entry[e] * s->m->nominal[c];
        uint32_t rank = rank_find(m, n, a, redundant, order, s->phi, NULL);
        rank_solve(m, a, rank, order, s->phi);
        for (uint32_t k = 0; k < rank; k++)
            x[order[k]] -= s->phi[k] * s->m->nominal[order[k]];
    }
    arena_rollback(s->mem, mark);
    return done;
}

static bool close_loops(Steady *s, double *x)
{
    const RungLoops *l = s->m->loops;
    return !l || (close_by(s, (Closing){l->phi, l->phi_x, &l->phi_x_pattern}, x) &&
                  close_by(s, (Closing){l->phi_dot, l->phi_v, &l->phi_v_pattern}, x));
}

/* How large the rates of free states are for their size, and which is the worst; above 1: not
 * steady. */
static double defect(Steady *s, const double *x, uint32_t *which)
{
    uint32_t n = s->free.n_free;
    double worst = 0;
    *which = 0;
    for (uint32_t r = 0; r < n; r++) {
        double size = 0, rate = fabs(s->f[s->free.at[r]]);
        for (uint32_t c = 0; c < n; c++)
            size += fabs(s->a[(size_t)c * n + r]) *
                    (s->m->nominal[s->free.at[c]] + fabs(x[s->free.at[c]]));
        double share = rate == 0 ? 0 : rate / (nothing * size);
        if (share > worst) {
            worst = share;
            *which = s->free.at[r];
        }
    }
    return worst;
}

/* Largest rate, in nominal values. */
static double rate_of(const Steady *s)
{
    double largest = 0;
    for (uint32_t k = 0; k < s->free.n_free; k++)
        largest = fmax(largest, fabs(s->f[s->free.at[k]]) / s->m->nominal[s->free.at[k]]);
    return largest;
}

static void find_matrix(Steady *s)
{
    uint32_t n = s->free.n_free;
    for (uint32_t c = 0; c < n; c++) {
        linearise_forward(s->l, s->free.move + (size_t)c * s->n, NULL, s->column, s->y);
        for (uint32_t r = 0; r < n; r++)
            s->a[(size_t)c * n + r] = s->column[s->free.at[r]];
    }
}

/* (1/h - A) dx = f of free states, the others following. False if that is singular. */
static bool make_step(Steady *s, double h, const double *x, double *to)
{
    uint32_t n = s->free.n_free;
    for (size_t k = 0; k < (size_t)n * n; k++)
        s->lu[k] = -s->a[k];
    for (uint32_t k = 0; k < n; k++) {
        s->lu[(size_t)k * n + k] += 1 / h;
        s->step[k] = s->f[s->free.at[k]];
    }
    if (n && rung_lu_factor(n, s->lu, s->pivot, s->size) >= 0)
        return false;
    if (n)
        rung_lu_solve(n, s->lu, s->pivot, s->step);
    memcpy(to, x, s->n * sizeof *to);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t r = 0; r < s->n; r++)
            to[r] += s->free.move[(size_t)c * s->n + r] * s->step[c];
    return close_loops(s, to);
}

/* Finds the steady state with constant relations. */
static bool find_still(Steady *s, double *x, const char **error)
{
    enum { MOST = 1000 };
    static const double most_growth = 10, least_growth = 1.2, too_far = 4;
    double *next = arena_array(s->mem, double, s->n + 1), h = 0, rate = 0;
    uint32_t which = 0;
    if (evaluate(s, x)) {
        *error = "the derivatives do not exist at the state to begin with";
        return false;
    }
    for (uint32_t k = 0; k < MOST; k++) {
        if (!free_states_find(s->l, s->m, NULL, &s->free, s->mem)) {
            *error = "the constraints of its loops do not say which states are free";
            return false;
        }
        find_matrix(s);
        rate = rate_of(s);
        if (defect(s, x, &which) <= 1)
            return true;
        if (h == 0)
            h = 0.1 / fmax(rate, 1e-10);
        double next_rate = INFINITY;
        for (uint32_t i = 0; i < 60; i++, h /= too_far) {
            bool ok = make_step(s, h, x, next) && !evaluate(s, next);
            next_rate = ok ? rate_of(s) : INFINITY;
            if (ok && next_rate <= too_far * rate + 1 / h)
                break;
            next_rate = INFINITY;
        }
        if (!isfinite(next_rate)) {
            *error = arena_printf(s->mem,
                                  "no steady state is found: the derivatives do not exist on the "
                                  "way, behind %s = %.6g, where der(%s) is %.6g",
                                  rung_name(s->m, s->m->state[which]), x[which],
                                  rung_name(s->m, s->m->state[which]), s->f[which]);
            return false;
        }
        memcpy(x, next, s->n * sizeof *x);
        h *= fmax(least_growth, fmin(most_growth, next_rate > 0 ? rate / next_rate : most_growth));
        h = fmin(h, 1e15 / fmax(next_rate, 1e-15));
    }
    *error = arena_printf(s->mem, "no steady state is found: after %u steps der(%s) is %.6g", MOST,
                          rung_name(s->m, s->m->state[which]), s->f[which]);
    return false;
}

/* Puts relations right; *moved: some were not. False if something else changes there. */
static bool find_relations(Steady *s, const double *x, bool *moved, const char **error)
{
    const RungEvents *e = s->m->event;
    *moved = false;
    if (!e)
        return true;
    double *out = arena_array(s->mem, double, e->n_memory + 2 * e->n_actions + 1);
    double *g = arena_array(s->mem, double, s->m->n_events + 1);
    double *memory = s->ctx->u + s->m->n_inputs;
    if ((s->m->events && s->m->events(s->ctx, s->t, x, g)) || e->event(s->ctx, s->t, x, out)) {
        *error = "the actions at events cannot be evaluated at the steady state";
        return false;
    }
    // relations first: with their new values a discrete variable may keep its value
    for (uint32_t k = 0, r = 0; k < e->n_memory; k++) {
        const RungMemory *it = &e->memory[k];
        if (it->kind != RUNG_RELATION)
            continue;
        double now = rung_is_true(it, g[r]);
        *moved = *moved || now != memory[k];
        memory[k] = now;
        r++;
    }
    for (uint32_t k = 0; k < e->n_memory && !*moved; k++)
        if (e->memory[k].kind == RUNG_PRE && out[k] != memory[k]) {
            *error = "the steady state lies beyond an event that changes a discrete variable";
            return false;
        }
    return true;
}

bool steady_state_find(Linearise *l, RungContext *ctx, double t, double *x, Arena *mem,
                       const char **error)
{
    enum { ROUNDS = 20 };
    const RungModel *m = ctx->model;
    size_t n = m->n_states + (size_t)1;
    Steady s = {.l = l,
                .ctx = ctx,
                .m = m,
                .t = t,
                .n = m->n_states,
                .n_y = m->linearisation->n_outputs,
                .f = arena_array(mem, double, n),
                .phi = arena_array(mem, double, m->linearisation->n_constraints + 1),
                .a = arena_array(mem, double, n *n),
                .column = arena_array(mem, double, n),
                .step = arena_array(mem, double, n),
                .size = arena_array(mem, double, n),
                .lu = arena_array(mem, double, n *n),
                .y = arena_array(mem, double, m->linearisation->n_outputs + 1),
                .pivot = arena_array(mem, uint32_t, n),
                .mem = mem};
    bool moved = true;
    for (uint32_t k = 0; k < ROUNDS && moved; k++)
        if (!find_still(&s, x, error) || !find_relations(&s, x, &moved, error))
            return false;
    if (moved)
        *error = "relations contradict each other at each steady state that is found";
    return !moved && !linearise_at(l, t, x);
}
