/* SPDX-License-Identifier: BSD-3-Clause */
#include "fmi_live.h"

#include "fmi_instance.h"

#include <stdlib.h>
#include <string.h>

static const unsigned any_type =
    FMI_TYPE(FMI_REAL) | FMI_TYPE(FMI_INTEGER) | FMI_TYPE(FMI_BOOLEAN) | FMI_TYPE(FMI_ENUMERATION);

/* A page has one model, and a module no threads. */
static FmiInstance *it;
static FmiState *kept;
static uint32_t *row_of_value, n_values;
static double *value;
static char message[1200];

static void take(FmiInstance *of, FmiStatus status, const char *category, const char *text)
{
    (void)of;
    (void)category;
    if (status < FMI_WARNING)
        return;
    strncpy(message, text, sizeof message - 1);
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

uint32_t live_parameter(uint32_t k)
{
    const RungParameter *p = &rung_model()->parameter[k];
    bool is_free =
        p->is_settable && !p->is_dependent && p->variable != RUNG_NONE && it && !it->is_found[k];
    return is_free ? p->variable : RUNG_NONE;
}

uint32_t live_inputs(void)
{
    return rung_model()->n_inputs;
}

uint32_t live_input(uint32_t k)
{
    return it && !it->is_loop_input[k] ? rung_model()->input[k].variable : RUNG_NONE;
}

static double bound(uint32_t row, bool is_max)
{
    const RungBounds *b = attributes(row)->bounds;
    if (!b)
        return is_max ? INFINITY : -INFINITY;
    uint32_t in = is_max ? b->max_in : b->min_in;
    return in != RUNG_NONE && it ? it->run.problem.ctx->c[in] : is_max ? b->max : b->min;
}

double live_minimum(uint32_t row)
{
    return bound(row, false);
}

double live_maximum(uint32_t row)
{
    return bound(row, true);
}

/* ------------------------------------------------------------------ its instance */

int live_open(double tolerance)
{
    const char *wrong = "out of memory";
    message[0] = 0;
    if (kept)
        fmi_state_free(&kept);
    if (!it)
        it = fmi_new(true, "page", fmi_config.token, take, &wrong);
    else if (fmi_reset(it))
        return 2;
    if (!it) {
        strncpy(message, wrong, sizeof message - 1);
        return 2;
    }
    it->mode = FMI_INITIALIZATION;
    return (int)fmi_set_experiment(it, tolerance, it->model->experiment.start, NAN);
}

int live_set(uint32_t row, double to)
{
    return (int)fmi_set(it, any_type, 1 + row, to);
}

int live_start(void)
{
    FmiStatus status = fmi_initialise(it);
    if (!status)
        it->mode = FMI_STEP;
    return (int)status;
}

int live_step(double h)
{
    double reached;
    bool event;
    FmiStatus status = fmi_step(it, it->run.t, h, &reached, &event);
    return status ? (int)status : it->events.is_over ? -1 : 0;
}

double live_time(void)
{
    return it->run.t;
}

uint32_t *live_rows(uint32_t n)
{
    free(row_of_value);
    free(value);
    row_of_value = calloc(n + (size_t)1, sizeof *row_of_value);
    value = calloc(n + (size_t)1, sizeof *value);
    n_values = row_of_value && value ? n : 0;
    return n_values == n ? row_of_value : NULL;
}

double *live_values(void)
{
    return value;
}

int live_read(void)
{
    for (uint32_t k = 0; k < n_values; k++) {
        FmiStatus status = fmi_get(it, any_type, 1 + row_of_value[k], &value[k]);
        if (status)
            return (int)status;
    }
    return 0;
}

int live_keep(void)
{
    return (int)fmi_state_get(it, &kept);
}

int live_return(void)
{
    return (int)fmi_state_set(it, kept);
}

const char *live_message(void)
{
    return message;
}
