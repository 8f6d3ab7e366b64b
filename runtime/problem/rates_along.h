/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rates_along.h -- x' = f(x, p) with its derivatives by parameters, f_x s + f_p, for RUNG_SIDES
 * parameters at once (RungRatesAlong): after one evaluation of the model at the same point.
 */
#ifndef RUNG_RUNTIME_RATES_ALONG_H
#define RUNG_RUNTIME_RATES_ALONG_H

#include "rung_model.h"

struct RatesAlong;

/* Whether the model has this form. */
int rates_along_needed(const RungModel *model);
/* NULL: it has none, or out of memory. */
struct RatesAlong *rates_along_new(const RungModel *model);
void rates_along_free(struct RatesAlong *it);

/* xdot of all states. Those of derivatives along time, which are used at events only, are zero. The
 * model's return value. */
int rates_along_xdot(struct RatesAlong *it, RungContext *ctx, double t, const double *x,
                     double *xdot);

#endif
