/* batch.c -- evaluations of a C library of rung for callers that do not see its header: the size of
 * an instance, its inputs, functions at any state, derivatives at many states. Compiled with the
 * library; MODEL is the prefix of its symbols, MODEL_HEADER its header, HAS_EVENTS says that it has
 * events.
 *
 * M_xdot takes relations as they were at the last event. Here they are taken at the state that is
 * given: where one has another value there, the event is handled first, and the instance is as
 * `start` again afterwards, so that no evaluation depends on another one.
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
    /* what a relation near zero leaves behind */
    memcpy(m->loose, start->loose, sizeof m->loose);
    memcpy(m->event, start->event, sizeof m->event);
    if (OF_MODEL(_is_event)(m, t, x)) {
        double u[N_INPUTS + 1], reached[N_STATES + 1];
        char why[sizeof m->why];
        memcpy(u, m->u, N_INPUTS * sizeof *u);
        memcpy(reached, x,
               N_STATES * sizeof *x); /* a reinit changes it; the state stays the one given */
        int status = OF_MODEL(_event)(m, t, reached);
        status = status ? status : function(m, t, x, out);
        memcpy(why, m->why, sizeof why);
        memcpy(m, start, sizeof *m);
        memcpy(m->u, u, N_INPUTS * sizeof *u);
        memcpy(m->why, why, sizeof why);
        return status;
    }
#else
    (void)start;
#endif
    return function(m, t, x, out);
}

/* Derivatives at n states, rows of x, with the inputs in rows of u (NULL: those of the instance).
 * Rows that cannot be evaluated are NAN; their number is returned. */
size_t rung_batch(Instance *m, const Instance *start, size_t n, double t, const double *x,
                  const double *u, double *xdot)
{
    size_t failed = 0;
    for (size_t k = 0; k < n; k++) {
        double *out = xdot + k * N_STATES;
        if (u)
            memcpy(m->u, u + k * N_INPUTS, N_INPUTS * sizeof *u);
        if (rung_evaluate_at(OF_MODEL(_xdot), m, start, t, x + k * N_STATES, out)) {
            failed++;
            for (size_t i = 0; i < N_STATES; i++)
                out[i] = NAN;
        }
    }
    return failed;
}
