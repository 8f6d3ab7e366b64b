/* plotting.h -- what is said of a picture: `rung plot` and `rung simulate --plot`. */
#ifndef RUNG_CLI_PLOTTING_H
#define RUNG_CLI_PLOTTING_H

#include "cli/options.h"
#include "emit/picture/plot.h"

void plot_report_print(const PlotReport *r, const Options *o, const char *out);

#endif
