/* clocks.h -- clocked equations become equations that hold at events (MLS 16).
 *
 * Equations and variables that hang together, but for operands of sample, hold and the conversion
 * operators, are a partition; one that such operators lead into is clocked, and has one clock
 * (clock_calculus.h). At its ticks its equations hold, between them its variables stay:
 *
 *     y = sample(u, c); x = previous(x) + y; z = hold(x)
 *
 *     y = if tick then (u before the event) else pre(y)
 *     x = if tick then pre(x) + y else pre(x)
 *     z = x
 *
 * Equations with der() in clocked partitions are integrated from tick to tick by the method that
 * the clock names (MLS 16.8.2). Afterwards nothing in the System is about clocks.
 */
#ifndef RUNG_ELIMINATE_PREPARE_CLOCKS_H
#define RUNG_ELIMINATE_PREPARE_CLOCKS_H

#include "ir/system.h"

/* False after an error. */
bool clocks_resolve(System *s, Arena *scratch);

#endif
