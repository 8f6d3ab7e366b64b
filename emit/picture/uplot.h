/* uplot.h -- the files of uPlot (MIT licence) inside the compiler, where they were to be had when
 * it was built. The table is made by uplot.cmake. */
#ifndef RUNG_EMIT_PICTURE_UPLOT_H
#define RUNG_EMIT_PICTURE_UPLOT_H

#include "emit/model/bundle.h"

extern const BundleFile uplot[]; /* ends with a NULL name; nothing before it: it is not there */

#endif
