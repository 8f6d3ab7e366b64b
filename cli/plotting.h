/* plotting.h -- a picture of results and its messages: `rung plot` and `rung simulate --plot`. */
#ifndef RUNG_CLI_PLOTTING_H
#define RUNG_CLI_PLOTTING_H

#include "cli/options.h"
#include "emit/picture/plot.h"

Exit plot_write(const char *const *result, uint32_t n, const char *out, PlotOptions p,
                const Options *o);

#endif
