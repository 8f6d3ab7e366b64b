/* batch.c -- evaluations of a C library of rung for callers that do not see its header: the size of
 * an instance, its inputs, functions at any state, derivatives at many states. Compiled with the
 * library; MODEL is the prefix of its symbols, MODEL_HEADER its header, HAS_EVENTS says that it has
 * events, HAS_LANES that it has code for eight instances at once.
 *
 * M_xdot takes relations as they were at the last event. Here they are taken at the state that is
 * given: the instance is a copy of `start` but for its inputs, so that no evaluation depends on
 * another one, and where a relation has another value there, the event is handled first.
 */
#include MODEL_HEADER

#include <math.h>
#include <stddef.h>
#include <string.h>

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define OF_MODEL(name) JOIN(MODEL, name)

typedef OF_MODEL(_Instance) Instance;
typedef int (*Function)(Instance *m, double t, const double *x, double *out);
enum { N_STATES = OF_MODEL(_N_STATES), N_INPUTS = OF_MODEL(_N_INPUTS) };

size_t rung_instance_size(void)
{
    return sizeof(Instance);
}

double *rung_instance_inputs(Instance *m)
{
    return m->u;
}

/* A function of M.h at a state; start: the instance at the start of a run, with the same
 * parameters. */
int rung_evaluate_at(Function function, Instance *m, const Instance *start, double t,
                     const double *x, double *out)
{
#ifdef HAS_EVENTS
    double u[N_INPUTS + 1], reached[N_STATES + 1];
    memcpy(u, m->u, N_INPUTS * sizeof *u);
    memcpy(m, start, sizeof *m);
    memcpy(m->u, u, N_INPUTS * sizeof *u);
    if (OF_MODEL(_is_event)(m, t, x)) {
        /* a reinit changes it; the state stays the one given */
        memcpy(reached, x, N_STATES * sizeof *x);
        int status = OF_MODEL(_event)(m, t, reached);
        if (status)
            return status;
    }
#else
    (void)start;
#endif
    return function(m, t, x, out);
}

/* Derivatives at a state; NAN and 1 if they cannot be evaluated. */
static size_t evaluate_row(Instance *m, const Instance *start, double t, const double *x,
                           const double *u, double *out)
{
    if (u)
        memcpy(m->u, u, N_INPUTS * sizeof *u);
    if (!rung_evaluate_at(OF_MODEL(_xdot), m, start, t, x, out))
        return 0;
    for (size_t i = 0; i < N_STATES; i++)
        out[i] = NAN;
    return 1;
}

#ifdef HAS_LANES
enum { WIDTH = 8 };
typedef OF_MODEL(_Lanes8) Lanes;

/* The same at eight states at once; those without a value there are evaluated one by one. */
static size_t evaluate_rows(Instance *m, const Instance *start, Lanes *lanes, double t,
                            const double *x, const double *u, double *out)
{
    __attribute__((aligned(64))) double in[(N_STATES + 1) * WIDTH], rate[(N_STATES + 1) * WIDTH];
    size_t failed = 0;
    for (size_t k = 0; k < WIDTH; k++)
        for (size_t i = 0; i < N_STATES; i++)
            in[i * WIDTH + k] = x[k * N_STATES + i];
    for (size_t k = 0; k < WIDTH && u; k++)
        for (size_t i = 0; i < N_INPUTS; i++)
            lanes->u[i * WIDTH + k] = u[k * N_INPUTS + i];
    const unsigned wrong = OF_MODEL(_lanes8_xdot)(lanes, t, in, rate);
    for (size_t k = 0; k < WIDTH; k++) {
        double *to = out + k * N_STATES, sum = 0;
        for (size_t i = 0; i < N_STATES; i++) {
            to[i] = rate[i * WIDTH + k];
            sum += 0 * to[i];
        }
        if (wrong >> k & 1 || sum != 0)
            failed += evaluate_row(m, start, t, x + k * N_STATES, u ? u + k * N_INPUTS : NULL, to);
    }
    return failed;
}

size_t rung_lanes_size(void)
{
    return sizeof(Lanes);
}
#else
typedef void Lanes;

size_t rung_lanes_size(void)
{
    return 0;
}
#endif

/* Derivatives at n states, rows of x, with the inputs in rows of u (NULL: those of the instance).
 * Rows that cannot be evaluated are NAN; their number is returned. lanes: aligned to 64 bytes, of
 * rung_lanes_size. */
size_t rung_batch(Instance *m, const Instance *start, Lanes *lanes, size_t n, double t,
                  const double *x, const double *u, double *xdot)
{
    size_t failed = 0, k = 0;
#ifdef HAS_LANES
    int status = n < WIDTH;
    for (unsigned lane = 0; lane < WIDTH && !status; lane++)
        status = OF_MODEL(_lanes8_set)(lanes, lane, m);
    for (; k + WIDTH <= n && !status; k += WIDTH)
        failed += evaluate_rows(m, start, lanes, t, x + k * N_STATES, u ? u + k * N_INPUTS : NULL,
                                xdot + k * N_STATES);
#else
    (void)lanes;
#endif
    for (; k < n; k++)
        failed += evaluate_row(m, start, t, x + k * N_STATES, u ? u + k * N_INPUTS : NULL,
                               xdot + k * N_STATES);
    return failed;
}
