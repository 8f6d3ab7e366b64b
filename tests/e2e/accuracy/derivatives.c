/* derivatives.c -- the derivatives of a generated model at a few states, with 21 digits.
 *
 * Built twice, with the rung_math.h that belongs to the generated code and with quad_math.h in its
 * place. The states are multiples of 1/1024, the same for both.
 */
typedef long double Wide; /* before `double` changes its meaning */

#include "rung_math.h"
#include "rung_model.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    enum { POINTS = 5 };
    const RungModel *m = rung_model();
    RungContext ctx = {
        .model = m,
        .p = calloc(m->n_parameters + 1u, sizeof(double)),
        .is_set = calloc(m->n_parameters + 1u, 1),
        .c = calloc(m->n_constants + 1u, sizeof(double)),
        .u = calloc(m->n_inputs + 1u, sizeof(double)),
        .z = calloc(m->n_unknowns + 1u, sizeof(double)),
        .w = calloc(m->n_work + 1u, sizeof(double)),
        .failed_pivot = RUNG_NONE,
        .failed_block = RUNG_NONE,
    };
    double *x = calloc(m->n_states + 1u, sizeof *x), *xdot = calloc(m->n_states + 1u, sizeof *x);
    if (!ctx.p || !ctx.is_set || !ctx.c || !ctx.u || !ctx.z || !ctx.w || !x || !xdot)
        return 4;
    for (uint32_t k = 0; k < m->n_parameters; k++)
        ctx.p[k] = m->parameter[k].default_value;
    int status = m->n_blocks ? 1 : m->update(&ctx);
    uint64_t seed = 1;
    for (int point = 0; point < POINTS && !status; point++) {
        for (uint32_t k = 0; k < m->n_states; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[k] = ((double)(int)(seed >> 54) - 256) / 1024;
        }
        status = m->xdot(&ctx, 0, x, xdot);
        for (uint32_t k = 0; k < m->n_states && !status; k++)
            printf("%d %u %.21Lg\n", point, k, (Wide)xdot[k]);
    }
    free(ctx.p);
    free(ctx.is_set);
    free(ctx.c);
    free(ctx.u);
    free(ctx.z);
    free(ctx.w);
    free(x);
    free(xdot);
    return status ? 3 : 0;
}
