/* SPDX-License-Identifier: BSD-3-Clause */
#include "valid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_constant(const RungVariable *it)
{
    return it->place == RUNG_IN_PARAMETERS || it->place == RUNG_IN_CONSTANTS ||
           it->place == RUNG_IN_NUMBERS;
}

static bool is_whole(const RungAttributes *a)
{
    return a->type == RUNG_INTEGER || a->type == RUNG_ENUMERATION;
}

/* Whether the value is wrong for its type, and how. */
static bool is_wrong(const RungVariable *it, double value, char *text, size_t size)
{
    // digits that a system of equations between Integers may lose
    static const double ROUNDED = 1e-9;
    static const double LARGEST = 2147483647;
    const RungAttributes *a = it->attributes;
    if (!isfinite(value)) {
        snprintf(text, size, "the value of '%s' is %s", it->name,
                 isnan(value) ? "not a number" : "infinite");
        return true;
    }
    if (!is_whole(a))
        return false;
    if (fabs(value - nearbyint(value)) > ROUNDED * fmax(1, fabs(value))) {
        snprintf(text, size, "the value of '%s' is %.9g, which is no %s", it->name, value,
                 a->type == RUNG_INTEGER ? "Integer" : "literal of its enumeration");
        return true;
    }
    if (a->type == RUNG_INTEGER && fabs(value) > LARGEST) {
        snprintf(text, size, "the value of '%s' is %.10g, beyond the Integers of 32 bits", it->name,
                 value);
        return true;
    }
    if (a->type == RUNG_ENUMERATION && a->n_literals > 0 &&
        !(nearbyint(value) >= 1 && nearbyint(value) <= a->n_literals)) {
        snprintf(text, size,
                 "the value of '%s' is %.9g, but its enumeration has the literals 1 to %u",
                 it->name, value, a->n_literals);
        return true;
    }
    return false;
}

bool valid_open(Valid *it, const RungModel *m)
{
    *it = (Valid){0};
    size_t n = 1;
    for (uint32_t k = 0; k < m->n_variables; k++)
        n += is_whole(rung_variable(m, k).attributes);
    it->row = malloc(n * sizeof *it->row);
    for (uint32_t k = 0; k < m->n_variables && it->row; k++) {
        const RungVariable v = rung_variable(m, k);
        if (is_whole(v.attributes) && !is_constant(&v))
            it->row[it->n++] = k;
    }
    return it->row;
}

void valid_close(Valid *it)
{
    free(it->row);
    *it = (Valid){0};
}

uint32_t valid_constants(const RungContext *ctx, char *text, size_t size)
{
    for (uint32_t k = 0; k < ctx->model->n_variables; k++) {
        const RungVariable v = rung_variable(ctx->model, k);
        if (is_constant(&v) && is_wrong(&v, rung_value(ctx, k, 0, NULL, NULL), text, size))
            return k;
    }
    return RUNG_NONE;
}

static bool are_finite(uint32_t n, const double *v)
{
    // a sum of products with zero is zero unless one is not finite
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += 0 * v[k];
    return sum == 0;
}

uint32_t valid_finite(const RungContext *ctx, double t, const double *x, const double *v,
                      char *text, size_t size)
{
    const RungModel *m = ctx->model;
    if (are_finite(m->n_values, v) && are_finite(m->n_unknowns, ctx->z))
        return RUNG_NONE;
    for (uint32_t k = 0; k < m->n_variables; k++) {
        const RungVariable it = rung_variable(m, k);
        bool is_found = it.place == RUNG_IN_VALUES || it.place == RUNG_IN_UNKNOWNS;
        if (is_found && !isfinite(rung_value(ctx, k, t, x, v)) &&
            is_wrong(&it, rung_value(ctx, k, t, x, v), text, size))
            return k;
    }
    return RUNG_NONE; // of an unknown that is no variable
}

uint32_t valid_values(const Valid *it, const RungContext *ctx, double t, const double *x,
                      const double *v, char *text, size_t size)
{
    for (uint32_t k = 0; k < it->n; k++) {
        const RungVariable var = rung_variable(ctx->model, it->row[k]);
        if (is_wrong(&var, rung_value(ctx, it->row[k], t, x, v), text, size))
            return it->row[k];
    }
    return RUNG_NONE;
}
