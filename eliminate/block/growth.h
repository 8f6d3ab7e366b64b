/* growth.h -- by how much rounding errors grow along an order of elimination, by numbers.
 *
 *     u0 - 3 u1 + u2 = 0,  u1 - 3 u2 + u3 = 0, ...     solved from one end to the other (shooting)
 *
 * has the unit pivots that an order by structure likes, and errors that grow by (3 + sqrt 5) / 2
 * with each equation. So the block is eliminated at the sample's point twice at once
 * (graph/sparse_elimination.inc), in double precision and with every result rounded to single
 * precision; the difference tells. Cost: that of a numeric elimination.
 */
#ifndef RUNG_ELIMINATE_BLOCK_GROWTH_H
#define RUNG_ELIMINATE_BLOCK_GROWTH_H

#include "eliminate/block/elimination.h"
#include "graph/incidence.h"
#include "ir/sample.h"

/* Growth: the difference of both solutions over their size, in units of 2^-24, for some right-hand
 * side; INFINITY if a pivot is zero, NAN if an entry has no value. The matrix is not yet
 * eliminated, and is left as it is. */
double growth_of_order(const Matrix *m, const Order *o, Sample *sample);
/* The same at one of several points; number: per edge of g, its coefficients there. */
double growth_at_point(const Incidence *g, const Order *o, const double *number, uint32_t n_points,
                       uint32_t point);
/* The same for an LU by numbers with partial pivoting, columns in the order given. */
double growth_of_lu(const Matrix *m, const uint32_t *column, Sample *sample);
/* Whether an order is to be avoided when another has the growth `least`. A sensitive block loses
 * digits in every order. */
bool growth_is_too_much(double growth, double least);

#endif
