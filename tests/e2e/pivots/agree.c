/* agree.c -- the derivatives of a generated model against those of its fallback, whose linear
 * equations are solved numerically. They may differ by 1e-11 of the largest.
 */
#include "context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const RungModel *m = rung_model(), *other = m->fallback;
    if (other && other->fill)
        other->fill();
    RungContext *a = context_new(m), *b = other ? context_new(other) : NULL;
    double *x = calloc(m->n_states + 1u, sizeof *x), *f = calloc(m->n_states + 1u, sizeof *f),
           *g = calloc(m->n_states + 1u, sizeof *g), difference = 0, size = 0;
    int status = !a || !b || !x || !f || !g || context_update(a) || context_update(b);
    for (uint32_t k = 0; k < m->n_states && !status; k++)
        x[k] = 0.2 + 0.3 * sin(1.7 * k);
    status = status || m->xdot(a, 0, x, f) || other->xdot(b, 0, x, g);
    for (uint32_t k = 0; k < m->n_states && !status; k++) {
        difference = fmax(difference, fabs(f[k] - g[k]));
        size = fmax(size, fabs(f[k]));
    }
    if (status)
        puts("no fallback, or an evaluation failed");
    else
        printf("%s: %u equations by LU, difference %.1e\n", m->name, other->n_unknowns,
               difference / size);
    context_free(a);
    context_free(b);
    free(x);
    free(f);
    free(g);
    return status || !(difference <= 1e-11 * size);
}
