/* program_growth.h -- how many digits a program loses, measured.
 *
 * A program is evaluated twice at an arbitrary point, in double precision and with the result of
 * every operation rounded to single precision; leaves keep their values. The difference of the two,
 * in units of single precision's rounding, tells how an order of elimination lets errors grow, the
 * sensitivity of the block included. The sensitivity is the same for all orders; differences are
 * due to the order. Linear in the size of the pool.
 */
#ifndef RUNG_ELIMINATE_BLOCK_PROGRAM_GROWTH_H
#define RUNG_ELIMINATE_BLOCK_PROGRAM_GROWTH_H

#include "ir/sample.h"

typedef struct ProgramGrowth {
    double *exact, *rounded; /* per node, where marked */
} ProgramGrowth;

/* mark: the nodes to evaluate, closed under operands (program_reach). Parameters have the values
 * of the sample, all other variables arbitrary ones that point chooses. */
ProgramGrowth program_growth_new(const System *s, Sample *sample, const bool *mark, uint32_t point,
                                 Arena *mem);
/* The largest error among n nodes over the largest of their values, in units of 2^-24; NAN if one
 * has no value there. */
double program_growth_of(const ProgramGrowth *r, uint32_t n, const ExprId *x);

#endif
