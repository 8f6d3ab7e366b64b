/* SPDX-License-Identifier: BSD-3-Clause */
#include "range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ranges_open(Ranges *r, const RungModel *m, double part)
{
    *r = (Ranges){.part = part};
    size_t n = 1;
    for (uint32_t k = 0; k < m->n_variables; k++)
        n += rung_variable(m, k).attributes->bounds != NULL;
    r->row = malloc(n * sizeof *r->row);
    r->largest = calloc(n, sizeof *r->largest);
    r->reported = malloc(n * sizeof *r->reported);
    r->was_outside = calloc(n, sizeof *r->was_outside);
    if (!r->row || !r->largest || !r->reported || !r->was_outside)
        return false;
    for (uint32_t k = 0; k < m->n_variables; k++)
        if (rung_variable(m, k).attributes->bounds)
            r->row[r->n++] = k;
    return true;
}

void ranges_close(Ranges *r)
{
    free(r->row);
    free(r->largest);
    free(r->reported);
    free(r->was_outside);
    *r = (Ranges){0};
}

/* Whether it is an alias of one of the first that were reported, which are the ones compared. */
static bool was_reported(const Ranges *r, const RungModel *m, uint32_t row)
{
    enum { FIRST = 32 };
    const RungVariable it = rung_variable(m, row);
    for (uint32_t k = 0; k < r->n_reported && k < FIRST; k++) {
        const RungVariable other = rung_variable(m, r->reported[k]);
        if (other.place == it.place && other.index == it.index)
            return true;
    }
    return false;
}

bool ranges_next(Ranges *r, const RungContext *ctx, double t, const double *x, const double *v,
                 uint32_t *at, char *text, size_t size)
{
    // a zero with rounding is not outside a bound of zero
    const double rounding = 1e-12;
    const RungModel *m = ctx->model;
    while (*at < r->n) {
        uint32_t k = (*at)++, row = r->row[k];
        const RungVariable it = rung_variable(m, row);
        bool is_fixed = it.place == RUNG_IN_PARAMETERS || it.place == RUNG_IN_CONSTANTS ||
                        it.place == RUNG_IN_NUMBERS;
        if (!v && !is_fixed)
            continue;
        const RungBounds *b = it.attributes->bounds;
        bool is_real = it.attributes->type == RUNG_REAL;
        double min = b->min_in == RUNG_NONE ? b->min : ctx->c[b->min_in];
        double max = b->max_in == RUNG_NONE ? b->max : ctx->c[b->max_in];
        double value = rung_value(ctx, row, t, x, v);
        r->largest[k] = fmax(r->largest[k], fabs(value));
        bool below = value<min, above = value> max;
        // parameters and Integers are exact
        if ((below || above) && !is_fixed && is_real) {
            double bound = below ? min : max;
            double slack = fmax(rounding, r->part * fmax(r->largest[k], fabs(bound)));
            below = value < min - slack;
            above = value > max + slack;
        }
        if (!(below || above) || r->was_outside[k])
            continue;
        r->was_outside[k] = true;
        if (was_reported(r, m, row))
            continue;
        r->reported[r->n_reported++] = row;
        char when[40] = "";
        if (!is_fixed)
            snprintf(when, sizeof when, "t = %.9g: ", t);
        snprintf(text, size, "%s'%s' is %.9g, %s its %s of %.9g", when, it.name, value,
                 below ? "below" : "above", below ? "min" : "max", below ? min : max);
        return true;
    }
    return false;
}
