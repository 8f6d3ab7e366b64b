/* SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 128 }; /* bytes: of sixteen doubles */

double *lanes_array(size_t n)
{
    size_t size = (n * sizeof(double) + ALIGNED) / ALIGNED * ALIGNED;
    double *a = aligned_alloc(ALIGNED, size);
    return a ? memset(a, 0, size) : NULL;
}

uint32_t lanes_inputs(const RungModel *m)
{
    return m->n_inputs + (m->event ? m->event->n_memory : 0) + (m->newton ? m->newton->n : 0);
}

static const RungLanes *find(const RungModel *m, uint32_t width)
{
    for (uint32_t k = 0; k < m->n_lanes; k++)
        if (m->lanes[k].width == width)
            return &m->lanes[k];
    return NULL;
}

void lanes_free(Lanes *l)
{
    if (l) {
        free(l->instance);
        free(l->memory);
        free(l->constants);
    }
    free(l);
}

Lanes *lanes_new(const RungModel *m, uint32_t width)
{
    const RungLanes *code = find(m, width);
    Lanes *l = code ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    l->model = m;
    l->code = code;
    size_t n = m->n_states, inputs = lanes_inputs(m);
    struct {
        double **at;
        size_t n;
    } all[] = {{&l->ctx.p, m->n_parameters},
               {&l->ctx.c, code->n_constants},
               {&l->ctx.u, inputs},
               {&l->ctx.w, code->n_work},
               {&l->ctx.z, m->n_unknowns},
               {&l->ctx.x, n}, // of one lane
               {&l->x, n},
               {&l->k, 4 * n},
               {&l->stage, n},
               {&l->x_new, n},
               {&l->f_new, n},
               {&l->t, 1},
               {&l->grows, 1}};
    size_t sum = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        sum += all[k].n * width;
    l->memory = lanes_array(sum);
    l->constants = calloc(code->n_constants + (size_t)code->n_work + 1, sizeof *l->constants);
    l->instance = l->ctx.instance = calloc(width, sizeof(RungContext *));
    if (!l->memory || !l->constants || !l->instance) {
        lanes_free(l);
        return NULL;
    }
    double *at = l->memory;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k].at = at;
        at += all[k].n * width;
    }
    return l;
}

void lanes_put(const Lanes *l, uint32_t lane, uint32_t n, const double *from, double *to)
{
    for (uint32_t k = 0; k < n; k++)
        to[(size_t)k * l->code->width + lane] = from[k];
}

void lanes_get(const Lanes *l, uint32_t lane, uint32_t n, const double *from, double *to)
{
    for (uint32_t k = 0; k < n; k++)
        to[k] = from[(size_t)k * l->code->width + lane];
}

int lanes_set(Lanes *l, uint32_t lane, RungContext *instance)
{
    const RungModel *m = l->model;
    RungContext own = *instance;
    own.c = l->constants;
    own.w = l->constants + l->code->n_constants;
    int status = l->code->constants(&own);
    lanes_put(l, lane, l->code->n_constants, l->constants, l->ctx.c);
    lanes_put(l, lane, m->n_parameters, instance->p, l->ctx.p);
    lanes_put(l, lane, m->n_inputs, instance->u, l->ctx.u);
    l->ctx.least = instance->least;
    l->instance[lane] = instance;
    l->ctx.active |= 1u << lane;
    return status;
}
