/* SPDX-License-Identifier: BSD-3-Clause */
#include "rates_along.h"
#include "block_row.h"
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

struct RatesAlong {
    const RungRatesAlong *of;
    uint32_t n_by, n_states; /* parameters; states of all parts                                   */
    uint32_t *negated;       /* places in blocks of states that are minus the model's derivatives */
    uint32_t *first_negated; /* per parameter, and of as many as fill the last block              */
    uint32_t *place;         /* per entry, in the block of its parameter                          */
    uint32_t *first_entry;   /* as first_negated                                                  */
    double *right;           /* RUNG_SIDES of each, as the next                                   */
    double *rate, *work;
};

int rates_along_needed(const RungModel *model)
{
    return model->sensitivity && model->sensitivity->along;
}

struct RatesAlong *rates_along_new(const RungModel *model)
{
    if (!rates_along_needed(model))
        return NULL;
    struct RatesAlong *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    const RungSensitivity *s = model->sensitivity;
    const RungRatesAlong *of = it->of = s->along;
    size_t n = of->n_states, w = RUNG_SIDES;
    it->n_by = s->n;
    it->n_states = model->n_states;
    it->negated = calloc(s->n * n + 1, sizeof *it->negated);
    it->first_negated = calloc(s->n + w + 1, sizeof *it->first_negated);
    it->place = calloc(of->n_entries + (size_t)1, sizeof *it->place);
    it->first_entry = calloc(s->n + w + 1, sizeof *it->first_entry);
    it->right = lanes_array((of->n_sides + n + model->n_work + 1) * w);
    if (!it->negated || !it->first_negated || !it->place || !it->first_entry || !it->right) {
        rates_along_free(it);
        return NULL;
    }
    it->rate = it->right + of->n_sides * w;
    it->work = it->rate + n * w;
    uint32_t found = 0, k = 0;
    for (uint32_t j = 0; j <= s->n + w; j++) {
        it->first_negated[j] = found;
        it->first_entry[j] = k;
        for (; k < of->n_entries && of->by[k] == j; k++)
            it->place[k] = (uint32_t)(of->place[k] * w + j % w);
        for (uint32_t i = 0; i < n && j < s->n; i++)
            if (s->is_negated[(j + 1) * n + i])
                it->negated[found++] = (uint32_t)(i * w + j % w);
    }
    return it;
}

void rates_along_free(struct RatesAlong *it)
{
    if (it) {
        free(it->negated);
        free(it->first_negated);
        free(it->place);
        free(it->first_entry);
        free(it->right);
    }
    free(it);
}

/* Where the states of a part are minus the derivatives of the model's. */
static void turn(const struct RatesAlong *it, uint32_t from, double *block)
{
    for (uint32_t k = it->first_negated[from]; k < it->first_negated[from + RUNG_SIDES]; k++)
        block[it->negated[k]] = -block[it->negated[k]];
}

BLOCK_VECTORS
int rates_along_xdot(struct RatesAlong *it, RungContext *ctx, double t, const double *x,
                     double *xdot)
{
    const RungRatesAlong *of = it->of;
    double *own = ctx->u + of->first;
    const double *entry = own + of->n_states + of->n_kept;
    size_t n_states = of->n_states;
    const uint32_t w = RUNG_SIDES;
    int status = of->factor(ctx, t, x, own);
    memcpy(xdot, own, n_states * sizeof *own);
    for (uint32_t from = 0; from < it->n_by && !status; from += w) {
        uint32_t n = it->n_by - from < w ? it->n_by - from : w;
        size_t first = (from + (size_t)1) * n_states;
        block_put_columns(RUNG_SIDES, of->n_states, n, n_states, x + first, it->right);
        turn(it, from, it->right);
        uint32_t begin = it->first_entry[from], end = it->first_entry[from + w];
        for (uint32_t k = begin; k < end; k++)
            it->right[it->place[k]] = entry[k];
        status = of->solve_sides(ctx, t, x, n, it->right, it->work, it->rate);
        // those of equations are zero elsewhere
        for (uint32_t k = begin; k < end; k++)
            it->right[it->place[k]] = 0;
        turn(it, from, it->rate);
        block_take_columns(RUNG_SIDES, of->n_states, n, n_states, it->rate, xdot + first);
    }
    size_t behind = n_states * ((size_t)it->n_by + 1);
    memset(xdot + behind, 0, (it->n_states - behind) * sizeof *xdot);
    return status;
}
