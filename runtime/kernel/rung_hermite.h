/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_hermite.h -- the cubic through values and slopes at both ends of an interval.
 */
#ifndef RUNG_HERMITE_H
#define RUNG_HERMITE_H

/* At the share s of an interval of length h, from x0 with slope f0 to x1 with slope f1. */
static inline double rung_hermite(double h, double s, double x0, double f0, double x1, double f1)
{
    const double r = 1 - s;
    return r * r * ((1 + 2 * s) * x0 + s * h * f0) + s * s * ((1 + 2 * r) * x1 - r * h * f1);
}

#endif
