/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_trace.h"

#include <stdlib.h>
#include <string.h>

void loop_trace_begin(LoopTrace *it)
{
    it->n = it->n_numbers = 0;
    it->is_on = true;
    it->is_lost = false;
}

/* Room for one more step and n numbers. */
static bool make_room(LoopTrace *it, size_t n)
{
    if (it->n == it->most) {
        size_t most = it->most ? 2 * it->most : 4;
        LoopStep *more = realloc(it->step, most * sizeof *more);
        if (!more)
            return false;
        it->step = more;
        it->most = most;
    }
    if (it->n_numbers + n > it->most_numbers) {
        size_t most = 2 * it->most_numbers + n;
        double *more = realloc(it->number, most * sizeof *more);
        if (!more)
            return false;
        it->number = more;
        it->most_numbers = most;
    }
    return true;
}

void loop_trace_add(LoopTrace *it, LoopStep step, const double *x, const double *inputs)
{
    if (!it || !it->is_on)
        return;
    if (!make_room(it, it->n_states + (size_t)it->n_inputs + 1)) {
        it->is_lost = true;
        return;
    }
    double *to = it->number + it->n_numbers;
    step.at = it->n_numbers;
    memcpy(to, x, it->n_states * sizeof *to);
    it->n_numbers += it->n_states;
    if (inputs) {
        memcpy(to + it->n_states, inputs, it->n_inputs * sizeof *to);
        it->n_numbers += it->n_inputs;
    }
    it->step[it->n++] = step;
}

size_t loop_trace_mark(const LoopTrace *it)
{
    return it ? it->n : 0;
}

void loop_trace_cut(LoopTrace *it, size_t n)
{
    if (!it || n >= it->n)
        return;
    it->n_numbers = it->step[n].at;
    it->n = n;
}

bool loop_trace_append(LoopTrace *to, const LoopTrace *from)
{
    to->n_states = from->n_states;
    to->n_inputs = from->n_inputs;
    to->is_on = true;
    for (size_t k = 0; k < from->n; k++) {
        const LoopStep *s = &from->step[k];
        const double *x = from->number + s->at;
        loop_trace_add(to, *s, x, s->kind == LOOP_STAGE ? x + from->n_states : NULL);
    }
    to->is_lost = to->is_lost || from->is_lost;
    return !to->is_lost;
}

size_t loop_trace_bytes(const LoopTrace *it)
{
    return sizeof *it + it->most * sizeof *it->step + it->most_numbers * sizeof *it->number;
}

void loop_trace_free(LoopTrace *it)
{
    free(it->step);
    free(it->number);
    *it = (LoopTrace){0};
}
