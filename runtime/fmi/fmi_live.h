/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi_live.h -- the model of a live page: one instance in co-simulation, as functions that a script
 * calls. Rows are those of the model's variables. Functions that can fail return 2 or more then,
 * and live_message has the reason.
 */
#ifndef RUNG_RUNTIME_FMI_LIVE_H
#define RUNG_RUNTIME_FMI_LIVE_H

#include <stdint.h>

typedef struct Live Live;

#if defined(__wasm__)
#define LIVE(name) __attribute__((export_name(#name)))
#else
#define LIVE(name)
#endif

/* The model, without an instance. Texts end with 0. */
LIVE(live_variables) uint32_t live_variables(void);
LIVE(live_name) const char *live_name(uint32_t row);
LIVE(live_unit) const char *live_unit(uint32_t row);
LIVE(live_description) const char *live_description(uint32_t row);
LIVE(live_type) uint32_t live_type(uint32_t row); /* RungType */
LIVE(live_parameters) uint32_t live_parameters(void);
LIVE(live_inputs) uint32_t live_inputs(void);

/* NULL: out of memory. It stays as long as the page. */
LIVE(live_new) Live *live_new(void);
/* Its instance, at the start time with start values. The second call begins anew, without the
 * values that were set. tolerance NAN: that of the model. */
LIVE(live_open) int live_open(Live *live, double tolerance);
/* The row of parameter k; RUNG_NONE if no page can set it. */
LIVE(live_parameter) uint32_t live_parameter(const Live *live, uint32_t k);
LIVE(live_input) uint32_t live_input(const Live *live, uint32_t k); /* likewise */
LIVE(live_set) int live_set(Live *live, uint32_t row, double value);
/* From values to motion: initialises. Afterwards live_set changes tunable parameters and inputs. */
LIVE(live_start) int live_start(Live *live);
/* On by h; -1: the model has ended the run. */
LIVE(live_step) int live_step(Live *live, double h);
LIVE(live_time) double live_time(const Live *live);
LIVE(live_minimum) double live_minimum(const Live *live, uint32_t row);
LIVE(live_maximum) double live_maximum(const Live *live, uint32_t row);
/* Room for the numbers of n rows, and for as many values. */
LIVE(live_rows) uint32_t *live_rows(Live *live, uint32_t n);
LIVE(live_values) double *live_values(Live *live);
LIVE(live_read) int live_read(Live *live); /* fills the values of these rows */
/* The instance as it is, and back to there. */
LIVE(live_keep) int live_keep(Live *live);
LIVE(live_return) int live_return(Live *live);
LIVE(live_message) const char *live_message(const Live *live);

#endif
