/* SPDX-License-Identifier: BSD-3-Clause */
#include "fmi_live.h"

#include "fmi_instance.h"

#include <stdlib.h>
#include <string.h>

static const unsigned any_type =
    FMI_TYPE(FMI_REAL) | FMI_TYPE(FMI_INTEGER) | FMI_TYPE(FMI_BOOLEAN) | FMI_TYPE(FMI_ENUMERATION);

struct Live {
    FmiInstance *it; /* NULL before live_open */
    FmiState *kept;
    uint32_t *row_of_value, n_values;
    double *value;
    char message[1200];
};

static void set_message(Live *live, const char *text)
{
    strncpy(live->message, text, sizeof live->message - 1);
}

static void take(FmiInstance *it, FmiStatus status, const char *category, const char *text)
{
    (void)category;
    if (status >= FMI_WARNING && it->environment)
        set_message(it->environment, text);
}

/* ------------------------------------------------------------------ the model */

uint32_t live_variables(void)
{
    return rung_model()->n_variables;
}

static const RungAttributes *attributes(uint32_t row)
{
    return rung_variable(rung_model(), row).attributes;
}

const char *live_name(uint32_t row)
{
    return rung_name(rung_model(), row);
}

const char *live_unit(uint32_t row)
{
    return attributes(row)->unit;
}

const char *live_description(uint32_t row)
{
    return attributes(row)->description;
}

uint32_t live_type(uint32_t row)
{
    return attributes(row)->type;
}

uint32_t live_parameters(void)
{
    return rung_model()->n_parameters;
}

uint32_t live_parameter(const Live *live, uint32_t k)
{
    const FmiInstance *it = live->it;
    const RungParameter *p = &rung_model()->parameter[k];
    bool is_free =
        p->is_settable && !p->is_dependent && p->variable != RUNG_NONE && it && !it->is_found[k];
    return is_free ? p->variable : RUNG_NONE;
}

uint32_t live_inputs(void)
{
    return rung_model()->n_inputs;
}

uint32_t live_input(const Live *live, uint32_t k)
{
    const FmiInstance *it = live->it;
    return it && !it->is_loop_input[k] ? rung_model()->input[k].variable : RUNG_NONE;
}

static double bound(const FmiInstance *it, uint32_t row, bool is_max)
{
    const RungBounds *b = attributes(row)->bounds;
    if (!b)
        return is_max ? INFINITY : -INFINITY;
    uint32_t in = is_max ? b->max_in : b->min_in;
    return in != RUNG_NONE && it ? it->run.problem.ctx->c[in] : is_max ? b->max : b->min;
}

double live_minimum(const Live *live, uint32_t row)
{
    return bound(live->it, row, false);
}

double live_maximum(const Live *live, uint32_t row)
{
    return bound(live->it, row, true);
}

/* ------------------------------------------------------------------ its instance */

Live *live_new(void)
{
    return calloc(1, sizeof(Live));
}

int live_open(Live *live, double tolerance)
{
    const char *wrong = "out of memory";
    live->message[0] = 0;
    if (live->kept)
        fmi_state_free(&live->kept);
    if (!live->it)
        live->it = fmi_new(true, "page", fmi_config.token, take, &wrong);
    else if (fmi_reset(live->it))
        return 2;
    FmiInstance *it = live->it;
    if (!it) {
        set_message(live, wrong);
        return 2;
    }
    it->environment = live;
    it->mode = FMI_INITIALIZATION;
    return (int)fmi_set_experiment(it, tolerance, it->model->experiment.start, NAN);
}

int live_set(Live *live, uint32_t row, double to)
{
    return (int)fmi_set(live->it, any_type, 1 + row, to);
}

int live_start(Live *live)
{
    FmiStatus status = fmi_initialise(live->it);
    if (!status)
        live->it->mode = FMI_STEP;
    return (int)status;
}

int live_step(Live *live, double h)
{
    FmiInstance *it = live->it;
    double reached;
    bool event;
    FmiStatus status = fmi_step(it, it->run.t, h, &reached, &event);
    return status ? (int)status : it->events.is_over ? -1 : 0;
}

double live_time(const Live *live)
{
    return live->it->run.t;
}

uint32_t *live_rows(Live *live, uint32_t n)
{
    free(live->row_of_value);
    free(live->value);
    live->row_of_value = calloc(n + (size_t)1, sizeof *live->row_of_value);
    live->value = calloc(n + (size_t)1, sizeof *live->value);
    live->n_values = live->row_of_value && live->value ? n : 0;
    return live->n_values == n ? live->row_of_value : NULL;
}

double *live_values(Live *live)
{
    return live->value;
}

int live_read(Live *live)
{
    for (uint32_t k = 0; k < live->n_values; k++) {
        FmiStatus status = fmi_get(live->it, any_type, 1 + live->row_of_value[k], &live->value[k]);
        if (status)
            return (int)status;
    }
    return 0;
}

int live_keep(Live *live)
{
    return (int)fmi_state_get(live->it, &live->kept);
}

int live_return(Live *live)
{
    return (int)fmi_state_set(live->it, live->kept);
}

const char *live_message(const Live *live)
{
    return live->message;
}
